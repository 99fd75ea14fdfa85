internal import Evaluation
internal import PlankDetection
package import Platform
internal import PoseModel
internal import Statistics

package struct StreamTuner: Sendable {
  private let definition: GridDefinition
  private let data: MeasuredData
  private let goal: TuningGoal
  private let options: TuningOptions
  private let foldGrids: [Int: FoldGrid]
  private let tables: ConfigurationTables

  struct FoldGrid: Sendable {
    let definition: GridDefinition
    let data: MeasuredData
  }

  private struct Outcome {
    let chooser: Chooser
    let choice: Choice
    let refinement: Refinement?
    let variant: VariantGrid
    let settings: TunedSettings

    var place: Int { chooser.grid.locate(choice.cell).variant }

    func with(_ settings: TunedSettings) -> Outcome {
      Outcome(
        chooser: chooser, choice: choice, refinement: refinement, variant: variant,
        settings: settings)
    }

    func isSame(
      as detector: DetectorVariant, _ smoothing: SmoothingChoice, _ stream: AnswerStream
    ) -> Bool {
      variant.variant.name == detector.name && variant.smoothing == smoothing
        && detector.keys(stream).allSatisfy { settings.parameters[$0] == detector.base[$0] }
    }
  }

  private struct Sample {
    let drawn: [Int]
    let people: [Int]
    let data: MeasuredData
    let walks: RefinementWalks
    let classes: Set<UInt8>
    let jobs: Int
  }

  package init(
    _ definition: GridDefinition, _ data: MeasuredData, _ goal: TuningGoal,
    _ options: TuningOptions = TuningOptions()
  ) { self.init(definition, data, goal, options, foldGrids: [:]) }

  init(
    _ definition: GridDefinition, _ data: MeasuredData, _ goal: TuningGoal,
    _ options: TuningOptions, foldGrids: [Int: FoldGrid]
  ) {
    self.definition = definition
    self.data = data.compared(by: goal.stream)
    self.goal = goal
    self.options = options
    self.foldGrids = foldGrids
    tables = ConfigurationTables(self.data, goal.stream, options)
  }

  /// `cells` are all accepted configurations on all data, if they were already evaluated.
  ///
  /// Quantile axes are resolved again in every fold.
  package func tune(
    cells: CellTable? = nil, progress: @escaping ProgressReport = { _, _, _ in }
  ) async throws -> TuningReport {
    let groups = try SubjectGroups(
      data.sequences.map { (name: $0.name, subject: $0.subject) },
      allowsUngrouped: options.allowsUngrouped)
    let everyone = Array(groups.names.indices)
    let whole = try await chooser(data, cells, options.jobs, progress)
    try whole.table.check(goal.constraints)
    let sample = Sample(
      drawn: everyone, people: everyone, data: data,
      walks: try RefinementWalks(goal.stream, data, options),
      classes: data.sequences.classes(goal.stream), jobs: options.jobs)
    let found = try await outcome(whole, sample)
    let start = try await startTable(jobs: options.jobs)
    let held = try await validate(whole, groups, start, sample, progress)
    let startObjective = start.value(goal.objective, at: 0, everyone)
    let isJoined = whole.table.cells.layout.facts.sequences.count < data.sequences.count
    let chosen =
      isJoined
      ? try await tables.table(
        found.variant.variant.with(try whole.grid.parameters(of: found.choice.cell)),
        variant: found.place, jobs: options.jobs) : nil
    return TuningReport(
      grid: whole.grid, choice: found.choice, detector: found.variant.variant,
      smoothing: found.variant.smoothing, parameters: found.settings.parameters,
      objective: found.settings.objective, refinement: found.refinement, subjects: groups.names,
      diagnostics: GridDiagnostics(whole, found.choice, everyone, chosen: chosen),
      front: ParetoFront(frontMetrics(whole.table), whole, everyone), folds: held.folds,
      people: held.people, heldOut: held.estimate,
      samePlateauShare: try await stability(whole, found.choice, everyone.count, progress),
      views: ObjectiveViews(whole, found.choice, everyone),
      start: TuningReport.Start(
        detector: definition.detectors[0], smoothing: definition.smoothings[0],
        objective: startObjective), decision: try await decision(found, start), goal: goal)
  }

  func startObjective() async throws -> Double? {
    let start = try await startTable(jobs: options.jobs)
    return start.value(goal.objective, at: 0, Array(start.subjects.indices))
  }

  private func startTable(jobs: Int) async throws -> SubjectTable {
    try await tables.table(definition.detectors[0], variant: 0, jobs: jobs)
  }

  private func decision(_ found: Outcome, _ start: SubjectTable) async throws -> TuningDecision {
    let detector = definition.detectors[0]
    let isSame = found.isSame(as: detector, definition.smoothings[0], goal.stream)
    var (advice, falseTransitions): (Advice?, Advice?)
    if !isSame {
      let changed = found.variant.variant.with(found.settings.parameters)
      let table = try await tables.table(changed, variant: found.place, jobs: options.jobs)
      let (counts, unit) = start.paired(
        with: table, goal.objective, Array(start.subjects.indices))
      advice = Advice(counts, settings: settings(found), in: unit)
      falseTransitions = Advice(
        falseTransitions: try answered(start, detector, variant: 0),
        try answered(table, changed, variant: found.place), settings: settings(found))
    }
    return TuningDecision(
      isFeasible: found.choice.feasibility == .feasible, broken: broken(start, detector.base),
      isSame: isSame, advice: advice, falseTransitions: falseTransitions,
      takesFound: options.takesFound.contains(goal.stream))
  }

  private func answered(
    _ table: SubjectTable, _ detector: DetectorVariant, variant: Int
  ) throws -> [AnsweredRecording] {
    let batch = try BatchDetector(
      detector.definition, parameters: detector.base, debounce: detector.debounce)
    return zip(table.rightSeconds(at: 0), data.variants[variant]).map { right, sequence in
      let found = batch.run(
        goal.stream, sequence.columns, times: sequence.times,
        recordings: sequence.recordings.map(\.frames), startsMid: sequence.startsMid)
      return AnsweredRecording(
        right,
        StabilityCounts(
          times: sequence.times, truth: sequence.truth.codes(goal.stream), answers: found.answers,
          frameSeconds: sequence.frameWeight.value))
    }
  }

  private func settings(_ found: Outcome) -> Int {
    let variant = found.variant.variant.with(found.settings.parameters)
    return variant.differences(from: definition.detectors[0], goal.stream)
      + (found.variant.smoothing == definition.smoothings[0] ? 0 : 1)
  }

  private func broken(_ start: SubjectTable, _ values: ParameterValues) -> TuningDecision.Broken? {
    if let relation = definition.constraints.first(where: { !$0.holds { values[$0] } }) {
      return TuningDecision.Broken(bound: nil, value: nil, relation: relation.description)
    }
    let everyone = Array(start.subjects.indices)
    let broken = goal.constraints.first {
      $0.violation(start.value($0.metric, at: 0, everyone)) > 0
    }
    return broken.map {
      TuningDecision.Broken(
        bound: $0, value: start.value($0.metric, at: 0, everyone), relation: nil)
    }
  }

  private func frontMetrics(_ table: SubjectTable) -> [MetricKey] {
    [
      goal.objective, MetricKey(.excessTransitionsPerMinute, in: goal.stream),
      MetricKey(.detectionLatencyMedian, in: goal.stream),
    ].filter { table.canTell($0) }.distinct
  }

  private func chooser(
    _ data: MeasuredData, _ cells: CellTable?, _ jobs: Int,
    _ progress: @escaping ProgressReport = { _, _, _ in }
  ) async throws -> Chooser {
    let grid = try definition.grid(goal.stream, data)
    let evaluated: CellTable
    if let cells {
      evaluated = cells
    } else {
      let counter = ProgressCounter(
        total: grid.cellCount, what: "\(goal.stream.rawValue) configurations", report: progress)
      evaluated = try await StreamSweep(
        grid, data.withShortOnesJoined, engine: options.engine, jobs: jobs
      ).evaluate(0..<grid.cellCount, jobs: jobs, progress: counter.add)
    }
    let table = try SubjectTable(evaluated, allowsUngrouped: options.allowsUngrouped)
    let people = try SubjectGroups(
      data.sequences.map { (name: $0.name, subject: $0.subject) },
      allowsUngrouped: options.allowsUngrouped)
    return Chooser(grid, table, goal, classes: try ClassMedians(grid, people, data))
  }

  private func outcome(_ chooser: Chooser, _ sample: Sample) async throws -> Outcome {
    let choice = try chooser.choose(sample.drawn)
    var refinement: Refinement?
    var settings = TunedSettings(
      parameters: try chooser.grid.parameters(of: choice.cell), objective: choice.objective)
    if options.refines, choice.plateau != nil {
      let refined = try await Refiner(
        constraints: definition.constraints, grid: chooser.grid, walks: sample.walks, goal: goal,
        people: sample.people, jobs: sample.jobs
      ).refine(choice)
      refinement = refined
      settings.parameters = refined.parameters
      settings.objective = refined.objective
    }
    let variant = chooser.grid.locate(choice.cell).variant
    let found = Outcome(
      chooser: chooser, choice: choice, refinement: refinement,
      variant: chooser.grid.variants[variant], settings: settings)
    return try await orStart(
      try await smallest(try await keepingStart(found, sample), sample), sample)
  }

  private func hasStartsDetector(_ found: Outcome) -> Bool {
    found.choice.feasibility == .feasible
      && found.variant.variant.name == definition.detectors[0].name
      && found.variant.smoothing == definition.smoothings[0]
  }

  private func orStart(_ found: Outcome, _ sample: Sample) async throws -> Outcome {
    let detector = definition.detectors[0]
    guard hasStartsDetector(found),
      definition.constraints.allSatisfy({ $0.holds { detector.base[$0] } })
    else { return found }
    let start = try await tables.table(detector, variant: found.place, jobs: sample.jobs)
    guard goal.isKept(start, sample.people),
      let own = start.value(goal.objective, at: 0, sample.people),
      goal.gain(own) >= goal.gain(found.settings.objective) - 1e-12
    else { return found }
    return found.with(TunedSettings(parameters: detector.base, objective: own))
  }

  /// A change to another detector or smoothing is never divided.
  private func smallest(_ found: Outcome, _ sample: Sample) async throws -> Outcome {
    let detector = definition.detectors[0]
    guard hasStartsDetector(found) else { return found }
    let change = SmallestChange(
      constraints: definition.constraints, goal: goal, tables: tables, detector: detector,
      variant: found.place, people: sample.people, jobs: sample.jobs)
    let settings = try await change.settings(
      of: found.settings.parameters,
      lacking: sample.classes.subtracting(sample.data.sequences.classes(goal.stream))
    ) { startObjective in
      found.chooser.singleChanges(
        from: detector.base, startObjective, sample.drawn,
        placed: found.choice.placements.map(\.key))
    }
    return settings.map(found.with) ?? found
  }

  private func keepingStart(_ found: Outcome, _ sample: Sample) async throws -> Outcome {
    let inert = GridDiagnostics.inertAxes(found.chooser, found.choice, sample.drawn)
    let start = found.variant.base
    var settings = found.settings
    for key in inert {
      guard let own = settings.parameters[key], let value = start[key], own != value else {
        continue
      }
      var parameters = settings.parameters
      try parameters.set(key, to: value)
      guard definition.constraints.allSatisfy({ $0.holds { parameters[$0] } }) else { continue }
      let table = try await tables.table(
        found.variant.variant.with(parameters), variant: found.place, jobs: sample.jobs)
      guard let objective = table.value(goal.objective, at: 0, sample.people),
        goal.gain(objective) >= goal.gain(settings.objective) - max(goal.tolerance, 1e-12),
        found.choice.feasibility != .feasible || goal.isKept(table, sample.people)
      else { continue }
      settings = TunedSettings(parameters: parameters, objective: objective)
    }
    return found.with(settings)
  }

  private struct HeldOut {
    var folds: [TuningReport.Fold] = []
    var people: [StreamRecommendation.HeldOutSubject] = []
    var estimate: HeldOutEstimate?
  }

  private func validate(
    _ whole: Chooser, _ groups: SubjectGroups, _ start: SubjectTable, _ everyone: Sample,
    _ progress: @escaping ProgressReport
  ) async throws -> HeldOut {
    guard let scheme = options.validation else { return HeldOut() }
    if scheme == .automatic, groups.names.count < 2 { return HeldOut() }
    let division = try SubjectFolds(
      scheme, subjects: groups.names.count, sources: whole.table.sources, seed: options.seed)
    let count = division.heldOut.count
    let stream = goal.stream.rawValue
    let results = try await ConcurrentMap.run(count, jobs: options.jobs) {
      progress($0, count, "\(stream) folds")
    } _: { (index) async throws in
      try await self.tuner(ofFold: index).fold(division, index, whole, groups, everyone)
    }
    let found = try SubjectTable.pooled(
      results.map(\.table), allowsUngrouped: options.allowsUngrouped)
    let estimate = found.map { found in
      HeldOutEstimate(
        HeldOutEstimate.Unit(scheme, subjects: data.sequences.map(\.subject)), goal.objective,
        found: found, start: start,
        clusters: scheme == .leaveOneSourceOut
          ? division.heldOut : groups.names.indices.map { [$0] }, folds: count, seed: options.seed)
    }
    return HeldOut(
      folds: results.map(\.fold), people: found.map { people(start, $0) } ?? [], estimate: estimate)
  }

  private func people(
    _ start: SubjectTable, _ found: SubjectTable
  ) -> [StreamRecommendation.HeldOutSubject] {
    start.subjects.indices.map { subject in
      StreamRecommendation.HeldOutSubject(
        subject: start.subjects[subject], start: start.value(goal.objective, at: 0, [subject]),
        value: found.value(goal.objective, at: 0, [subject]))
    }
  }

  private func tuner(ofFold index: Int) -> StreamTuner {
    guard let other = foldGrids[index] else { return self }
    return StreamTuner(other.definition, other.data, goal, options, foldGrids: [index: other])
  }

  private func fold(
    _ division: SubjectFolds, _ index: Int, _ whole: Chooser, _ groups: SubjectGroups,
    _ everyone: Sample
  ) async throws -> (fold: TuningReport.Fold, table: SubjectTable) {
    let heldOut = division.heldOut[index]
    let isBySource = options.validation == .leaveOneSourceOut
    let heldIn = division.heldIn(index, of: groups.names.count)
    let seen = try data.selecting(heldIn.flatMap { groups.sequences[$0] }.sorted())
    let isOwn = definition.dependsOnData || foldGrids[index] != nil
    let own = isOwn ? try await chooser(seen, nil, 1) : whole
    let sample = Sample(
      drawn: isOwn ? Array(own.table.subjects.indices) : heldIn, people: heldIn, data: seen,
      walks: foldGrids[index] == nil
        ? everyone.walks : try RefinementWalks(goal.stream, data, options),
      classes: everyone.classes, jobs: 1)
    let found = try await outcome(own, sample)
    let unseen = try data.selecting(heldOut.flatMap { groups.sequences[$0] }.sorted())
    let table = try await SubjectTable(
      found.variant.variant.with(found.settings.parameters), variant: found.place, goal.stream,
      unseen, options, jobs: 1)
    let fold = TuningReport.Fold(
      heldOut: isBySource
        ? [whole.table.sources[heldOut[0]] ?? ""] : heldOut.map { groups.names[$0] },
      detector: found.variant.variant, smoothing: found.variant.smoothing,
      parameters: found.settings.parameters, isFeasible: found.choice.feasibility == .feasible,
      heldInObjective: found.settings.objective,
      heldOutObjective: table.value(goal.objective, at: 0, Array(table.subjects.indices)))
    return (fold: fold, table: table)
  }

  private func stability(
    _ chooser: Chooser, _ choice: Choice, _ subjects: Int, _ progress: @escaping ProgressReport
  ) async throws -> Double? {
    guard options.resamples > 0, subjects >= 2, let plateau = choice.plateau else { return nil }
    let random = RandomStream(seed: options.seed, purpose: "tuning.resamples")
    let draws = (0..<options.resamples).map { _ in
      (0..<subjects).map { _ in random.index(below: subjects) }.sorted()
    }
    let stream = goal.stream.rawValue
    let chosen = try await ConcurrentMap.run(draws.count, jobs: options.jobs) {
      progress($0, draws.count, "\(stream) resamples")
    } _: { (index) async throws -> Int? in
      (try? chooser.choose(draws[index]))?.cell
    }
    let defined = chosen.compactMap(\.self)
    let cells = Set(plateau.cells)
    return defined.isEmpty
      ? nil : Double(defined.count(where: cells.contains)) / Double(defined.count)
  }
}

/// Tunes both streams, one after the other.
///
/// The first stream decides on the detector, the smoothing and every parameter that it uses. The
/// second stream chooses among the configurations that agree with the first stream's choice, in
/// every fold as well. The first stream's change is not recommended if the second stream, tuned to
/// it, loses more than its own tolerance.
package struct PairTuner: Sendable {
  private let definition: GridDefinition
  private let data: MeasuredData
  private let options: TuningOptions

  package init(
    _ definition: GridDefinition, _ data: MeasuredData, _ options: TuningOptions = TuningOptions()
  ) {
    self.definition = definition
    self.data = data
    self.options = options
  }

  /// The goals must be of different streams; the second report has the parameters of both streams.
  package func tune(
    first: TuningGoal, second: TuningGoal, cells: CellTable? = nil,
    progress: @escaping ProgressReport = { _, _, _ in }
  ) async throws -> (first: TuningReport, second: TuningReport) {
    precondition(first.stream != second.stream, "a goal for each stream")
    var chosen = try await StreamTuner(definition, data, first, options)
      .tune(cells: cells, progress: progress)
    var other = try await tune(second, after: chosen, progress)
    guard chosen.decision.usesFound, let settled = other.settledObjective,
      let start = try await StreamTuner(definition, data, second, options).startObjective(),
      other.start.objective != start
    else { return (first: chosen, second: other) }
    chosen.decision = chosen.decision.knowing(
      TuningDecision.OtherStream(metric: second.objective, start: start, changed: settled),
      loses: second.gain(settled) < second.gain(start) - max(second.tolerance, 1e-12),
      takesFound: options.takesFound.contains(first.stream))
    if !chosen.decision.usesFound { other = try await tune(second, after: chosen, progress) }
    return (first: chosen, second: other)
  }

  private func tune(
    _ second: TuningGoal, after chosen: TuningReport, _ progress: @escaping ProgressReport
  ) async throws -> TuningReport {
    let (settled, first) = (chosen.settled, chosen.goal.stream)
    let rest = try agreeing(with: (settled, chosen.settledSmoothing, settled.base), first)
    var foldGrids: [Int: StreamTuner.FoldGrid] = [:]
    for (index, fold) in chosen.folds.enumerated()
    where chosen.decision.usesFound && !chosen.agrees(with: fold) {
      foldGrids[index] = try agreeing(with: (fold.detector, fold.smoothing, fold.parameters), first)
    }
    return try await StreamTuner(rest.definition, rest.data, second, options, foldGrids: foldGrids)
      .tune(progress: progress)
  }

  private func agreeing(
    with choice: (
      detector: DetectorVariant, smoothing: SmoothingChoice, parameters: ParameterValues
    ),
    _ stream: AnswerStream
  ) throws -> StreamTuner.FoldGrid {
    guard
      let detector = definition.detectors.firstIndex(where: { $0.name == choice.detector.name }),
      let smoothing = definition.smoothings.firstIndex(of: choice.smoothing)
    else { preconditionFailure("a stream chooses among the grid's detectors and smoothings") }
    let chosen = definition.detectors[detector]
    let taken = chosen.keys(stream)
    let used = chosen.definition.parameters.map(\.key)
    let rest = try GridDefinition(
      [chosen.with(choice.parameters)], smoothings: [definition.smoothings[smoothing]],
      axes: definition.axes.filter { used.contains($0.key) && !taken.contains($0.key) },
      constraints: definition.constraints)
    let variant = detector * definition.smoothings.count + smoothing
    return StreamTuner.FoldGrid(
      definition: rest, data: try MeasuredData(variants: [data.variants[variant]]))
  }
}

extension TuningReport {
  fileprivate func agrees(with fold: Fold) -> Bool {
    fold.detector.name == detector.name && fold.smoothing == smoothing
      && fold.parameters == parameters
  }
}
