internal import ArgumentParser
internal import Evaluation
internal import Platform
internal import PoseModel
internal import Reports
internal import Tuning

struct Sweep: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Evaluate every configuration of an experiment and store the results.",
    discussion: """
      Plank and form each have their own grid of configurations. For every frame, each \
      configuration gives exactly the answer that the detector would give. Results are written to \
      a store. If a sweep is interrupted, continue it with --resume; the results will be the same. \
      `planklab runs` lists and exports the runs in a store.

      Examples:
        planklab sweep experiments/first-steps
        planklab sweep experiments/first-steps --axis sag=0:8cm:1mm --store fine.sqlite
        planklab sweep experiments/first-steps --resume
        planklab sweep experiments/first-steps --html sweep.html
      """)

  @OptionGroup var experiment: ExperimentOptions

  @OptionGroup var store: StoreOptions

  @Flag(help: "Continue this experiment's newest run in the store.")
  var resume = false

  @Option(help: ArgumentHelp("The number of best configurations to list.", valueName: "N"))
  var top = 10

  @OptionGroup var result: ResultOptions
  @OptionGroup var page: PageOptions

  func validate() throws { if top < 0 { throw ValidationError("--top \(top): give 0 or more") } }

  /// Several chunks per core, so that no core waits long for the last one.
  private static let chunksPerCore = 8

  mutating func takeDefaults() throws {
    try require(
      !experiment.experiment.isEmpty, .usage,
      "which experiment? give its folder or its experiment.yaml")
    try require(
      !experiment.isDataset, .usage,
      "\(experiment.experiment): is a dataset without an experiment; `planklab tune "
        + "\(ShellWord.quoted(experiment.experiment))` writes one")
    try experiment.defaults.read()
  }

  func outcome() async throws -> Outcome {
    try OutputFile.checkStore(store.store)
    try page.check(beside: [store.store, result.output])
    let progress = LongWork(["files", "sequences", "configurations"]).report
    let question = try Experiment(experiment)
    question.flags.defaults.say()
    let prepared = try await PreparedExperiment(question, progress: progress)
    do {
      try SubjectTable.checkSources(prepared.data)
    } catch {
      throw prepared.experiment.failure(error)
    }
    let grids = try prepared.grids()
    Terminal.say("sweeping \(try prepared.checkedStore(grids))")
    var sweeps: [StreamSweep] = []
    for grid in grids {
      sweeps.append(
        await StreamSweep(
          grid, prepared.swept[grid.stream], engine: prepared.options.engine,
          jobs: prepared.options.jobs))
    }
    let plan = try prepared.plan(
      of: try experiment.title(), sweeps.map { RunPlan.Stream($0) })
    let (reader, rankings, remark) = try await fill(plan, sweeps, prepared, progress)
    Interruption.say(
      "run \(reader.facts.id) is complete in \(store.store); "
        + Leftovers.again(
          CommandLine.arguments, with: "--resume", purpose: "to list its best configurations"))
    let summary = ResultEnvelope(
      try SweepSummary.make(reader, sweeps, rankings, prepared),
      on: prepared.datasets.identity,
      provenance: prepared.experiment.flags.provenance(seed: prepared.options.seed))
    let next = "planklab runs show \(reader.facts.id) --store \(ShellWord.quoted(store.store))"
    return try result.outcome(summary, remarks: [remark, "next: \(next)"] + page.write(summary))
  }

  private func fill(
    _ plan: RunPlan, _ sweeps: [StreamSweep], _ prepared: PreparedExperiment,
    _ progress: @escaping ProgressReport
  ) async throws -> (reader: RunReader, rankings: [SweepRanking], remark: String) {
    do {
      try plan.check()
      let database = try RunDatabase(writing: store.store)
      let writer =
        resume ? try database.resume(plan, at: Date()) : try database.begin(plan, at: Date())
      Interruption.say(
        "the finished part of run \(writer.id) is in \(store.store); "
          + Leftovers.again(CommandLine.arguments, with: "--resume", purpose: "to continue"))
      let reader = try database.run(writer.id)
      let total = sweeps.reduce(0) { $0 + $1.grid.cellCount }
      let counter = ProgressCounter(total: total, what: "configurations", report: progress)
      var rankings: [SweepRanking] = []
      var evaluated = 0
      for sweep in sweeps {
        let known = try ranked(reader, sweep, prepared)
        let ranking = try await fill(sweep, known, writer, prepared, counter)
        evaluated += ranking.cellCount - known.cellCount
        rankings.append(ranking)
      }
      try writer.finish(at: Date())
      return (reader: reader, rankings: rankings, remark: remark(writer, evaluated, prepared))
    } catch { throw prepared.experiment.failure(error) }
  }

  private func fill(
    _ sweep: StreamSweep, _ known: SweepRanking, _ writer: RunWriter,
    _ prepared: PreparedExperiment, _ counter: ProgressCounter
  ) async throws -> SweepRanking {
    let (stream, jobs) = (sweep.grid.stream, max(1, prepared.options.jobs))
    let cells = sweep.grid.cellCount
    let chunk = min(
      StreamSweep.cellsAtOnce(sweep.layout.stride),
      max(sweep.fewestCells, cells / (Self.chunksPerCore * jobs)))
    let missing = try writer.missing(stream, atMost: max(1, chunk))
    counter.add(cells - missing.reduce(0) { $0 + $1.count })
    var ranking = known
    try await ConcurrentMap.inOrder(missing.count, jobs: jobs) { index in
      let range = missing[index]
      let cells = try await sweep.evaluate(range, progress: counter.add)
      counter.add(range.count - cells.ids.count)
      return (stored: writer.encoded(stream, cells), judged: try known.judged(cells))
    } use: { chunk in
      try writer.write(chunk.stored, at: Date())
      try ranking.add(chunk.judged)
    }
    return ranking
  }

  private func remark(
    _ writer: RunWriter, _ evaluated: Int, _ prepared: PreparedExperiment
  ) -> String {
    let words =
      writer.opened > 1
      ? "continued" : resume ? "found nothing to continue and stored" : "stored"
    return "\(words) run \(writer.id) in \(store.store): "
      + "\(NumberText.count(evaluated, "configuration")) evaluated by the \(prepared.engineRemark)"
  }

  private func ranked(
    _ reader: RunReader, _ sweep: StreamSweep, _ prepared: PreparedExperiment
  ) throws -> SweepRanking {
    let goal = try SweepSummary.goal(sweep.grid.stream, prepared)
    var ranking = try SweepRanking(sweep.grid, sweep.layout, goal, count: top)
    var last: Int?
    while let cells = try reader.cells(sweep.grid.stream, after: last) {
      try ranking.add(cells)
      last = cells.ids.last
    }
    return ranking
  }
}

extension SweepSummary {
  static func make(
    _ reader: RunReader, _ sweeps: [StreamSweep], _ rankings: [SweepRanking],
    _ prepared: PreparedExperiment
  ) throws -> SweepSummary {
    do {
      let streams = try zip(sweeps, rankings).map { sweep, ranking in
        let views = try ranking.views { try reader.cells(sweep.grid.stream, ids: $0) }
        return SweepSummary.Stream(
          ranking, rejectedCount: sweep.grid.cellCount - ranking.cellCount, views: views)
      }
      return SweepSummary(
        run: reader.facts.id, question: prepared.experiment.question,
        frames: prepared.frameCount,
        configurationCount: try GridDefinition.pairCount(sweeps[0].grid, sweeps[1].grid),
        engine: prepared.engine, streams: streams)
    } catch { throw prepared.experiment.failure(error) }
  }

  static func goal(_ stream: AnswerStream, _ prepared: PreparedExperiment) throws -> TuningGoal {
    if let goal = prepared.experiment.goals.first(where: { $0.stream == stream }) { return goal }
    return try TuningGoal(MetricKey(.balancedAccuracy, in: stream))
  }
}
