internal import Evaluation
internal import PoseModel

extension BaselineAccess {
  /// What a baseline says that does not follow from its answers; empty where all of it does.
  ///
  /// Its facts and the cost of a frame follow from nothing and cannot be checked.
  static func inconsistencies(_ baseline: Baseline, _ side: GateSide) -> [String] {
    let remedy = "it was edited; write it anew with `baseline update`"
    let names = baseline.sequences.map(\.name)
    guard !baseline.metrics.isEmpty, Set(names).count == names.count else {
      return ["the baseline lacks its numbers or names a sequence twice: \(remedy)"]
    }
    let known = Set(side.sequences.map(\.name))
    if let stranger = names.first(where: { !known.contains($0) }) {
      return ["the baseline has answers of \(stranger), which its dataset does not have: \(remedy)"]
    }
    let subjects = SubjectPools(side.sequences, .plank).subjects.count
    guard baseline.subjects == subjects else {
      return [
        "the baseline says that it is about \(baseline.subjects) subjects, its answers are of "
          + "\(subjects): \(remedy)"
      ]
    }
    guard let metric = wrongMetric(baseline, side) else { return [] }
    return [
      "the baseline's \(metric) does not follow from its answers: it was edited, or this "
        + "planklab counts otherwise; write it anew with `baseline update`"
    ]
  }

  /// The first number that the answers do not give.
  private static func wrongMetric(_ baseline: Baseline, _ side: GateSide) -> MetricKey? {
    let found = lines(side.sequences, intervals: false)
    let values = Dictionary(found.map { ($0.key, $0.value) }) { first, _ in first }
    return baseline.metrics.first { line in
      guard let value = values[line.key] else { return true }
      switch (line.value, value) {
      case (nil, nil): return false
      case (let left?, let right?): return abs(left - right) > 1e-6 * max(1, abs(right))
      default: return true
      }
    }?.key
  }
}
