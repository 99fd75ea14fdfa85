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
  /// Whether one step off the cell costs more than chance and tolerance explain.
  package let isKnifeEdge: Bool
}
