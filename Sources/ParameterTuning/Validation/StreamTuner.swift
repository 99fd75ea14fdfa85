internal import PlankDetection
internal import PoseModel
internal import Statistics

/// Tunes one stream: sweep, choice, refinement, and the same again without each held-out subject.
package struct StreamTuner: Sendable {
  private let definition: GridDefinition
  private let data: MeasuredData
  private let goal: TuningGoal
  private let options: TuningOptions

  /// What one run of the procedure found.
  private struct Outcome {
    let chooser: Chooser
    let choice: Choice
    let refinement: Refinement?
    let variant: VariantGrid
    let parameters: ParameterValues
    let objective: Double
  }

  /// Prepares a tuner.
  package init(
    _ definition: GridDefinition, _ data: MeasuredData, _ goal: TuningGoal,
    _ options: TuningOptions = TuningOptions()
  ) {
    self.definition = definition
    self.data = data
    self.goal = goal
    self.options = options
  }

  /// Recommends a cell.
  ///
  /// - Parameter cells: every accepted cell of the grid on all data, where they were evaluated
  ///   before; quantile axes are resolved anew in every fold all the same.
  /// - Complexity: a sweep, folds x (choice + refinement), resamples x choice; with quantile axes
  ///   a sweep a fold more.
  package func tune(cells: CellTable? = nil) async throws(TuningError) -> TuningReport {
    let groups = try SubjectGroups(
      data.sequences.map { (name: $0.name, subject: $0.subject) },
      allowsUngrouped: options.allowsUngrouped)
    let everyone = Array(groups.names.indices)
    let whole = try await chooser(data, cells)
    let found = try await outcome(whole, everyone, data)
    let (folds, estimate) = try await validate(whole, groups)
    return TuningReport(
      choice: found.choice, detector: found.variant.detector.name,
      smoothing: found.variant.smoothing, parameters: found.parameters,
      refinement: found.refinement, subjects: groups.names,
      diagnostics: GridDiagnostics(whole, found.choice, everyone),
      front: ParetoFront(try frontMetrics(), whole, everyone), folds: folds,
      nestedEstimate: estimate,
      samePlateauShare: try stability(whole, found.choice, everyone.count), goal: goal)
  }

  private func frontMetrics() throws(TuningError) -> [CellMetric] {
    let stream = goal.stream.rawValue
    return [
      goal.objective, try CellMetric("\(stream).excess_transitions_per_minute"),
      try CellMetric("\(stream).detection_latency_p50_s"),
    ].reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private func chooser(
    _ data: MeasuredData, _ cells: CellTable?
  ) async throws(TuningError) -> Chooser {
    let grid = try definition.grid(goal.stream, data)
    let evaluated: CellTable
    if let cells {
      evaluated = cells
    } else {
      let sweep = StreamSweep(grid, data)
      evaluated = try await sweep.evaluate(0..<grid.cellCount, jobs: options.jobs)
    }
    let table = try SubjectTable(evaluated, allowsUngrouped: options.allowsUngrouped)
    return Chooser(grid, table, goal)
  }

  /// The whole procedure on some subjects; `seen` holds their sequences and no others.
  private func outcome(
    _ chooser: Chooser, _ drawn: [Int], _ seen: MeasuredData
  ) async throws(TuningError) -> Outcome {
    let choice = try chooser.choose(drawn)
    let refiner = Refiner(
      definition: definition, grid: chooser.grid, data: seen, goal: goal,
      allowsUngrouped: options.allowsUngrouped)
    var refinement: Refinement?
    var parameters = try chooser.grid.parameters(of: choice.cell)
    if options.refines, choice.plateau != nil {
      let refined = try await refiner.refine(choice, jobs: options.jobs)
      refinement = refined
      parameters = refined.parameters
    }
    let variant = chooser.grid.locate(choice.cell).variant
    return Outcome(
      chooser: chooser, choice: choice, refinement: refinement,
      variant: chooser.grid.variants[variant],
      parameters: parameters,
      objective: refinement?.objective ?? choice.objective)
  }

  private func validate(
    _ whole: Chooser, _ groups: SubjectGroups
  ) async throws(TuningError) -> (folds: [TuningReport.Fold], estimate: Double?) {
    guard let scheme = options.validation else { return (folds: [], estimate: nil) }
    let count = groups.names.count
    let division = try SubjectFolds(scheme, subjects: count, seed: options.seed)
    var folds: [TuningReport.Fold] = []
    var pool = HeldOutPool()
    for (index, heldOut) in division.heldOut.enumerated() {
      let heldIn = division.heldIn(index, of: count)
      let seen = try data.selecting(heldIn.flatMap { groups.sequences[$0] }.sorted())
      let own = definition.dependsOnData ? try await chooser(seen, nil) : whole
      let drawn = definition.dependsOnData ? Array(own.table.subjects.indices) : heldIn
      let found = try await outcome(own, drawn, seen)
      let unseen = try data.selecting(heldOut.flatMap { groups.sequences[$0] }.sorted())
      let table = try await evaluate(found, own, unseen)
      pool.add(table)
      folds.append(
        TuningReport.Fold(
          heldOut: heldOut.map { groups.names[$0] }, detector: found.variant.detector.name,
          smoothing: found.variant.smoothing, parameters: found.parameters,
          isFeasible: found.choice.feasibility == .feasible,
          heldInObjective: found.objective,
          heldOutObjective: table.value(
            goal.objective, at: 0, Array(table.subjects.indices))))
    }
    return (folds: folds, estimate: try pool.value(goal.objective, options.allowsUngrouped))
  }

  /// The statistics of a found detector over other sequences.
  private func evaluate(
    _ found: Outcome, _ chooser: Chooser, _ unseen: MeasuredData
  ) async throws(TuningError) -> SubjectTable {
    let variant = chooser.grid.locate(found.choice.cell).variant
    let single = try GridDefinition(
      detectors: [(definition: found.variant.detector, base: found.parameters)], axes: [])
    let sequences = try MeasuredData(variants: [unseen.variants[variant]])
    let grid = try single.grid(goal.stream, sequences)
    let cells = try await StreamSweep(grid, sequences).evaluate(0..<1, jobs: 1)
    return try SubjectTable(cells, allowsUngrouped: options.allowsUngrouped)
  }

  /// How often a resample of subjects chooses a cell of the recommended plateau.
  private func stability(
    _ chooser: Chooser, _ choice: Choice, _ subjects: Int
  ) throws(TuningError) -> Double? {
    guard options.resamples > 0, subjects >= 2, let plateau = choice.plateau else { return nil }
    let random = RandomStream(seed: options.seed, purpose: "tuning.resamples")
    let cells = Set(plateau.cells)
    var (same, defined) = (0, 0)
    for _ in 0..<options.resamples {
      let drawn = (0..<subjects).map { _ in random.index(below: subjects) }.sorted()
      guard let other = try? chooser.choose(drawn) else { continue }
      defined += 1
      if cells.contains(other.cell) { same += 1 }
    }
    return defined == 0 ? nil : Double(same) / Double(defined)
  }
}
