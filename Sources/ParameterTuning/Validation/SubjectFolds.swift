internal import Evaluation
internal import Statistics

/// How people are held out.
package enum ValidationScheme: Hashable, Sendable {
  /// Every subject once.
  case leaveOneSubjectOut
  /// So many groups of subjects, drawn by the seed.
  case subjectFolds(Int)
}

/// Which subjects are held out together.
package struct SubjectFolds: Hashable, Sendable {
  /// The held-out subjects of every fold: indices of the sorted subjects, ascending.
  package let heldOut: [[Int]]

  /// Divides subjects.
  ///
  /// - Throws: `TuningError` for fewer than two subjects or folds that do not fit.
  package init(_ scheme: ValidationScheme, subjects: Int, seed: UInt64) throws(TuningError) {
    guard subjects >= 2 else { throw .tooFewSubjects(found: subjects, needed: 2) }
    switch scheme {
    case .leaveOneSubjectOut: heldOut = (0..<subjects).map { [$0] }
    case .subjectFolds(let count):
      guard (2...subjects).contains(count) else {
        throw .invalidFolds(count, subjects: subjects)
      }
      let order = RandomStream(seed: seed, purpose: "tuning.folds").permutation(of: subjects)
      heldOut = (0..<count).map { fold in
        stride(from: fold, to: subjects, by: count).map { order[$0] }.sorted()
      }
    }
  }

  /// The subjects that a fold chooses on.
  package func heldIn(_ fold: Int, of subjects: Int) -> [Int] {
    (0..<subjects).filter { !heldOut[fold].contains($0) }
  }
}

/// The answers to held-out subjects, pooled over folds as if one detector had given them.
struct HeldOutPool {
  private var tables: [SubjectTable] = []

  /// Adds the held-out sequences of a fold; the first cell of the table is its detector.
  mutating func add(_ table: SubjectTable) { tables.append(table) }

  /// The value of a metric over all folds, nil where it is undefined.
  func value(_ metric: MetricKey, _ allowsUngrouped: Bool) throws(TuningError) -> Double? {
    guard let first = tables.first else { return nil }
    let all = tables.flatMap { $0.cells.layout.facts.sequences }
    let layout = StatisticsLayout(
      StreamFacts(first.cells.layout.facts.stream, facts: all), keepsDetermined: false)
    var confusion: [UInt32] = []
    var transitions: [UInt32] = []
    var latencies: [UInt32] = []
    for cells in tables.map(\.cells) {
      let parts = cells.layout
      let numbers = Array(cells.numbers(at: 0))
      confusion += numbers[..<parts.transitionStart]
      transitions += numbers[parts.transitionStart..<parts.latencyStart]
      latencies += numbers[parts.latencyStart...]
    }
    let cells = CellTable(layout: layout, ids: [0], storage: confusion + transitions + latencies)
    let table = try SubjectTable(cells, allowsUngrouped: allowsUngrouped)
    return table.value(metric, at: 0, Array(table.subjects.indices))
  }
}
