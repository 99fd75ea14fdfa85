package import PlankDetection
internal import Statistics

/// The cell that a search chooses, with its reasons.
package struct Choice: Hashable, Sendable {
  /// Whether all constraints are kept.
  package enum Feasibility: Hashable, Sendable {
    /// The cell keeps every constraint.
    case feasible
    /// No cell keeps every constraint; this one breaks them least.
    ///
    /// `binding` is the constraint that it breaks most, relative to its bound; `value` is its
    /// metric.
    case infeasible(binding: MetricConstraint, value: Double?)
  }

  /// The chosen cell.
  package let cell: Int
  /// The objective of the chosen cell.
  package let objective: Double
  /// The cell with the best objective among those that keep the constraints.
  package let bestCell: Int
  /// The objective of the best cell.
  package let bestObjective: Double
  /// Whether all constraints are kept.
  package let feasibility: Feasibility
  /// How many cells keep the constraints.
  package let feasibleCount: Int
  /// The jackknife standard error by subject of the difference between the best and the chosen
  /// cell; nil with fewer than two subjects.
  package let standardError: Double?
  /// The plateau around the chosen cell; nil if no cell keeps the constraints.
  package let plateau: Plateau?
  /// Where thresholds stand on the plateau, in the order of the axes; the other parameters have the
  /// values of its center.
  package let placements: [ThresholdPlacement]
  /// The costs of one step off the cell, along every axis in both directions; empty if no cell
  /// keeps the constraints.
  package let steps: [Step]
  /// One step from the chosen cell along one axis.
  package struct Step: Codable, Hashable, Sendable {
    /// The parameter.
    package let key: ParameterKey
    /// The unit of its values.
    package let unit: MeasurementUnit
    /// The chosen value.
    package let from: Double
    /// The next value of the axis.
    package let to: Double
    /// How much worse the objective is there, in its unit; nil if it is undefined.
    package let cost: Double?
    /// The jackknife standard error of the cost, paired by subject; nil if it cannot be computed.
    package let standardError: Double?
    /// A constraint that is broken there.
    package let broken: MetricConstraint?
    /// Whether the cost exceeds the tolerance and is beyond chance: more than Student's t quantile
    /// times the standard error, at 95 % for all steps together (Bonferroni).
    ///
    /// Where all subjects lose alike, there is no spread to judge by: then n of them must exclude
    /// chance by their signs, 2 / 2^n at most 5 % for all steps together. False without a standard
    /// error.
    package private(set) var isBeyondChance = false

    private enum CodingKeys: String, CodingKey {
      case unit, from, to, cost
      case key = "parameter"
      case standardError = "standard_error"
      case broken = "breaks"
      case isBeyondChance = "beyond_chance"
    }

    func judged(among steps: Int, _ subjects: Int, _ tolerance: Double) -> Step {
      var step = self
      if let cost, let standardError {
        let isAlike = standardError < 1e-12
        let risk = TuningDecision.risk / Double(steps)
        guard !isAlike || SignFlipTest.leastProbability(clusters: subjects) <= risk else {
          return step
        }
        let quantile = StudentT.quantile(1 - risk / 2, freedom: Double(subjects - 1))
        step.isBeyondChance = cost > max(tolerance, quantile * standardError, 1e-12)
      }
      return step
    }

    init(
      _ definition: ParameterDefinition, from: Double, to: Double, cost: Double?,
      standardError: Double?, broken: MetricConstraint?
    ) {
      key = definition.key
      unit = definition.unit
      self.from = from
      self.to = to
      self.cost = cost
      self.standardError = standardError
      self.broken = broken
    }
  }
}
