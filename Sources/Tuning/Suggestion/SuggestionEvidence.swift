package import Evaluation
package import PlankDetection
package import Platform
package import PoseModel
internal import Statistics

struct SuggestionEvidence {
  private let frames: SuggestionFrames
  private let omissions: [Omission]
  private let paths: [EditPath]
  private let settings: SuggestionSettings
  private let seen: [[UInt8]]
  private let shared: SuggestionFrames
  private let unseen: [[UInt8]]
  private let folds: [Int]

  private static let named = 3

  init(
    _ frames: SuggestionFrames, _ omissions: [Omission], _ paths: [EditPath],
    _ settings: SuggestionSettings
  ) {
    self.frames = frames
    self.omissions = omissions
    self.paths = paths
    self.settings = settings
    let counts = 0...paths[0].steps.count
    seen = counts.map { IndexedList(paths[0].detector(after: $0), frames).answers(frames) }
    let sources = frames.sharedSources
    let shared = frames.selecting { sources.contains(frames.source[$0]) }
    let folds = omissions.indices.filter { omissions[$0].isOfPeople }
    unseen =
      folds.isEmpty
      ? []
      : counts.map { count in
        Self.answers(after: count, folds.map { (paths[$0], omissions[$0]) }, to: shared)
      }
    (self.shared, self.folds) = (shared, folds)
  }

  private static func answers(
    after count: Int, _ folds: [(path: EditPath, omission: Omission)], to frames: SuggestionFrames
  ) -> [UInt8] {
    var answers = [UInt8](repeating: 0, count: frames.count)
    for fold in folds {
      let own = IndexedList(fold.path.detector(after: count), frames).answers(frames)
      for frame in answers.indices where fold.omission.contains(frame, of: frames) {
        answers[frame] = own[frame]
      }
    }
    return answers
  }

  func edit(_ step: Int, _ advice: Advice?, alternatives: [AlternativeEdit]) -> SuggestedEdit {
    let found = paths[0].steps[step].found
    let before = paths[0].detector(after: step)
    let effect = effect(from: seen[step], to: seen[step + 1])
    return SuggestedEdit(
      edit: found.edit, rules: before.list(frames.stream).sentences,
      thresholds: thresholds(found, before), advice: advice, tried: paths[0].tried[step],
      seen: effect.scores, sameChoices: sameChoices(step), fixed: effect.fixed(Self.named),
      people: effect.people, lost: effect.lost, withoutSource: withoutSource(step),
      alternatives: alternatives)
  }

  private func effect(from before: [UInt8], to after: [UInt8]) -> EditEffect {
    EditEffect(frames: frames, before: before, after: after, harm: settings.harm)
  }

  func result(_ edits: [SuggestedEdit], made: Int) -> SuggestionResult {
    SuggestionResult(
      stream: frames.stream, people: Set(frames.person).count, named: frames.areNamed,
      frames: frames.count,
      sources: frames.sources == [""] ? [] : frames.sources, harm: settings.harm,
      folds: folds.count, path: path, made: made, edits: edits,
      remaining: RemainingError.worst(Self.named, frames, paths[0].detector(after: made)))
  }

  private var path: [PathScore] {
    seen.indices.map { count in
      let others =
        unseen.isEmpty
        ? nil
        : EditEffect(frames: shared, before: unseen[0], after: unseen[count], harm: settings.harm)
      return PathScore(
        edits: count,
        seen: effect(from: seen[0], to: seen[count]).scores.after,
        leftOut: others?.scores.after, standardError: others?.standardError,
        sourceLeftOut: sourceLeftOut(count))
    }
  }

  private func sourceLeftOut(_ count: Int) -> Double? {
    let scores = omissions.indices.compactMap { sourceEffect($0, 0, count)?.scores.after }
    return scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
  }

  private func sourceEffect(_ index: Int, _ from: Int, _ to: Int) -> EditEffect? {
    guard case .source(let source) = omissions[index] else { return nil }
    let own = frames.selecting { frames.source[$0] == source }
    return EditEffect(
      frames: own, before: IndexedList(paths[index].detector(after: from), own).answers(own),
      after: IndexedList(paths[index].detector(after: to), own).answers(own), harm: settings.harm)
  }

  private func sameChoices(_ step: Int) -> Int {
    let own = paths[0].steps[step].found.edit.withoutThresholds
    return folds.count { fold in
      paths[fold].steps.count > step && paths[fold].steps[step].found.edit.withoutThresholds == own
    }
  }

  private func withoutSource(_ step: Int) -> [SourceChange] {
    omissions.indices.compactMap { index in
      guard case .source(let source) = omissions[index] else { return nil }
      return sourceEffect(index, step, step + 1).map {
        SourceChange(source: frames.sources[Int(source)], change: $0.scores.change)
      }
    }
  }

  func alternative(
    _ found: FoundEdit, _ step: Int, _ edited: DetectorDefinition
  ) -> AlternativeEdit? {
    let after = IndexedList(edited, frames).answers(frames)
    guard after != seen[step + 1] else { return nil }
    return AlternativeEdit(
      edit: found.edit, thresholds: thresholds(found, paths[0].detector(after: step)),
      seen: effect(from: seen[step], to: after).scores)
  }

  private func thresholds(
    _ found: FoundEdit, _ before: DetectorDefinition
  ) -> [SuggestedEdit.Threshold] {
    if case .move(let key, let value) = found.edit {
      let definition = before.parameters.first { $0.key.rawValue == key }
      return found.ranges.map { range in
        SuggestedEdit.Threshold(
          name: key, unit: definition?.unit.rawValue ?? "", before: definition?.defaultValue,
          value: value, lower: range.lowerBound, upper: range.upperBound)
      }
    }
    return zip(found.edit.newConditions, found.ranges).map { condition, range in
      let measurement = frames.measurements.first { $0.name == condition.measurement }
      return SuggestedEdit.Threshold(
        name: condition.measurement, unit: measurement?.unit.rawValue ?? "", before: nil,
        value: condition.threshold, lower: range.lowerBound, upper: range.upperBound)
    }
  }
}

extension RuleEdit {
  var withoutThresholds: RuleEdit {
    func plain(_ condition: EditCondition) -> EditCondition {
      EditCondition(condition.measurement, below: condition.isBelow, 0)
    }
    return switch self {
    case .move(let parameter, _): .move(parameter: parameter, value: 0)
    case .narrow(let rule, let condition): .narrow(rule: rule, condition: plain(condition))
    case .insert(let position, let label, let conditions):
      .insert(position: position, label: label, conditions: conditions.map(plain))
    case .dropRule, .dropCondition, .swap: self
    }
  }
}

extension EditCondition {
  var comparison: Comparison { isBelow ? .less : .greater }
}

/// The scored frames of all recordings, with sorted columns for searches.
///
/// They take 8 bytes per frame and measurement, and 40 bytes more per frame.
package struct SuggestionFrames: Sendable {
  package let stream: AnswerStream
  package let measurements: [Measurement]
  package let people: [String]
  let areNamed: Bool
  package let sources: [String]
  private(set) var truth: [UInt8] = []
  private(set) var seconds: [Double] = []
  private(set) var person: [Int32] = []
  private(set) var source: [Int32] = []
  private(set) var columns: [[Float]]
  private(set) var orders: [[Int32]] = []
  private(set) var weights: [Int64] = []

  /// The unit of weights, 2^-50 of a score.
  package static let scoreUnit = 0x1p-50

  package var count: Int { truth.count }

  var sharedSources: Set<Int32> {
    var first: [Int32: Int32] = [:]
    var shared: Set<Int32> = []
    for frame in truth.indices {
      if first[source[frame], default: person[frame]] != person[frame] {
        shared.insert(source[frame])
      }
      first[source[frame]] = person[frame]
    }
    return shared
  }

  package init(
    _ sequences: [MeasuredSequence], _ stream: AnswerStream, _ measurements: [Measurement]
  ) {
    self.stream = stream
    self.measurements = measurements
    people = Set(sequences.map { $0.subject ?? $0.name }).sorted()
    areNamed = sequences.allSatisfy { $0.subject != nil }
    sources = Set(sequences.map { $0.source ?? "" }).sorted()
    columns = measurements.map { _ in [] }
    for sequence in sequences { add(sequence) }
    orders = columns.map(Self.order)
    weights = balancedWeights()
  }

  private mutating func add(_ sequence: MeasuredSequence) {
    let codes = sequence.truth.codes(stream)
    let scored = codes.indices.filter { FrameTruth.isScored(codes[$0]) }
    func repeated<Value>(_ value: Value) -> Repeated<Value> {
      repeatElement(value, count: scored.count)
    }
    truth += scored.map { codes[$0] }
    seconds += repeated(sequence.frameWeight.value)
    person += repeated(Int32(people.firstIndex(of: sequence.subject ?? sequence.name) ?? 0))
    source += repeated(Int32(sources.firstIndex(of: sequence.source ?? "") ?? 0))
    for (index, measurement) in measurements.enumerated() {
      let column = sequence.columns[measurement]
      columns[index] += scored.map { column.isEmpty ? .nan : column[$0] }
    }
  }

  func selecting(_ isKept: (Int) -> Bool) -> SuggestionFrames {
    var place = [Int32](repeating: -1, count: count)
    var kept: [Int] = []
    for frame in 0..<count where isKept(frame) {
      place[frame] = Int32(kept.count)
      kept.append(frame)
    }
    var part = self
    part.truth = kept.map { truth[$0] }
    part.seconds = kept.map { seconds[$0] }
    part.person = kept.map { person[$0] }
    part.source = kept.map { source[$0] }
    part.columns = columns.map { column in kept.map { column[$0] } }
    part.orders = orders.map { order in
      order.compactMap { place[Int($0)] >= 0 ? place[Int($0)] : nil }
    }
    part.weights = part.balancedWeights()
    return part
  }

  private static func order(_ column: [Float]) -> [Int32] {
    var order: [Int32] = []
    for frame in column.indices where !column[frame].isNaN { order.append(Int32(frame)) }
    column.withUnsafeBufferPointer { column in
      order.sort { left, right in
        let (a, b) = (column[Int(left)], column[Int(right)])
        return a < b || (a == b && left < right)
      }
    }
    return order
  }

  /// All sources have the same weight, and so have all classes that occur in a source.
  private func balancedWeights() -> [Int64] {
    let labels = stream.labels.count
    func place(_ frame: Int) -> Int { Int(source[frame]) * labels + Int(truth[frame]) }
    var totals = [Double](repeating: 0, count: sources.count * labels)
    for frame in truth.indices { totals[place(frame)] += seconds[frame] }
    let classes = sources.indices.map { source in
      (0..<labels).count { totals[source * labels + $0] > 0 }
    }
    let present = Double(classes.count { $0 > 0 })
    return truth.indices.map { frame in
      let share =
        seconds[frame] / totals[place(frame)] / Double(classes[Int(source[frame])]) / present
      return Int64((share / Self.scoreUnit).rounded())
    }
  }
}

package struct SuggestionSettings: Hashable, Sendable {
  package var harm: Double
  package var steps: Int
  package var seed: UInt64

  package static let mostFolds = 10
  package static let mostRules = IndexedList.mostRules

  package init(harm: Double = 1, steps: Int = 1, seed: UInt64 = 0) {
    self.harm = harm
    self.steps = steps
    self.seed = seed
  }
}

/// Searches all frames, and again without each group of people and each source, and judges the
/// edits that all frames suggest.
package struct SuggestionJudge: Sendable {
  package let result: SuggestionResult

  private static let alternatives = 2

  /// The result does not depend on the number of threads; `debounced` gives the answers to judge,
  /// with the user's debounce.
  package init(
    _ detector: DetectorDefinition, _ sequences: [MeasuredSequence], _ stream: AnswerStream,
    candidates: [Measurement], _ settings: SuggestionSettings, jobs: Int,
    debounced: (DetectorDefinition, MeasuredSequence) throws -> [UInt8],
    progress: @escaping ProgressReport
  ) async throws {
    let all = MeasurementSet(candidates).union(detector.list(stream).measurements).members
    let frames = SuggestionFrames(sequences, stream, all)
    let omissions = Self.omissions(frames, settings)
    let counter = ProgressCounter(total: omissions.count, what: "searches", report: progress)
    progress(0, omissions.count, "searches")
    let paths = try await ConcurrentMap.run(omissions.count, jobs: jobs) { index in
      let omission = omissions[index]
      let kept =
        omission == .nothing ? frames : frames.selecting { !omission.contains($0, of: frames) }
      let path = try EditPath(
        detector, kept, candidates: all, harm: settings.harm, steps: settings.steps)
      counter.add(1)
      return path
    }
    let evidence = SuggestionEvidence(frames, omissions, paths, settings)
    let path = paths[0]
    let right = try (0...path.steps.count).map { count in
      try Self.right(path.detector(after: count), sequences, stream, debounced)
    }
    let advice = path.steps.indices.map { step in
      Advice(
        PairedCounts(right[0], right[step + 1]), settings: path.settings(after: step + 1),
        candidates: path.candidates(at: step))
    }
    let made = Self.made(advice)
    let edits = try path.steps.indices.prefix(made + 1).map { step in
      let others = try path.steps[step].others.compactMap { found in
        evidence.alternative(
          found, step,
          try path.detector(after: step).applying(found.edit, to: stream, candidates: all))
      }
      return evidence.edit(
        step, advice[step], alternatives: Array(others.prefix(Self.alternatives)))
    }
    result = evidence.result(edits, made: made)
  }

  /// The number of edits with the largest expected gain, among those that the advice takes.
  private static func made(_ advice: [Advice?]) -> Int {
    var best = (count: 0, gain: 0.0)
    for (step, advice) in advice.enumerated() {
      if let advice, advice.step.takes, advice.expected > best.gain {
        best = (step + 1, advice.expected)
      }
    }
    return best.count
  }

  private static func omissions(
    _ frames: SuggestionFrames, _ settings: SuggestionSettings
  ) -> [Omission] {
    var omissions = [Omission.nothing]
    let people = groupedPeople(frames, seed: settings.seed)
    if people.count >= SuggestionResult.fewestPeople {
      let count = min(SuggestionSettings.mostFolds, people.count)
      omissions += (0..<count).map { fold in
        .people(Set(stride(from: fold, to: people.count, by: count).map { people[$0] }))
      }
    }
    let sources = Set(frames.source).sorted()
    if sources.count > 1 { omissions += sources.map { .source($0) } }
    return omissions
  }

  /// People who are alone in a source are left out, because holding them out would hold out the
  /// source.
  ///
  /// The order is source by source, and random within each source, so that every group gets its
  /// share of every source.
  private static func groupedPeople(_ frames: SuggestionFrames, seed: UInt64) -> [Int32] {
    let shared = frames.sharedSources
    var sources: [Int32: Int32] = [:]
    for frame in frames.truth.indices where shared.contains(frames.source[frame]) {
      let first = sources[frames.person[frame], default: frames.source[frame]]
      sources[frames.person[frame]] = min(first, frames.source[frame])
    }
    let order = RandomStream(seed: seed, purpose: "suggest.folds").permutation(
      of: frames.people.count)
    return order.indices.filter { sources[Int32($0)] != nil }.map { Int32($0) }.sorted {
      (sources[$0] ?? 0, order[Int($0)]) < (sources[$1] ?? 0, order[Int($1)])
    }
  }

  private static func right(
    _ detector: DetectorDefinition, _ sequences: [MeasuredSequence], _ stream: AnswerStream,
    _ answers: (DetectorDefinition, MeasuredSequence) throws -> [UInt8]
  ) throws -> [RightSeconds] {
    try sequences.map { sequence in
      var (scored, right) = (SIMD8<Double>(), SIMD8<Double>())
      let truth = sequence.truth.codes(stream)
      for (truth, answer) in zip(truth, try answers(detector, sequence))
      where FrameTruth.isScored(truth) {
        scored[Int(truth)] += 1
        if answer == truth { right[Int(truth)] += 1 }
      }
      let weight = sequence.frameWeight.value
      return RightSeconds(
        name: sequence.name, subject: sequence.subject, source: sequence.source,
        scored: scored * weight, right: right * weight)
    }
  }
}

enum Omission: Hashable, Sendable {
  case nothing
  case people(Set<Int32>)
  case source(Int32)

  var isOfPeople: Bool { if case .people = self { true } else { false } }

  func contains(_ frame: Int, of frames: SuggestionFrames) -> Bool {
    switch self {
    case .nothing: false
    case .people(let people): people.contains(frames.person[frame])
    case .source(let source): frames.source[frame] == source
    }
  }
}
