package import Evaluation
package import PoseModel

package struct MetricConstraint: Codable, Hashable, Sendable, CustomStringConvertible {
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

  /// Relative to the bound's size; a bound of 0 has size 1.
  ///
  /// An undefined value is infinitely far.
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
