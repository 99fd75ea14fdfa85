package import Evaluation
internal import PoseModel
internal import Statistics

/// The counts of each configuration by subject.
///
/// Within one source, counts are pooled over subjects. Over several sources, a metric is the mean
/// of its values in the sources that define it.
package struct SubjectTable: Sendable {
  package private(set) var cells: CellTable
  private let layout: SubjectLayout
  private var classes: [ClassCounts]
  private var transitions: [Double]

  package var subjects: [String] { layout.groups.names }
  package var sequences: [[Int]] { layout.groups.sequences }
  package var sources: [String?] { layout.sources }

  /// If `allowsUngrouped`, each sequence without a subject counts as a subject.
  ///
  /// Otherwise, throws `missingSubject` for such a sequence. Always throws `subjectInTwoSources`
  /// for a subject in more than one source.
  package init(_ cells: CellTable, allowsUngrouped: Bool = false) throws {
    self.init(cells, try SubjectLayout(cells.layout, allowsUngrouped: allowsUngrouped))
  }

  init(_ cells: CellTable, _ layout: SubjectLayout) {
    self.cells = cells
    self.layout = layout
    classes = []
    transitions = []
    classes.reserveCapacity(cells.ids.count * subjects.count)
    transitions.reserveCapacity(cells.ids.count * subjects.count)
    for position in cells.ids.indices {
      for subject in subjects.indices {
        let sums = sums(of: subject, at: position)
        classes.append(sums.classes)
        transitions.append(sums.transitions)
      }
    }
  }

  /// `numbers` are in the order of a layout with only this sequence.
  mutating func replace(
    _ sequence: Int, at position: Int, with numbers: ArraySlice<UInt32>
  ) -> CellParts {
    let changed = cells.replace(sequence, at: position, with: numbers)
    let subject = layout.subjectOfSequence[sequence]
    let sums = sums(of: subject, at: position)
    classes[position * subjects.count + subject] = sums.classes
    transitions[position * subjects.count + subject] = sums.transitions
    return changed
  }

  private func sums(
    of subject: Int, at position: Int
  ) -> (classes: ClassCounts, transitions: Double) {
    let (stride, start) = (cells.layout.stride, cells.layout.transitionStart)
    let answers = cells.layout.labelCount
    return cells.storage.withUnsafeBufferPointer { storage in
      let numbers = UnsafeBufferPointer(
        rebasing: storage[position * stride..<(position + 1) * stride])
      var transitions = 0.0
      for sequence in sequences[subject] { transitions += Double(numbers[start + sequence]) }
      return (
        classes: ConfusionRow.sum(layout.rows[subject], numbers, answers: answers),
        transitions: transitions
      )
    }
  }

  /// The value over drawn subjects, with repetitions; nil if it is undefined in every source.
  package func value(_ key: MetricKey, at position: Int, _ drawn: [Int]) -> Double? {
    metric(key, at: position, drawn).number
  }

  package func metric(_ key: MetricKey, at position: Int, _ drawn: [Int]) -> MetricValue {
    guard isOfSeveralSources(drawn) else { return pooled(key, at: position, drawn) }
    return .mean(bySource(drawn).map { pooled(key, at: position, $0.map { drawn[$0] }) })
  }

  /// Nil for metrics without a jackknife error, such as quantiles, and if nothing was counted.
  func weights(_ key: MetricKey, at position: Int, clusters: [[Int]]) -> ClusterWeights? {
    guard key.metric.spread == .jackknife else { return nil }
    let start = position * subjects.count
    return ClusterWeights(
      amounts: subjectsBySource.map { source in
        let own = Set(source.subjects)
        let parts = clusters.map { $0.filter(own.contains) }
        guard case .classes = key.metric.formula else {
          return parts.map { $0.reduce(0) { $0 + layout.seconds[$1] } }
        }
        return key.classShares(
          parts.map { $0.reduce(into: ClassCounts()) { $0 += classes[start + $1] } })
      })
  }

  /// The subjects of every source, in order of the sources' names; one unnamed source if all data
  /// is from one source.
  package var subjectsBySource: [(source: String?, subjects: [Int])] {
    Dictionary(grouping: subjects.indices) { sources[$0] }
      .map { (source: $0.key, subjects: $0.value) }
      .sorted { ($0.source ?? "") < ($1.source ?? "") }
  }

  package static func checkSources(_ data: MeasuredData) throws {
    let all = data.sequences
    let groups = try SubjectGroups(
      all.map { (name: $0.name, subject: $0.subject) }, allowsUngrouped: true)
    _ = try groups.sources(all.map(\.source))
  }

  private func isOfSeveralSources(_ drawn: [Int]) -> Bool {
    guard layout.hasSeveralSources, let first = drawn.first else { return false }
    return drawn.contains { sources[$0] != sources[first] }
  }

  private func bySource(_ drawn: [Int]) -> [[Int]] {
    var names: [String?] = []
    var parts: [[Int]] = []
    for (place, subject) in drawn.enumerated() {
      if let part = names.firstIndex(of: sources[subject]) {
        parts[part].append(place)
      } else {
        names.append(sources[subject])
        parts.append([place])
      }
    }
    return parts
  }

  func canTell(_ key: MetricKey) -> Bool {
    let starts = cells.layout.facts.sequences.flatMap(\.onsets)
    return !key.metric.needsObservedStarts || starts.contains { $0.isObserved }
  }

  func check(_ constraints: [MetricConstraint]) throws {
    for constraint in constraints where !canTell(constraint.metric) {
      throw TuningError.undefinedConstraint(constraint.description)
    }
  }

  package func pooled(_ key: MetricKey, at position: Int, _ drawn: [Int]) -> MetricValue {
    let start = position * subjects.count
    switch key.metric.formula {
    case .classes(let formula):
      var pool = ClassCounts()
      for subject in drawn { pool += classes[start + subject] }
      return formula(pool, key.code)
    case .changes(let formula):
      var pool = ChangeCounts()
      for subject in drawn {
        pool.predicted += transitions[start + subject]
        pool.truth += layout.trueTransitions[subject]
        pool.evaluatedSeconds += layout.seconds[subject]
      }
      return formula(pool)
    case .detections(let formula):
      return formula(LatencySample(drawn.flatMap { detections(at: position, of: $0) }))
    case .stability, .releases, .events, .holds:
      preconditionFailure("\(key) cannot be computed from cells")
    }
  }

  /// The sums before and after the omitted subject are added, and nothing is subtracted from the
  /// whole, so that a class that occurs in only one subject is exactly absent without it.
  func valuesWithoutOne(_ key: MetricKey, at position: Int, _ drawn: [Int]) -> [Double?] {
    guard isOfSeveralSources(drawn) else { return pooledWithoutOne(key, at: position, drawn) }
    let parts = bySource(drawn)
    let whole = parts.map { pooled(key, at: position, $0.map { drawn[$0] }) }
    var result = [Double?](repeating: nil, count: drawn.count)
    for (part, places) in parts.enumerated() {
      var values = whole
      let rest = pooledWithoutOne(key, at: position, places.map { drawn[$0] })
      for (place, value) in zip(places, rest) {
        values[part] = value.map(MetricValue.value) ?? .undefined(.noScoredFrames)
        result[place] = MetricValue.mean(values).number
      }
    }
    return result
  }

  private func pooledWithoutOne(_ key: MetricKey, at position: Int, _ drawn: [Int]) -> [Double?] {
    guard case .classes(let formula) = key.metric.formula else {
      return drawn.indices.map { left in
        pooled(key, at: position, drawn.indices.filter { $0 != left }.map { drawn[$0] }).number
      }
    }
    let start = position * subjects.count
    var after = Array(repeating: ClassCounts(), count: drawn.count)
    for index in drawn.indices.dropFirst().reversed() {
      after[index - 1] = after[index]
      after[index - 1] += classes[start + drawn[index]]
    }
    var before = ClassCounts()
    return drawn.indices.map { index in
      var pool = before
      pool += after[index]
      before += classes[start + drawn[index]]
      return formula(pool, key.code).number
    }
  }

  /// Both tables must have the same sequences and one configuration each.
  func paired(
    with after: SubjectTable, _ key: MetricKey, _ people: [Int]
  ) -> (counts: PairedCounts, unit: Advice.Unit) {
    switch key.metric.formula {
    case .changes:
      let now = (value(key, at: 0, people) ?? 0).magnitude
      return (
        rates(with: after, people, amounts: people.map { layout.seconds[$0] / 60 }) {
          $0.transitions[$1]
        }, .rate("answer changes per minute", now: now)
      )
    case .detections:
      let onsets = people.map { detections(at: 0, of: $0) }
      let sums = onsets.map { $0.reduce(0) { $0 + $1.seconds } }
      let count = onsets.map { Double($0.count) }
      let now = sums.reduce(0, +) / max(count.reduce(0, +), 1)
      return (
        rates(with: after, people, amounts: count) { table, subject in
          table.detections(at: 0, of: subject).reduce(0) { $0 + $1.seconds }
        }, .rate("s of latency", now: now)
      )
    case .classes, .stability, .releases, .events, .holds:
      let own = people.flatMap { sequences[$0] }.sorted()
      func right(_ table: SubjectTable) -> [RightSeconds] {
        let all = table.rightSeconds(at: 0)
        return own.map { all[$0] }
      }
      return (PairedCounts(right(self), right(after)), .points)
    }
  }

  private func rates(
    with after: SubjectTable, _ people: [Int], amounts: [Double],
    _ count: (SubjectTable, Int) -> Double
  ) -> PairedCounts {
    let unnamed = zip(people, amounts).count { subject, amount in
      amount > 0
        && sequences[subject].contains { cells.layout.facts.sequences[$0].subject == nil }
    }
    return PairedCounts(
      zip(people, amounts).map { subject, amount in
        PairedCounts.Unit(
          source: sources[subject], amount: amount, before: count(self, subject),
          after: count(after, subject))
      }, unnamed: unnamed)
  }

  func rightSeconds(at position: Int) -> [RightSeconds] {
    cells.layout.facts.sequences.indices.map { index in
      let facts = cells.layout.facts.sequences[index]
      let seconds = cells.confusionSeconds(at: position, sequence: index)
      let labels = cells.layout.labelCount
      var (scored, right) = (SIMD8<Double>(), SIMD8<Double>())
      for row in facts.rows {
        let truth = Int(row.truth)
        scored[truth] =
          row.ticks.map(FrameTicks.seconds) ?? Double(row.frames) * facts.frameWeight.value
        right[truth] = seconds[truth * labels + truth]
      }
      return RightSeconds(
        name: facts.name, subject: facts.subject, source: facts.source, scored: scored,
        right: right)
    }
  }

  private func detections(at position: Int, of subject: Int) -> [Latency] {
    sequences[subject].flatMap { sequence in
      let facts = cells.layout.facts.sequences[sequence]
      return facts.onsets.enumerated().map { index, onset in
        let frames = cells.latency(at: position, sequence: sequence, onset: index)
        let seconds = frames.map { facts.latency(frames: $0, of: onset).value }
        return Latency(
          seconds: seconds ?? onset.duration.value, isCensored: seconds == nil,
          change: onset.isObserved ? .observed : .unknown)
      }
    }
  }
}

struct SubjectLayout: Sendable {
  let groups: SubjectGroups
  let sources: [String?]
  let hasSeveralSources: Bool
  let subjectOfSequence: [Int]
  let rows: [[ConfusionRow]]
  let seconds: [Double]
  let trueTransitions: [Double]

  init(_ layout: StatisticsLayout, allowsUngrouped: Bool) throws {
    let facts = layout.facts.sequences
    groups = try SubjectGroups(
      facts.map { (name: $0.name, subject: $0.subject) }, allowsUngrouped: allowsUngrouped)
    sources = try groups.sources(facts.map(\.source))
    hasSeveralSources = Set(sources).count > 1
    subjectOfSequence = groups.subjectOfSequence
    rows = groups.sequences.map { ConfusionRow.rows(of: $0, layout) }
    seconds = groups.sequences.map { $0.reduce(0) { $0 + facts[$1].evaluatedSeconds.value } }
    trueTransitions = groups.sequences.map {
      $0.reduce(0) { $0 + Double(facts[$1].trueTransitions) }
    }
  }
}

struct ConfusionRow {
  let place: RowPlace
  let truth: Int
  let weight: Double

  static func rows(of sequences: [Int], _ layout: StatisticsLayout) -> [ConfusionRow] {
    sequences.flatMap { sequence in
      let facts = layout.facts.sequences[sequence]
      return facts.rows.enumerated().map { index, row in
        ConfusionRow(
          place: layout.row(index, of: sequence), truth: Int(row.truth),
          weight: facts.frameWeight.value)
      }
    }
  }

  static func sum(
    _ rows: [ConfusionRow], _ numbers: UnsafeBufferPointer<UInt32>, answers: Int
  ) -> ClassCounts {
    withUnsafeTemporaryAllocation(
      of: Double.self, capacity: 3 * ClassCounts.mostClasses
    ) { times in
      times.initialize(repeating: 0)
      let (missed, wrong) = (ClassCounts.mostClasses, 2 * ClassCounts.mostClasses)
      for row in rows {
        let start = row.place.answers
        let right = UInt64(numbers[start + row.truth])
        times[row.truth] += row.place.seconds(of: row.truth, in: numbers, weight: row.weight)
        var all: UInt64 = 0
        for answer in 0..<answers { all &+= UInt64(numbers[start + answer]) }
        guard all != right else { continue }
        for answer in 0..<answers where answer != row.truth && numbers[start + answer] > 0 {
          let time = row.place.seconds(of: answer, in: numbers, weight: row.weight)
          times[missed + row.truth] += time
          times[wrong + answer] += time
        }
      }
      var result = ClassCounts()
      for code in 0..<ClassCounts.mostClasses {
        result.right[code] = times[code]
        result.missed[code] = times[missed + code]
        result.wrong[code] = times[wrong + code]
      }
      return result
    }
  }
}
