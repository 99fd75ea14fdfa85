package import Evaluation
package import PoseModel

/// A bound on a metric that a cell must keep.
package struct MetricConstraint: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The allowed side of the bound; the bound itself is allowed.
  package enum Side: String, CaseIterable, Codable, Hashable, Sendable {
    /// No more than the bound.
    case atMost = "<="
    /// No less than the bound.
    case atLeast = ">="
  }

  /// The metric.
  package let metric: MetricKey
  /// The allowed side.
  package let side: Side
  /// The bound, in the metric's unit.
  package let bound: Double

  /// Makes a constraint.
  package init(_ metric: MetricKey, _ side: Side, _ bound: Double) {
    self.metric = metric
    self.side = side
    self.bound = bound
  }

  /// The constraint as written in experiments.
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

/// The goal for one stream: first the constraints, then the objective.
package struct TuningGoal: Hashable, Sendable {
  /// The metric to optimize.
  package let objective: MetricKey
  /// The constraints.
  package let constraints: [MetricConstraint]
  /// Differences of the objective up to this size count as zero, in its unit.
  package let tolerance: Double

  /// Makes a goal.
  ///
  /// - Throws: `TuningError.mixedStreams` for a constraint on the other stream.
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

  /// The stream that is tuned.
  package var stream: AnswerStream { objective.stream }

  /// A value of the objective, with its sign set so that larger is better.
  func gain(_ value: Double) -> Double { objective.metric.higherIsBetter ? value : -value }
}
