extension StreamRecommendation {
  /// The numbers behind a recommendation.
  package struct Evidence: Hashable, Sendable {
    /// The objective's name.
    package let objective: String
    /// Whether larger is better.
    package let higherIsBetter: Bool
    /// The constraints as texts.
    package let constraints: [String]
    /// Differences of the objective that count as none.
    package let tolerance: Double
    /// How many cells were evaluated.
    package let cellCount: Int
    /// How many were rejected as degenerate.
    package let rejectedCount: Int
    /// How many keep the constraints.
    package let feasibleCount: Int
    /// The constraint that cannot be kept, and the value reached; nil where all are.
    package let broken: Broken?
    /// The recommended cell and its objective in the sample.
    package let cell: Int
    /// The objective of the recommended cell.
    package let cellObjective: Double
    /// The best cell.
    package let bestCell: Int
    /// Its objective.
    package let bestObjective: Double
    /// The objective of the recommended parameters, refinement included.
    package let recommendedObjective: Double
    /// The objective of the parameters that the experiment starts from.
    package let baseObjective: Double?
    /// The standard error of the difference between best and recommended cell.
    package let standardError: Double?
    /// The objective on held-out subjects, pooled over folds.
    package let nestedEstimate: Double?
    /// How much better the sample looks than held-out subjects.
    package let optimism: Double?
    /// The share of resamples that choose the same plateau.
    package let samePlateauShare: Double?
    /// How many cells the plateau has.
    package let plateauCells: Int
    /// Steps from its center to the nearest cell outside or to the grid's end.
    package let margin: Int?
    /// Whether the grid ends as near as that.
    package let isLimitedByEdge: Bool
    /// Whether one step off the cell costs more than chance explains.
    package let isKnifeEdge: Bool
    /// Axes on whose end the best cell stands.
    package let edgeAxes: [String]
    /// Axes that change nothing.
    package let inertAxes: [String]
    /// True classes that are never answered.
    package let neverAnswered: [String]
    /// Sequences in which the answer never changes although the truth does.
    package let stuckSequences: [String]
    /// The subjects.
    package let subjects: [String]
  }

  /// A constraint that no cell keeps.
  package struct Broken: Hashable, Sendable {
    /// The constraint.
    package let constraint: String
    /// The value of its metric in the recommended cell.
    package let value: Double?
  }
}

extension StreamRecommendation.Evidence {
  /// Reads a report.
  init(_ report: TuningReport) {
    let choice = report.choice
    objective = report.goal.objective.description
    higherIsBetter = report.goal.objective.higherIsBetter
    constraints = report.goal.constraints.map(\.description)
    tolerance = report.goal.tolerance
    cellCount = report.grid.cellCount - report.diagnostics.rejectedCount
    rejectedCount = report.diagnostics.rejectedCount
    feasibleCount = choice.feasibleCount
    if case .infeasible(let constraint, let value) = choice.feasibility {
      broken = StreamRecommendation.Broken(constraint: constraint.description, value: value)
    } else {
      broken = nil
    }
    cell = choice.cell
    cellObjective = choice.objective
    bestCell = choice.bestCell
    bestObjective = choice.bestObjective
    recommendedObjective = report.refinement?.objective ?? choice.objective
    baseObjective = report.baseObjective
    standardError = choice.standardError
    nestedEstimate = report.nestedEstimate
    optimism = report.optimism
    samePlateauShare = report.samePlateauShare
    plateauCells = choice.plateau?.cells.count ?? 0
    margin = choice.plateau?.margin
    isLimitedByEdge = choice.plateau?.isLimitedByEdge ?? false
    isKnifeEdge = choice.isKnifeEdge
    edgeAxes = report.diagnostics.axes.filter(\.bestIsAtEdge).map(\.name)
    inertAxes = report.diagnostics.axes.filter(\.isInert).map(\.name)
    neverAnswered = report.diagnostics.neverAnswered
    stuckSequences = report.diagnostics.stuckSequences
    subjects = report.subjects
  }
}
