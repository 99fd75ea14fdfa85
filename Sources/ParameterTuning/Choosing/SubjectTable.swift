internal import Evaluation
internal import PoseModel

/// The statistics of cells summed by subject, so that any set of subjects can be pooled quickly.
package struct SubjectTable: Sendable {
  /// The cells' numbers.
  package let cells: CellTable
  /// The subjects, sorted by name; a sequence without one is a subject of its own.
  package let subjects: [String]
  /// The sequences of every subject.
  package let sequences: [[Int]]
  private let sums: [ClassSums]
  private let transitions: [Double]
  private let seconds: [Double]
  private let trueTransitions: [Double]

  /// Sums cells by subject.
  ///
  /// - Parameter allowsUngrouped: whether sequences without a subject stand for themselves.
  /// - Throws: `TuningError.missingSubject` where that is not allowed.
  /// - Complexity: O(cells x rows of the confusion); 200 bytes a cell and subject.
  package init(_ cells: CellTable, allowsUngrouped: Bool = false) throws(TuningError) {
    let facts = cells.layout.facts.sequences
    let groups = try SubjectGroups(
      facts.map { (name: $0.name, subject: $0.subject) }, allowsUngrouped: allowsUngrouped)
    self.cells = cells
    subjects = groups.names
    sequences = groups.sequences
    seconds = groups.sequences.map { $0.reduce(0) { $0 + facts[$1].evaluatedSeconds.value } }
    trueTransitions = groups.sequences.map {
      $0.reduce(0) { $0 + Double(facts[$1].trueTransitions) }
    }
    var sums: [ClassSums] = []
    var transitions: [Double] = []
    sums.reserveCapacity(cells.ids.count * groups.names.count)
    for position in cells.ids.indices {
      for members in groups.sequences {
        sums.append(Self.sums(cells, position, members))
        transitions.append(
          members.reduce(0) { $0 + Double(cells.transitions(at: position, sequence: $1)) })
      }
    }
    self.sums = sums
    self.transitions = transitions
  }

  /// The value of a metric of the cell at a position, pooled over drawn subjects.
  ///
  /// - Parameter drawn: indices of `subjects`; a subject may come more than once.
  /// - Returns: nil where the metric is undefined.
  package func value(_ metric: CellMetric, at position: Int, _ drawn: [Int]) -> Double? {
    let start = position * subjects.count
    switch metric.kind {
    case .classification(let metric, let label):
      var pool = ClassSums()
      for subject in drawn { pool += sums[start + subject] }
      return pool.value(metric, label: label)
    case .transitions:
      return perMinute(drawn.reduce(0) { $0 + transitions[start + $1] }, drawn)
    case .excessTransitions:
      let excess = drawn.reduce(0) { $0 + transitions[start + $1] - trueTransitions[$1] }
      return perMinute(max(0, excess), drawn)
    case .detectionLatency(let quantile):
      return Latencies(self, at: position, drawn).quantile(quantile)
    case .hitRate: return Latencies(self, at: position, drawn).hitRate
    }
  }

  /// The value of a metric without each draw in turn.
  ///
  /// Sums before and after the one left out are added, never subtracted: a class that only one
  /// subject shows is exactly absent without that subject.
  ///
  /// - Complexity: O(draws) for metrics of the confusion, O(draws^2) for the others.
  func valuesWithoutOne(
    _ metric: CellMetric, at position: Int, _ drawn: [Int]
  ) -> [Double?] {
    guard case .classification(let kind, let label) = metric.kind else {
      return drawn.indices.map { left in
        value(metric, at: position, drawn.indices.filter { $0 != left }.map { drawn[$0] })
      }
    }
    let start = position * subjects.count
    var after = Array(repeating: ClassSums(), count: drawn.count)
    for index in drawn.indices.dropFirst().reversed() {
      after[index - 1] = after[index]
      after[index - 1] += sums[start + drawn[index]]
    }
    var before = ClassSums()
    return drawn.indices.map { index in
      var pool = before
      pool += after[index]
      before += sums[start + drawn[index]]
      return pool.value(kind, label: label)
    }
  }

  private func perMinute(_ count: Double, _ drawn: [Int]) -> Double? {
    let evaluated = drawn.reduce(0) { $0 + seconds[$1] }
    return evaluated > 0 ? count / (evaluated / 60) : nil
  }

  private static func sums(_ cells: CellTable, _ position: Int, _ members: [Int]) -> ClassSums {
    let layout = cells.layout
    var result = ClassSums()
    for sequence in members {
      let facts = layout.facts.sequences[sequence]
      let weight = facts.frameWeight.value
      for (index, row) in facts.rows.enumerated() {
        let start = position * layout.stride + layout.row(index, of: sequence).all
        let truth = Int(row.truth)
        result.truth[truth] += Double(row.frames) * weight
        result.right[truth] += Double(cells.storage[start + truth]) * weight
        for answer in 0..<layout.labelCount {
          result.answered[answer] += Double(cells.storage[start + answer]) * weight
        }
      }
    }
    return result
  }
}
