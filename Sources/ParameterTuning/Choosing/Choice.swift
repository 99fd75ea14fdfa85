package import PlankDetection
internal import Statistics

/// What a search recommends, and why.
package struct Choice: Hashable, Sendable {
  /// Whether the constraints could be kept.
  package enum Feasibility: Hashable, Sendable {
    /// The cell keeps every constraint.
    case feasible
    /// No cell keeps every constraint; this one breaks them least.
    ///
    /// `binding` is the one that it breaks most, as a share of its bound; `value` is its metric.
    case infeasible(binding: MetricConstraint, value: Double?)
  }

  /// The recommended cell.
  package let cell: Int
  /// Its objective.
  package let objective: Double
  /// The cell with the best objective among those that keep the constraints.
  package let bestCell: Int
  /// Its objective.
  package let bestObjective: Double
  /// Whether the constraints could be kept.
  package let feasibility: Feasibility
  /// How many cells keep the constraints.
  package let feasibleCount: Int
  /// The jackknife standard error by subject of the difference between best and recommended cell;
  /// nil below two subjects.
  package let standardError: Double?
  /// Where the recommended cell lies; nil where no cell keeps the constraints.
  package let plateau: Plateau?
  /// What one step off the cell costs, along every axis either way; empty where no cell keeps the
  /// constraints.
  package let steps: [Step]
  /// Whether one step off the cell costs more than chance and tolerance explain.
  package var isKnifeEdge: Bool { steps.contains(where: \.isBeyondChance) }

  /// One step from the recommended cell along one axis.
  package struct Step: Hashable, Sendable {
    /// The parameter, its unit and range.
    package let definition: ParameterDefinition
    /// The recommended value.
    package let from: Double
    /// The next value of the axis.
    package let to: Double
    /// How much worse the objective is there, in its unit; nil where it is undefined.
    package let cost: Double?
    /// The jackknife standard error of the cost, paired by subject; nil where it cannot be had.
    package let standardError: Double?
    /// A constraint that is broken there.
    package let broken: MetricConstraint?
    /// Whether the cost is more than tolerance and chance explain.
    ///
    /// Chance explains up to Student's t quantile times the standard error, at 95 % for all steps
    /// together (Bonferroni). Without a standard error nothing is told from chance.
    package private(set) var isBeyondChance = false

    func judged(among steps: Int, _ subjects: Int, _ tolerance: Double) -> Step {
      var step = self
      if let cost, let standardError {
        let quantile = StudentT.quantile(
          1 - 0.025 / Double(steps), freedom: Double(subjects - 1))
        step.isBeyondChance = cost > max(tolerance, quantile * standardError, 1e-12)
      }
      return step
    }

    init(
      definition: ParameterDefinition, from: Double, to: Double, cost: Double?,
      standardError: Double?, broken: MetricConstraint?
    ) {
      self.definition = definition
      self.from = from
      self.to = to
      self.cost = cost
      self.standardError = standardError
      self.broken = broken
    }
  }
}
