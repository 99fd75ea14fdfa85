internal import Evaluation
internal import PlankDetection
package import PoseModel

/// A tuning report in plain words and numbers, so that its formats need not know detectors.
package struct StreamRecommendation: Hashable, Sendable {
  /// One fold of the validation.
  package struct Fold: Hashable, Sendable {
    /// Who was held out; the source's name if a source was held out.
    package let heldOut: [String]
    /// The detector chosen from the others.
    package let detector: String
    /// The smoothing chosen from the others.
    package let smoothing: String
    /// The parameters chosen from the others, for this stream.
    package let parameters: [ParameterFact]
    /// Whether all constraints were kept on the others.
    package let isFeasible: Bool
    /// The objective on the others.
    package let heldIn: Double
    /// The objective on those held out; nil if it is undefined.
    package let heldOutValue: Double?
  }

  /// A point of the front.
  package struct FrontPoint: Hashable, Sendable {
    /// The cell.
    package let cell: Int
    /// Detector, smoothing and the parameters that axes vary.
    package let detector: String
    /// The smoothing.
    package let smoothing: String
    /// The parameters that axes vary.
    package let parameters: [ParameterFact]
    /// The values of the front's metrics.
    package let values: [Double]
    /// The cost of one unit of the first metric in each other metric, nil for one that is no worse;
    /// nil for the first point.
    package let costOfFirst: [Double?]?
  }

  /// The recommended parameters on degraded frames.
  package struct Stressed: Hashable, Sendable {
    /// The degradation.
    package let condition: String
    /// The objective; nil if it is undefined.
    package let objective: Double?

    /// Makes a row.
    package init(condition: String, objective: Double?) {
      self.condition = condition
      self.objective = objective
    }
  }

  /// The stream.
  package let stream: AnswerStream
  /// The recommended detector.
  package let detector: String
  /// The recommended smoothing.
  package let smoothing: String
  /// The recommended values of the stream's parameters.
  package let parameters: [ParameterFact]
  /// The parameters of the best cell, before plateau and refinement.
  package let bestParameters: [ParameterFact]
  /// The front's metrics, the objective first.
  package let frontMetrics: [String]
  /// The front.
  package let front: [FrontPoint]
  /// The plateau along its axes; empty without one.
  package let extents: [Plateau.Extent]
  /// The result of refinement.
  package let refined: [Refinement.Step]
  /// The folds.
  package let folds: [Fold]
  /// Further numbers.
  package let evidence: Evidence
  /// The objective along the axes.
  package let views: ObjectiveViews
  /// The objective on worse frames; empty if it was not tried.
  package var stress: [Stressed] = []
}

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
    /// The constraint that cannot be kept, and the value reached; nil if all can be kept.
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
    /// The objective of the parameters with which the experiment starts.
    package let baseObjective: Double?
    /// The standard error of the difference between best and recommended cell.
    package let standardError: Double?
    /// How well the procedure does on unseen data; nil without validation.
    package let heldOut: HeldOutEstimate?
    /// How much better the sample looks than held-out data.
    package let optimism: Double?
    /// The share of resamples that choose the same plateau.
    package let samePlateauShare: Double?
    /// How many cells the plateau has.
    package let plateauCells: Int
    /// Steps from its center to the nearest cell outside or to the grid's end.
    package let margin: Int?
    /// Steps from its center to the nearest cliff; nil if none was seen.
    package let cliffDistance: Int?
    /// Whether the grid ends nearer than that.
    package let isLimitedByEdge: Bool
    /// The costs of one step off the recommended cell, along every axis in both directions.
    package let steps: [Choice.Step]
    /// Axes with the best cell at their end.
    package let edgeAxes: [String]
    /// Axes that change nothing.
    package let inertAxes: [String]
    /// Those of them whose parameter keeps its starting value; the starting value of the others is
    /// not on the axis and does matter.
    package let keptAxes: [String]
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
  /// Takes a report.
  init(_ report: TuningReport) {
    let choice = report.choice
    objective = report.goal.objective.description
    higherIsBetter = report.goal.objective.metric.higherIsBetter
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
    recommendedObjective = report.objective
    baseObjective = report.startObjective
    standardError = choice.standardError
    heldOut = report.heldOut
    optimism = report.optimism
    samePlateauShare = report.samePlateauShare
    plateauCells = choice.plateau?.cells.count ?? 0
    margin = choice.plateau?.margin
    cliffDistance = choice.plateau?.cliffDistance
    isLimitedByEdge = choice.plateau?.isLimitedByEdge ?? false
    steps = choice.steps
    edgeAxes = report.diagnostics.axes.filter(\.bestIsAtEdge).map(\.name)
    inertAxes = report.diagnostics.axes.filter(\.isInert).map(\.name)
    keptAxes = report.diagnostics.axes.filter { axis in
      axis.isInert && report.parameters[axis.key] == report.detector.base[axis.key]
    }.map(\.name)
    neverAnswered = report.diagnostics.neverAnswered
    stuckSequences = report.diagnostics.stuckSequences
    subjects = report.subjects
  }
}

extension StreamRecommendation {
  /// Converts a report to plain words.
  ///
  /// - Throws: `TuningError.detector` for a value that a detector refuses.
  package init(_ report: TuningReport) throws(TuningError) {
    let grid = report.grid
    let used = Self.keys(grid, report.choice.cell)
    stream = grid.stream
    detector = report.detector.name
    smoothing = report.smoothing.text
    parameters = report.parameters.facts(used)
    bestParameters = try grid.parameters(of: report.choice.bestCell)
      .facts(Self.keys(grid, report.choice.bestCell))
    frontMetrics = report.front.metrics.map(\.description)
    var points: [FrontPoint] = []
    for point in report.front.points { points.append(try Self.point(point, grid)) }
    front = points
    extents = report.choice.plateau?.axes ?? []
    refined = report.refinement?.steps ?? []
    folds = report.folds.map { fold in
      Fold(
        heldOut: fold.heldOut, detector: fold.detector.name, smoothing: fold.smoothing.text,
        parameters: fold.parameters.facts(fold.detector.keys(grid.stream)),
        isFeasible: fold.isFeasible, heldIn: fold.heldInObjective,
        heldOutValue: fold.heldOutObjective)
    }
    evidence = Evidence(report)
    views = report.views
  }

  private static func keys(_ grid: StreamGrid, _ cell: Int) -> [ParameterKey] {
    grid.variants[grid.locate(cell).variant].keys
  }

  private static func point(
    _ point: ParetoFront.Point, _ grid: StreamGrid
  ) throws(TuningError) -> FrontPoint {
    let variant = grid.variants[grid.locate(point.cell).variant]
    return FrontPoint(
      cell: point.cell, detector: variant.detectorName, smoothing: variant.smoothing.text,
      parameters: try grid.parameters(of: point.cell).facts(variant.axes.map(\.key)),
      values: point.values, costOfFirst: point.costOfFirst)
  }
}

extension GridDiagnostics.Axis {
  /// The parameter's name.
  var name: String { key.rawValue }
}
