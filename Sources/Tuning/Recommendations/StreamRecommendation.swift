package import Evaluation
package import PlankDetection
package import PoseModel

/// What to use for one stream, with the evidence.
package struct StreamRecommendation: Codable, Hashable, Sendable {
  /// The stream.
  package let stream: AnswerStream
  /// Whether to keep the starting values, and why.
  package let decision: TuningDecision
  /// The recommended detector: the one found, or the one to start from.
  package let detector: String
  /// The recommended smoothing.
  package let smoothing: SmoothingChoice
  /// The recommended values of the stream's parameters.
  package let parameters: [ParameterFact]
  /// The parameters of the stream that an axis varies, of any detector.
  package let axes: [ParameterKey]
  /// What the experiment starts from.
  package let start: Settings
  /// What the search found, recommended or not; everything below is about it.
  package let found: Settings
  /// The parameters of the best cell, before plateau and refinement.
  package let bestParameters: [ParameterFact]
  /// What was optimized, and what was reached.
  package let objective: Objective
  /// The constraints, and whether they can be kept.
  package let constraints: Constraints
  /// The cells that were searched.
  package let cells: Cells
  /// The plateau around the cell found; nil if no cell keeps the constraints.
  package let plateau: PlateauFacts?
  /// Where the thresholds stand on the plateau.
  ///
  /// The other parameters have the values of its center. Nil in results that were saved before this
  /// was kept.
  package let placements: [ThresholdPlacement]?
  /// The costs of one step off the cell found, along every axis in both directions.
  package let steps: [Choice.Step]
  /// The parameters with a better value between those of the grid, taken or not.
  package let refinement: [Refinement.Step]
  /// What accuracy costs.
  package let front: Front
  /// How well the procedure does for others.
  package let validation: Validation
  /// What to watch for.
  package let diagnostics: Diagnostics
  /// The objective along the axes.
  package internal(set) var views: ObjectiveViews
  /// The objective of the recommended values on worse frames; empty if it was not tried.
  package var worseFrames: [Stressed] = []

  private enum CodingKeys: String, CodingKey {
    case stream, decision, detector, smoothing, parameters, axes, start, found
    case objective, constraints, cells, plateau, placements, steps
    case refinement, front, validation, diagnostics, views
    case bestParameters = "best_parameters"
    case worseFrames = "worse_frames"
  }

  /// Whether a parameter is worth mentioning: its value differs from the default, or an axis varies
  /// it.
  package func isNotable(_ fact: ParameterFact) -> Bool {
    fact.isChanged || axes.contains(fact.key)
  }
}

extension StreamRecommendation {
  /// A detector as it answers one stream.
  package struct Settings: Codable, Hashable, Sendable {
    /// The detector.
    package let detector: String
    /// The smoothing.
    package let smoothing: SmoothingChoice
    /// The values of the stream's parameters.
    package let parameters: [ParameterFact]
  }

  /// A metric and its values.
  package struct Objective: Codable, Hashable, Sendable {
    /// The metric.
    package let metric: MetricKey
    /// Differences that count as zero.
    package let tolerance: Double
    /// The value of the recommended parameters; nil if it is undefined.
    package let recommended: Double?
    /// The value of the parameters found, refinement included.
    package let found: Double
    /// The value of the cell found.
    package let foundOnGrid: Double
    /// The value of the best cell.
    package let best: Double
    /// The standard error of the difference between the best cell and the cell found; nil with fewer
    /// than two subjects.
    package let standardError: Double?
    /// The value of the parameters with which the experiment starts; nil if it is undefined.
    package let startingPoint: Double?

    private enum CodingKeys: String, CodingKey {
      case metric, tolerance, recommended, found, best
      case foundOnGrid = "found_on_grid"
      case standardError = "standard_error"
      case startingPoint = "starting_point"
    }
  }

  /// Bounds on metrics.
  package struct Constraints: Codable, Hashable, Sendable {
    /// The constraints of the experiment.
    package let stated: [MetricConstraint]
    /// How many cells keep all of them.
    package let feasibleCells: Int
    /// The constraint that cannot be kept; nil if all can be kept.
    package let broken: Broken?

    private enum CodingKeys: String, CodingKey {
      case stated, broken
      case feasibleCells = "feasible_cells"
    }
  }

  /// A constraint that no cell keeps.
  package struct Broken: Codable, Hashable, Sendable {
    /// The constraint.
    package let constraint: MetricConstraint
    /// The value of its metric in the cell found; nil if it is undefined.
    package let value: Double?
  }

  /// Cells: how many, and which.
  package struct Cells: Codable, Hashable, Sendable {
    /// How many were evaluated.
    package let evaluated: Int
    /// How many were rejected as degenerate.
    package let rejected: Int
    /// The cell found.
    package let found: Int
    /// The best cell.
    package let best: Int
  }

  /// How large a plateau is.
  package struct PlateauFacts: Codable, Hashable, Sendable {
    /// How many cells it has.
    package let cells: Int
    /// Steps from the cell found to the nearest cell outside or to the grid's end.
    package let margin: Int
    /// Steps from the cell found to the nearest cliff; nil if none was seen.
    package let cliffDistance: Int?
    /// Whether the grid ends nearer than that.
    package let isLimitedByEdge: Bool
    /// The plateau along its axes.
    package let axes: [Plateau.Extent]

    private enum CodingKeys: String, CodingKey {
      case cells, axes
      case margin = "margin_steps"
      case cliffDistance = "cliff_steps"
      case isLimitedByEdge = "limited_by_edge"
    }
  }

  /// What to know about a grid before trusting its result.
  package struct Diagnostics: Codable, Hashable, Sendable {
    /// Axes with the best cell at their end.
    package let edgeAxes: [ParameterKey]
    /// Axes that change nothing.
    package let inertAxes: [ParameterKey]
    /// Those of them whose parameter keeps its starting value; the starting value of the others is
    /// not on the axis and does matter.
    package let keptAxes: [ParameterKey]
    /// True classes that are never answered.
    package let neverAnswered: [String]
    /// Sequences in which the answer never changes although the truth does.
    package let stuckSequences: [String]

    private enum CodingKeys: String, CodingKey {
      case edgeAxes = "best_at_edge"
      case inertAxes = "inert_axes"
      case keptAxes = "kept_axes"
      case neverAnswered = "never_answered"
      case stuckSequences = "stuck_sequences"
    }
  }
}

extension StreamRecommendation {
  /// Cells that no other cell beats in every metric.
  package struct Front: Codable, Hashable, Sendable {
    /// The metrics, the objective first.
    package let metrics: [MetricKey]
    /// The points, best in the first metric first.
    package let points: [FrontPoint]
  }

  /// A point of the front.
  package struct FrontPoint: Codable, Hashable, Sendable {
    /// The cell.
    package let cell: Int
    /// The detector.
    package let detector: String
    /// The smoothing.
    package let smoothing: SmoothingChoice
    /// The parameters that axes vary.
    package let parameters: [ParameterFact]
    /// The values of the front's metrics.
    package let values: MetricTable
    /// The cost of one unit of the first metric in each other metric that is worse; nil for the
    /// first point.
    package let costOfFirst: MetricTable?

    private enum CodingKeys: String, CodingKey {
      case cell, detector, smoothing, parameters, values
      case costOfFirst = "cost_of_first"
    }
  }

  /// The procedure on data that it did not see.
  package struct Validation: Codable, Hashable, Sendable {
    /// How well the procedure does on unseen data; nil without validation.
    package let heldOut: HeldOutEstimate?
    /// How much better the sample looks than held-out data; nil without validation.
    package let optimism: Double?
    /// The share of resamples that choose the same plateau; nil without resamples.
    package let samePlateauShare: Double?
    /// The subjects.
    package let subjects: [String]
    /// The folds.
    package let folds: [Fold]
    /// The objective of every subject while it was held out, in the order of `subjects`; nil
    /// without validation, and in results that were saved before it was kept.
    package let people: [HeldOutSubject]?

    private enum CodingKeys: String, CodingKey {
      case optimism, subjects, folds, people
      case heldOut = "held_out"
      case samePlateauShare = "same_plateau_share"
    }
  }

  /// A subject before and after the change that was chosen without it.
  package struct HeldOutSubject: Codable, Hashable, Sendable {
    /// The subject; a sequence's name where it has none.
    package let subject: String
    /// The objective of the starting values; nil if it is undefined.
    package let start: Double?
    /// The objective of the values chosen without the subject; nil if it is undefined.
    package let value: Double?

    private enum CodingKeys: String, CodingKey {
      case subject, value
      case start = "starting_point"
    }
  }

  /// One fold of the validation.
  package struct Fold: Codable, Hashable, Sendable {
    /// Who was held out; the source's name if a source was held out.
    package let heldOut: [String]
    /// The detector chosen from the others.
    package let detector: String
    /// The smoothing chosen from the others.
    package let smoothing: SmoothingChoice
    /// The parameters chosen from the others, for this stream.
    package let parameters: [ParameterFact]
    /// Whether all constraints were kept on the others.
    package let isFeasible: Bool
    /// The objective on the others.
    package let heldIn: Double
    /// The objective on those held out; nil if it is undefined.
    package let heldOutValue: Double?

    private enum CodingKeys: String, CodingKey {
      case detector, smoothing, parameters
      case heldOut = "held_out"
      case isFeasible = "feasible"
      case heldIn = "held_in_objective"
      case heldOutValue = "held_out_objective"
    }
  }

  /// How frames are made worse.
  package enum Condition: String, CaseIterable, Codable, Hashable, Sendable {
    /// As much noise as the recording has is added.
    case noisier = "white noise as large again"
    /// One frame in twenty is left out.
    case twentiethDropped = "5 % of the frames dropped"
    /// One frame in ten is left out.
    case tenthDropped = "10 % of the frames dropped"
    /// At most 15 frames per second are kept.
    case slower = "15 frames a second"
  }

  /// The recommended parameters on worse frames.
  package struct Stressed: Codable, Hashable, Sendable {
    /// What was done to the frames.
    package let condition: Condition
    /// The objective; nil if it is undefined.
    package let objective: Double?

    /// Makes a row.
    package init(condition: Condition, objective: Double?) {
      self.condition = condition
      self.objective = objective
    }
  }
}

extension StreamRecommendation {
  /// Takes what a report says.
  ///
  /// - Throws: `DetectorError` for a value that a detector refuses.
  package init(_ report: TuningReport) throws {
    let grid = report.grid
    stream = grid.stream
    decision = report.decision
    axes = grid.variants.flatMap { $0.axes.map(\.key) }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    start = Settings(
      detector: report.start.detector.name, smoothing: report.start.smoothing,
      parameters: report.start.detector.base.facts(report.start.detector.keys(grid.stream)))
    found = Settings(
      detector: report.detector.name, smoothing: report.smoothing,
      parameters: report.parameters.facts(report.detector.keys(grid.stream)))
    let recommended = report.decision.usesFound ? found : start
    detector = recommended.detector
    smoothing = recommended.smoothing
    parameters = recommended.parameters
    bestParameters = try grid.parameters(of: report.choice.bestCell)
      .facts(Self.keys(grid, report.choice.bestCell))
    objective = Objective(report)
    constraints = Constraints(report)
    cells = Cells(
      evaluated: grid.cellCount - report.diagnostics.rejectedCount,
      rejected: report.diagnostics.rejectedCount, found: report.choice.cell,
      best: report.choice.bestCell)
    plateau = report.choice.plateau.map {
      PlateauFacts(
        cells: $0.cells.count, margin: $0.margin, cliffDistance: $0.cliffDistance,
        isLimitedByEdge: $0.isLimitedByEdge, axes: $0.axes)
    }
    placements = report.choice.placements
    steps = report.choice.steps
    refinement = report.refinement?.steps ?? []
    front = try Front(report.front, grid)
    validation = Validation(report)
    diagnostics = Diagnostics(report)
    views = report.views
  }

  private static func keys(_ grid: StreamGrid, _ cell: Int) -> [ParameterKey] {
    grid.variants[grid.locate(cell).variant].keys
  }
}

extension StreamRecommendation.Objective {
  fileprivate init(_ report: TuningReport) {
    metric = report.goal.objective
    tolerance = report.goal.tolerance
    recommended = report.decision.usesFound ? report.objective : report.start.objective
    found = report.objective
    foundOnGrid = report.choice.objective
    best = report.choice.bestObjective
    standardError = report.choice.standardError
    startingPoint = report.start.objective
  }
}

extension StreamRecommendation.Constraints {
  fileprivate init(_ report: TuningReport) {
    stated = report.goal.constraints
    feasibleCells = report.choice.feasibleCount
    if case .infeasible(let constraint, let value) = report.choice.feasibility {
      broken = StreamRecommendation.Broken(constraint: constraint, value: value)
    } else {
      broken = nil
    }
  }
}

extension StreamRecommendation.Front {
  fileprivate init(_ front: ParetoFront, _ grid: StreamGrid) throws {
    metrics = front.metrics
    points = try front.points.map { point in
      let variant = grid.variants[grid.locate(point.cell).variant]
      return StreamRecommendation.FrontPoint(
        cell: point.cell, detector: variant.detectorName, smoothing: variant.smoothing,
        parameters: try grid.parameters(of: point.cell).facts(variant.axes.map(\.key)),
        values: MetricTable(zip(front.metrics, point.values.map(MetricValue.value))),
        costOfFirst: point.costOfFirst.map { costs in
          MetricTable(
            zip(front.metrics.dropFirst(), costs).compactMap { metric, cost in
              cost.map { (metric, MetricValue.value($0)) }
            })
        })
    }
  }
}

extension StreamRecommendation.Validation {
  fileprivate init(_ report: TuningReport) {
    heldOut = report.heldOut
    optimism = report.optimism
    samePlateauShare = report.samePlateauShare
    subjects = report.subjects
    people = report.people.isEmpty ? nil : report.people
    folds = report.folds.map { fold in
      StreamRecommendation.Fold(
        heldOut: fold.heldOut, detector: fold.detector.name, smoothing: fold.smoothing,
        parameters: fold.parameters.facts(fold.detector.keys(report.grid.stream)),
        isFeasible: fold.isFeasible, heldIn: fold.heldInObjective,
        heldOutValue: fold.heldOutObjective)
    }
  }
}

extension StreamRecommendation.Diagnostics {
  fileprivate init(_ report: TuningReport) {
    let axes = report.diagnostics.axes
    edgeAxes = axes.filter(\.bestIsAtEdge).map(\.key)
    inertAxes = axes.filter(\.isInert).map(\.key)
    keptAxes = axes.filter { axis in
      axis.isInert && report.parameters[axis.key] == report.detector.base[axis.key]
    }.map(\.key)
    neverAnswered = report.diagnostics.neverAnswered
    stuckSequences = report.diagnostics.stuckSequences
  }
}
