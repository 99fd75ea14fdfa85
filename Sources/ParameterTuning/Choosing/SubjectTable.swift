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

/// Sequences by subject.
struct SubjectGroups {
  let names: [String]
  let sequences: [[Int]]

  /// Groups sequences; the order of the data does not matter.
  init(
    _ all: [(name: String, subject: String?)], allowsUngrouped: Bool
  ) throws(TuningError) {
    var groups: [String: [Int]] = [:]
    for (index, sequence) in all.enumerated() {
      guard let subject = sequence.subject ?? (allowsUngrouped ? sequence.name : nil) else {
        throw .missingSubject(sequence: sequence.name)
      }
      groups[subject, default: []].append(index)
    }
    names = groups.keys.sorted()
    sequences = names.map { (groups[$0] ?? []).sorted { all[$0].name < all[$1].name } }
  }
}

/// Right answers, answers and truth by class, in seconds: what a confusion's metrics need of it.
///
/// The formulas are those of `ClassificationMetrics`, on numbers that add up without a matrix a
/// cell; tests hold the two together.
struct ClassSums: Hashable {
  /// Seconds with the right answer, by class.
  var right = SIMD8<Double>()
  /// Seconds with the answer, by class.
  var answered = SIMD8<Double>()
  /// Seconds of truth, by class.
  var truth = SIMD8<Double>()

  static func += (left: inout ClassSums, right: ClassSums) {
    left.right += right.right
    left.answered += right.answered
    left.truth += right.truth
  }

  /// The value of a metric, nil where it is undefined.
  func value(_ metric: Metric, label: Int?) -> Double? {
    let total = truth.sum()
    guard total > 0 else { return nil }
    if let label { return value(metric, of: label) }
    switch metric {
    case .accuracy: return right.sum() / total
    case .balancedAccuracy: return mean(of: right, over: truth)
    case .f1Macro: return mean(of: right * 2, over: truth + answered)
    case .f1Weighted:
      var sum = 0.0
      for index in 0..<8 where truth[index] > 0 {
        sum += truth[index] * 2 * right[index] / (truth[index] + answered[index])
      }
      return sum / total
    case .cohenKappa:
      return ratio(covariance, chance(truth, answered))
    case .matthewsCorrelation:
      return ratio(
        covariance, chance(truth, truth).squareRoot() * chance(answered, answered).squareRoot())
    default: return nil
    }
  }

  private func value(_ metric: Metric, of label: Int) -> Double? {
    switch metric {
    case .precision: ratio(right[label], answered[label])
    case .recall: ratio(right[label], truth[label])
    case .f1: ratio(2 * right[label], truth[label] + answered[label])
    default: nil
    }
  }

  private func mean(of dividend: SIMD8<Double>, over divisor: SIMD8<Double>) -> Double? {
    var (sum, count) = (0.0, 0.0)
    for index in 0..<8 where divisor[index] > 0 {
      sum += dividend[index] / divisor[index]
      count += 1
    }
    return ratio(sum, count)
  }

  private func ratio(_ dividend: Double, _ divisor: Double) -> Double? {
    divisor > 0 ? dividend / divisor : nil
  }

  /// N sum right - sum truth answered.
  private var covariance: Double { truth.sum() * right.sum() - (truth * answered).sum() }

  /// N^2 - sum a b, as the sum over classes of a (N - b).
  private func chance(_ a: SIMD8<Double>, _ b: SIMD8<Double>) -> Double {
    var sum = 0.0
    for index in 0..<8 {
      for other in 0..<8 where other != index { sum += a[index] * b[other] }
    }
    return sum
  }
}

/// The detection latencies of a cell over some subjects; missed events are censored at their end.
struct Latencies {
  private var latencies: [Latency] = []

  /// Collects the events of drawn subjects.
  init(_ table: SubjectTable, at position: Int, _ drawn: [Int]) {
    for subject in drawn {
      for sequence in table.sequences[subject] {
        let facts = table.cells.layout.facts.sequences[sequence]
        for (index, onset) in facts.onsets.enumerated() {
          let frames = table.cells.latency(at: position, sequence: sequence, onset: index)
          let seconds = frames.map { facts.latency(frames: $0, of: onset).value }
          latencies.append(
            Latency(seconds: seconds ?? onset.duration.value, isCensored: seconds == nil))
        }
      }
    }
  }

  /// The share of events that were detected, nil without events.
  var hitRate: Double? {
    latencies.isEmpty
      ? nil : Double(latencies.count { !$0.isCensored }) / Double(latencies.count)
  }

  /// The latency by which a share of events is detected, in seconds; nil where so many are never
  /// detected.
  ///
  /// - Complexity: O(events log events).
  func quantile(_ share: Double) -> Double? { SurvivalCurve(latencies).quantile(share) }
}
