package import PlankDetection
internal import Statistics

package struct Choice: Hashable, Sendable {
  package enum Feasibility: Hashable, Sendable {
    case feasible
    /// No cell keeps every constraint; this one breaks them least. `binding` is the constraint that
    /// it breaks most, relative to its bound; `value` is its metric.
    case infeasible(binding: MetricConstraint, value: Double?)
  }

  package let cell: Int
  package let objective: Double
  package let bestCell: Int
  package let bestObjective: Double
  package let feasibility: Feasibility
  package let feasibleCount: Int
  package let standardError: Double?
  package let plateau: Plateau?
  /// Where thresholds stand on the plateau, in the order of the axes; the other parameters have the
  /// values of its center.
  package let placements: [ThresholdPlacement]
  /// One step off the cell along every axis in both directions; empty if no cell keeps the
  /// constraints.
  package let steps: [Step]
  package struct Step: Codable, Hashable, Sendable {
    package let key: ParameterKey
    package let unit: MeasurementUnit
    package let from: Double
    package let to: Double
    package let cost: Double?
    package let standardError: Double?
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
