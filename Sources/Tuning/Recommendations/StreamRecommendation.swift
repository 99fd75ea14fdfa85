package import Evaluation
package import PlankDetection
package import PoseModel

package struct StreamRecommendation: Codable, Hashable, Sendable {
  package let stream: AnswerStream
  package let decision: TuningDecision
  package let detector: String
  package let smoothing: SmoothingChoice
  package let parameters: [ParameterFact]
  package let axes: [ParameterKey]
  package let start: Settings
  package let found: Settings
  package let bestParameters: [ParameterFact]
  package let objective: Objective
  package let constraints: Constraints
  package let cells: Cells
  package let plateau: PlateauFacts?
  package let placements: [ThresholdPlacement]?
  package let steps: [Choice.Step]
  package let refinement: [Refinement.Step]
  package let front: Front
  package let validation: Validation
  package let diagnostics: Diagnostics
  package internal(set) var views: ObjectiveViews
  package var worseFrames: [Stressed] = []

  private enum CodingKeys: String, SnakeCaseKey {
    case stream, decision, detector, smoothing, parameters, axes, start, found, objective,
      constraints, plateau, placements, steps
    case cells = "configurations"
    case refinement, front, validation, diagnostics, views, bestParameters, worseFrames
  }

  package func isNotable(_ fact: ParameterFact) -> Bool {
    fact.isChanged || axes.contains(fact.key)
  }
}

extension StreamRecommendation {
  package struct Settings: Codable, Hashable, Sendable {
    package let detector: String
    package let smoothing: SmoothingChoice
    package let parameters: [ParameterFact]
  }

  package struct Objective: Codable, Hashable, Sendable {
    package let metric: MetricKey
    package let tolerance: Double
    package let recommended: Double?
    package let found: Double
    package let foundOnGrid: Double
    package let best: Double
    /// The standard error of the difference between the best configuration and the one found; nil
    /// with fewer than two subjects.
    package let standardError: Double?
    package let startingPoint: Double?

    private enum CodingKeys: String, SnakeCaseKey {
      case metric, tolerance, recommended, found, best, foundOnGrid, standardError, startingPoint
    }
  }

  package struct Constraints: Codable, Hashable, Sendable {
    package let stated: [MetricConstraint]
    package let feasibleCells: Int
    package let broken: Broken?

    private enum CodingKeys: String, CodingKey {
      case stated, broken
      case feasibleCells = "feasible_configurations"
    }
  }

  package struct Broken: Codable, Hashable, Sendable {
    package let constraint: MetricConstraint
    package let value: Double?
  }

  package struct Cells: Codable, Hashable, Sendable {
    package let evaluated: Int
    package let rejected: Int
    package let found: Int
    package let best: Int
  }

  package struct PlateauFacts: Codable, Hashable, Sendable {
    package let cells: Int
    package let margin: Int
    package let cliffDistance: Int?
    package let isLimitedByEdge: Bool
    package let axes: [Plateau.Extent]

    private enum CodingKeys: String, CodingKey {
      case axes
      case cells = "configurations"
      case margin = "margin_steps"
      case cliffDistance = "cliff_steps"
      case isLimitedByEdge = "limited_by_edge"
    }
  }

  package struct Diagnostics: Codable, Hashable, Sendable {
    package let edgeAxes: [ParameterKey]
    package let inertAxes: [ParameterKey]
    /// The inert axes whose parameter keeps its starting value.
    ///
    /// On the other inert axes, the starting value is not on the axis and does matter.
    package let keptAxes: [ParameterKey]
    package let neverAnswered: [String]
    package let stuckSequences: [String]

    private enum CodingKeys: String, SnakeCaseKey {
      case edgeAxes = "best_at_edge"
      case inertAxes, keptAxes
      case neverAnswered = "never_predicted"
      case stuckSequences
    }
  }
}

extension StreamRecommendation {
  package struct Front: Codable, Hashable, Sendable {
    package let metrics: [MetricKey]
    package let points: [FrontPoint]
  }

  package struct FrontPoint: Codable, Hashable, Sendable {
    package let cell: Int
    package let detector: String
    package let smoothing: SmoothingChoice
    package let parameters: [ParameterFact]
    package let values: MetricTable
    /// The loss in each other metric that gets worse, per unit gained in the first metric; nil for
    /// the first point.
    package let costOfFirst: MetricTable?

    private enum CodingKeys: String, SnakeCaseKey {
      case detector, smoothing, parameters, values
      case cell = "configuration"
      case costOfFirst
    }
  }

  package struct Validation: Codable, Hashable, Sendable {
    package let heldOut: HeldOutEstimate?
    package let optimism: Double?
    package let samePlateauShare: Double?
    package let subjects: [String]
    package let folds: [Fold]
    package let people: [HeldOutSubject]?

    private enum CodingKeys: String, SnakeCaseKey {
      case optimism, subjects, folds, people, heldOut, samePlateauShare
    }
  }

  package struct HeldOutSubject: Codable, Hashable, Sendable {
    package let subject: String
    package let start: Double?
    package let value: Double?

    private enum CodingKeys: String, CodingKey {
      case subject, value
      case start = "starting_point"
    }
  }

  package struct Fold: Codable, Hashable, Sendable {
    package let heldOut: [String]
    package let detector: String
    package let smoothing: SmoothingChoice
    package let parameters: [ParameterFact]
    package let isFeasible: Bool
    package let heldIn: Double
    package let heldOutValue: Double?

    private enum CodingKeys: String, SnakeCaseKey {
      case detector, smoothing, parameters, heldOut
      case isFeasible = "feasible"
      case heldIn = "training_objective"
      case heldOutValue = "held_out_objective"
    }
  }

  package enum Condition: String, CaseIterable, Codable, Hashable, Sendable {
    case noisier = "white noise of the same size added"
    case twentiethDropped = "5 % of the frames dropped"
    case tenthDropped = "10 % of the frames dropped"
    case slower = "15 frames per second"
  }

  package struct Stressed: Codable, Hashable, Sendable {
    package let condition: Condition
    package let objective: Double?

    package init(condition: Condition, objective: Double?) {
      self.condition = condition
      self.objective = objective
    }
  }
}

extension StreamRecommendation {
  package init(_ report: TuningReport) throws {
    let grid = report.grid
    stream = grid.stream
    decision = report.decision
    axes = grid.variants.flatMap { $0.axes.map(\.key) }.distinct
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
      .facts(grid.variant(of: report.choice.bestCell).keys)
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
      let variant = grid.variant(of: point.cell)
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
    edgeAxes = report.diagnostics.edgeAxes
    inertAxes = report.diagnostics.inertAxes
    keptAxes = inertAxes.filter { report.parameters[$0] == report.detector.base[$0] }
    neverAnswered = report.diagnostics.neverAnswered
    stuckSequences = report.diagnostics.stuckSequences
  }
}

package struct ParameterLine: Sendable {
  package let definition: ParameterDefinition
  package let values: [Double]
  package let stream: AnswerStream
  package let own: Int
  private let grid: StreamGrid
  private let table: SubjectTable
  private let other: SubjectTable?
  private let people: SweptPeople

  static let thresholds = (bitParallel: 60, streaming: 12)
  /// A longer debounce suits long rests but loses the holds between push-ups.
  static let longestDebounce = Seconds(0.3)

  /// Tries the values of each parameter, one parameter at a time.
  ///
  /// Parameters that the stream does not use, or that have no other value to try, are left out.
  ///
  /// - Complexity: O(parameters x values x frames / 64); without the division by 64 for a debounce
  ///   that the bit-parallel engine cannot express.
  package static func map<Found>(
    _ stream: AnswerStream, _ detector: DetectorVariant, _ people: SweptPeople, jobs: Int,
    progress: () -> Void = {}, _ body: (ParameterLine) throws -> Found
  ) async throws -> [Found] {
    let keys = detector.keys(stream)
    let fixed = try await fixedSweeps(stream, detector, people, jobs: jobs)
    var found: [Found] = []
    for (definition, own) in detector.base.entries where keys.contains(definition.key) {
      defer { progress() }
      let isFast = detector.isBitParallel(stream)
      let values = RoundValues.values(
        of: definition, own: own,
        observed: ObservedRange(of: definition.key, detector.definition, people.data.sequences),
        least: isFast ? thresholds.bitParallel : thresholds.streaming,
        mostFrames: people.frames(within: longestDebounce))
      guard values.count > 1 else { continue }
      found.append(
        try body(
          try await ParameterLine(
            definition, values, own: own, stream, detector, people, fixed, jobs: jobs)))
    }
    return found
  }

  /// The sweeps without axes of the stream and, if they share parameters, of the other stream.
  private static func fixedSweeps(
    _ stream: AnswerStream, _ detector: DetectorVariant, _ people: SweptPeople, jobs: Int
  ) async throws -> [AnswerStream: FixedSweep] {
    let grid = try GridDefinition([detector], axes: [])
    var sweeps: [AnswerStream: FixedSweep] = [:]
    for own in AnswerStream.allCases
    where own == stream || !Set(detector.keys(stream)).isDisjoint(with: detector.keys(own)) {
      sweeps[own] = try await FixedSweep(
        grid.grid(own, people.data), people.data, jobs: jobs)
    }
    return sweeps
  }

  private init(
    _ definition: ParameterDefinition, _ values: [Double], own: Double, _ stream: AnswerStream,
    _ detector: DetectorVariant, _ people: SweptPeople,
    _ fixed: [AnswerStream: FixedSweep], jobs: Int
  ) async throws {
    self.definition = definition
    self.values = values
    self.stream = stream
    self.own = values.firstIndex(of: own) ?? 0
    self.people = people
    let line = try GridDefinition([detector], axes: [ParameterAxis(definition.key, .list(values))])
    grid = try line.grid(stream, people.data)
    func sweep(_ stream: AnswerStream, _ grid: StreamGrid) async throws -> SubjectTable {
      let cells = try await StreamSweep(
        grid, people.data, engine: .automatic, jobs: jobs, fixed: fixed[stream]
      ).evaluate(0..<grid.cellCount, jobs: jobs)
      return try SubjectTable(cells, allowsUngrouped: true)
    }
    table = try await sweep(stream, grid)
    other =
      detector.keys(stream.other).contains(definition.key)
      ? try await sweep(stream.other, try line.grid(stream.other, people.data)) : nil
  }

  /// The value to choose; nil if no value gains `least` of balanced accuracy.
  ///
  /// A value is not allowed if it costs the other stream any balanced accuracy. As in `tune`, a
  /// threshold that separates two classes takes a value near their middle, among the values within
  /// one standard error of the best.
  package func choice(least: Double) throws -> RoundChoice? {
    let drawn = Array(table.subjects.indices)
    let key = MetricKey(.balancedAccuracy, in: stream)
    let scores = values.indices.map { place -> Double? in
      isAllowed(place, drawn) ? table.value(key, at: place, drawn) : nil
    }
    guard let start = scores[own], let most = scores.compactMap(\.self).max(),
      most - start >= least,
      let best = scores.firstIndex(of: most)
    else { return nil }
    let subjects = try SubjectGroups(
      people.data.sequences.map { (name: $0.name, subject: $0.subject) }, allowsUngrouped: true)
    let middle = try ClassMedians(grid, subjects, people.data).placements(0, drawn).first?.middle
    let errors = middle.map { _ in PairedErrors(table, key, best: best, drawn) }
    return RoundChoice(
      values, scores, own: own, least: least, middle: middle,
      standardErrors: errors.map { values.indices.map($0.standardError(of:)) } ?? [])
  }

  /// The share of scored time that is right with each value; nil if nothing is scored.
  package var shares: [Double?] { scores(MetricKey(.accuracy, in: stream)) }

  package func scores(_ key: MetricKey) -> [Double?] {
    let all = Array(table.subjects.indices)
    return values.indices.map { table.value(key, at: $0, all) }
  }

  package func counts(of choice: RoundChoice) -> PairedCounts {
    func frames(_ place: Int) -> [RightSeconds] { table.rightSeconds(at: place).map(people.named) }
    return PairedCounts(frames(own), frames(choice.place))
  }

  private func isAllowed(_ place: Int, _ drawn: [Int]) -> Bool {
    guard let other else { return true }
    let key = MetricKey(.balancedAccuracy, in: stream.other)
    guard let start = other.value(key, at: own, drawn),
      let value = other.value(key, at: place, drawn)
    else { return true }
    return value >= start
  }
}

/// The people of a sweep, by person and source.
///
/// A person in two sources is two subjects, because tables refuse a subject in two sources. People
/// are still held out with all of their sources.
package struct SweptPeople: Sendable {
  let data: MeasuredData
  /// The names of people, by the names of their subjects.
  private let person: [String: String]

  package init(_ sequences: [MeasuredSequence]) throws {
    var person: [String: String] = [:]
    let renamed = sequences.map { sequence in
      let own = sequence.subject.map { "subject\u{0}\($0)" } ?? "sequence\u{0}\(sequence.name)"
      let subject = own + "\u{0}" + (sequence.source ?? "")
      person[subject] = sequence.subject
      return sequence.with(subject: subject)
    }
    data = try MeasuredData(variants: [renamed]).withShortOnesJoined
    self.person = person
  }

  fileprivate func frames(within duration: Seconds) -> Int {
    let longest = data.sequences.map(\.frameWeight.value).max() ?? duration.value
    return Int(duration.value / longest + 1e-9)
  }

  fileprivate func named(_ frames: RightSeconds) -> RightSeconds {
    RightSeconds(
      name: frames.name, subject: frames.subject.flatMap { person[$0] }, source: frames.source,
      scored: frames.scored, right: frames.right)
  }
}
