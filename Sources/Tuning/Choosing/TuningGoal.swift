package import Evaluation
package import PoseModel

package struct MetricConstraint: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The allowed side of the bound; the bound itself is allowed.
  package enum Side: String, CaseIterable, Codable, Hashable, Sendable {
    case atMost = "<="
    case atLeast = ">="
  }

  package let metric: MetricKey
  package let side: Side
  package let bound: Double

  package init(_ metric: MetricKey, _ side: Side, _ bound: Double) {
    self.metric = metric
    self.side = side
    self.bound = bound
  }

  package var description: String { "\(metric) \(side.rawValue) \(bound)" }

  /// How far a value is beyond the bound, relative to the bound's size; 0 if it keeps the bound.
  ///
  /// An undefined value is infinitely far. A bound of 0 has size 1.
  package func violation(_ value: Double?) -> Double {
    guard let value else { return .infinity }
    let beyond = side == .atMost ? value - bound : bound - value
    return max(0, beyond / (bound == 0 ? 1 : bound.magnitude))
  }
}

package struct TuningGoal: Hashable, Sendable {
  package let objective: MetricKey
  package let constraints: [MetricConstraint]
  /// Differences of the objective up to this size count as zero, in its unit.
  package let tolerance: Double

  package init(
    _ objective: MetricKey, constraints: [MetricConstraint] = [], tolerance: Double = 0
  ) throws {
    precondition(tolerance >= 0, "a tolerance is not negative")
    for constraint in constraints where constraint.metric.stream != objective.stream {
      throw TuningError.mixedStreams(constraint.metric.description, expected: objective.stream)
    }
    self.objective = objective
    self.constraints = constraints
    self.tolerance = tolerance
  }

  package var stream: AnswerStream { objective.stream }

  func gain(_ value: Double) -> Double { objective.metric.higherIsBetter ? value : -value }
}
