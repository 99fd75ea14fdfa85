internal import Evaluation
package import Statistics

/// How well a procedure does on unseen data.
///
/// In every fold, the whole procedure chooses without the held-out data. The answers on the
/// held-out data are pooled over folds and scored as those of one detector. The interval resamples
/// the held-out units. Folds share most of the data on which they choose, so the interval's ends
/// are moved outward by the factor sqrt(1 + k m / n), with k folds, and m held-out units against n
/// units for choosing: m / n = 1 / (k - 1). The ends are moved on the logit scale if the metric is
/// bounded. If all units are alike, the interval is what their number allows and is not moved. The
/// interval of the change is not moved either, because both sides of the pair share what the folds
/// share.
///
/// Source: Nadeau and Bengio 2003, Machine Learning 52:239, for the factor; Stone 1974, JRSS B
/// 36:111, and Varma and Simon 2006, BMC Bioinformatics 7:91, for the need to repeat the choice in
/// every fold.
package struct HeldOutEstimate: Codable, Hashable, Sendable {
  package enum Unit: String, CaseIterable, Codable, Hashable, Sendable {
    case people
    /// Recordings of unknown people, who may also be in the other recordings.
    ///
    /// The estimate is about new recordings of the same people.
    case recordings
    case peopleAndRecordings = "people and recordings"
    case sources

    init(_ scheme: ValidationScheme, subjects: [String?]) {
      if scheme == .leaveOneSourceOut {
        self = .sources
      } else if subjects.allSatisfy({ $0 != nil }) {
        self = .people
      } else {
        self = subjects.allSatisfy { $0 == nil } ? .recordings : .peopleAndRecordings
      }
    }
  }

  package let unit: Unit
  package let value: Double?
  package let interval: Interval?
  package let start: Double?
  package let change: Double?
  package let changeInterval: Interval?

  private enum CodingKeys: String, SnakeCaseKey {
    case unit, value, interval, change
    case start = "starting_point"
    case changeInterval
  }

  private static let resamples = 2000

  init(
    _ unit: Unit, _ metric: MetricKey, found: SubjectTable, start: SubjectTable,
    clusters: [[Int]], folds: Int, seed: UInt64
  ) {
    precondition(found.subjects == start.subjects, "the same subjects on both sides")
    let resamples = ClusterResamples(
      clusters: clusters.count, count: Self.resamples,
      stream: RandomStream(seed: seed, purpose: "tuning.held_out"))
    var subjects: [Int] = []
    var samples = ClusterSample.make(resamples) { drawn in
      subjects.removeAll(keepingCapacity: true)
      for cluster in drawn { subjects += clusters[cluster] }
      return [found.value(metric, at: 0, subjects), start.value(metric, at: 0, subjects)]
    }
    let difference = samples[0] - samples[1]
    samples[0].weights = found.weights(metric, at: 0, clusters: clusters)
    let factor = Self.sharedTraining(folds: folds)
    self.unit = unit
    value = samples[0].estimate
    interval = samples[0].interval(widenedBy: factor, scale: metric.metric.logitScale).interval?
      .clamped(to: metric.metric.range)
    self.start = samples[1].estimate
    change = difference.estimate
    changeInterval = difference.interval(widenedBy: 1).interval?
      .clamped(to: metric.metric.differenceRange)
  }

  package static func sharedTraining(folds: Int) -> Double {
    precondition(folds > 1, "something is held out and something is left")
    return (1 + Double(folds) / Double(folds - 1)).squareRoot()
  }
}

extension ClusterSample {
  func interval(
    widenedBy factor: Double, within range: ClosedRange<Double> = -.infinity ... .infinity,
    scale: LogitScale? = nil
  ) -> IntervalValue {
    let wider = MetricIntervals(self, range: range, scale: scale).wider
    guard let estimate, let interval = wider.interval else { return wider }
    return .interval(interval.widened(by: factor, about: estimate, scale: scale).clamped(to: range))
  }
}

extension SubjectTable {
  /// Pools tables of different sequences, with one configuration each; nil for no table.
  static func pooled(_ tables: [SubjectTable], allowsUngrouped: Bool) throws -> SubjectTable? {
    guard let first = tables.first else { return nil }
    let all = tables.flatMap { $0.cells.layout.facts.sequences }
    let facts = StreamFacts(first.cells.layout.facts.stream, facts: all)
    var (confusion, transitions, latencies): ([UInt32], [UInt32], [UInt32]) = ([], [], [])
    for cells in tables.map(\.cells) {
      let parts = cells.layout
      let numbers = Array(cells.numbers(at: 0))
      confusion += numbers[..<parts.transitionStart]
      transitions += numbers[parts.transitionStart..<parts.latencyStart]
      latencies += numbers[parts.latencyStart...]
    }
    let cells = CellTable(
      layout: StatisticsLayout(facts), ids: [0], storage: confusion + transitions + latencies)
    return try SubjectTable(cells, allowsUngrouped: allowsUngrouped)
  }
}

package enum ValidationScheme: Hashable, Sendable {
  /// Every subject is held out once, or in `mostFolds` groups if there are more subjects.
  case automatic
  case leaveOneSubjectOut
  case leaveOneSourceOut
  case subjectFolds(Int)

  package static let mostFolds = 20

  package func settled(subjects: Int) -> ValidationScheme {
    guard self == .automatic else { return self }
    return subjects <= Self.mostFolds ? .leaveOneSubjectOut : .subjectFolds(Self.mostFolds)
  }
}

package struct SubjectFolds: Hashable, Sendable {
  package let heldOut: [[Int]]

  package init(
    _ scheme: ValidationScheme, subjects: Int, sources: [String?] = [], seed: UInt64
  ) throws {
    guard subjects >= 2 else { throw TuningError.tooFewSubjects(found: subjects, needed: 2) }
    switch scheme.settled(subjects: subjects) {
    case .leaveOneSubjectOut, .automatic: heldOut = (0..<subjects).map { [$0] }
    case .leaveOneSourceOut:
      let names = Set(sources).sorted { ($0 ?? "") < ($1 ?? "") }
      guard names.count >= 2 else { throw TuningError.tooFewSources(found: names.count) }
      heldOut = names.map { name in sources.indices.filter { sources[$0] == name } }
    case .subjectFolds(let count):
      guard (2...subjects).contains(count) else {
        throw TuningError.invalidFolds(count, subjects: subjects)
      }
      let order = RandomStream(seed: seed, purpose: "tuning.folds").permutation(of: subjects)
      heldOut = (0..<count).map { fold in
        stride(from: fold, to: subjects, by: count).map { order[$0] }.sorted()
      }
    }
  }

  package func heldIn(_ fold: Int, of subjects: Int) -> [Int] {
    (0..<subjects).filter { !heldOut[fold].contains($0) }
  }
}

struct SubjectGroups {
  let names: [String]
  let sequences: [[Int]]

  init(_ all: [(name: String, subject: String?)], allowsUngrouped: Bool) throws {
    var groups: [String: [Int]] = [:]
    for (index, sequence) in all.enumerated() {
      guard let subject = sequence.subject ?? (allowsUngrouped ? sequence.name : nil) else {
        throw TuningError.missingSubject(sequence: sequence.name)
      }
      groups[subject, default: []].append(index)
    }
    names = groups.keys.sorted()
    sequences = names.map { (groups[$0] ?? []).sorted { all[$0].name < all[$1].name } }
  }

  var subjectOfSequence: [Int] {
    var subjects = Array(repeating: 0, count: sequences.reduce(0) { $0 + $1.count })
    for (subject, members) in sequences.enumerated() {
      for member in members { subjects[member] = subject }
    }
    return subjects
  }

  func sources(_ all: [String?]) throws -> [String?] {
    var result: [String?] = []
    for (name, members) in zip(names, sequences) {
      let source = all[members[0]]
      for member in members where all[member] != source {
        throw TuningError.subjectInTwoSources(name, source ?? "-", all[member] ?? "-")
      }
      result.append(source)
    }
    return result
  }
}
