internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseModel
internal import Reports
internal import Tuning

struct Tune: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find better thresholds, and advise whether to change yours.",
    discussion: """
      Evaluates the whole grid. Among the configurations that meet the constraints, it picks \
      values from the middle of the plateau (the configurations that are as good as the best) \
      rather than from the peak. A threshold that separates two classes is placed as close as \
      possible to halfway between them. The command then refines these values and repeats the \
      whole search, leaving out one person at a time. A change is recommended if the scores of \
      the people left out suggest a gain for new people, or if the starting values break a \
      constraint; otherwise the starting values stay. Even then, --take uses the values found if \
      they are expected to help new people.

      For a dataset without an experiment, the command first finds the parameters that matter \
      most and writes an experiment beside the dataset for next time.

      Examples:
        planklab tune my-data
        planklab tune experiments/sag-and-pike --thresholds thresholds.json
        planklab tune experiments/sag-and-pike --axis sag=0:8cm:2mm --picture surface.svg
        planklab tune experiments/sag-and-pike --from-store planklab-runs.sqlite
        planklab tune experiments/sag-and-pike --output tuning.html
        planklab evaluate my-data --parameters thresholds.json
      """)

  @OptionGroup var experiment: ExperimentOptions
  @OptionGroup var result: ResultOptions

  @Option(
    help: ArgumentHelp(
      "Write a file with the recommended thresholds, changed or kept, and their evidence.",
      discussion: "Pass the file to other commands with --parameters, to a gate, or to `planklab "
        + "export`.",
      valueName: "FILE.json"))
  var thresholds: String?

  @Option(
    help: ArgumentHelp(
      "Use the values found for this stream even if the advice is to keep yours; may be repeated.",
      discussion: "Values that are not expected to help new people are never used.",
      valueName: "plank|form"))
  var take: [AnswerStream] = []

  @Flag(help: "Print all the evidence instead of one screen.")
  var verbose = false

  @Option(
    help: ArgumentHelp(
      "Read the results of a complete sweep of the experiment instead of evaluating it again.",
      valueName: "STORE"))
  var fromStore: String?

  @Option(
    help: ArgumentHelp("Draw the objective along the axes as an SVG file.", valueName: "FILE.svg"),
    transform: PictureFile.path)
  var picture: String?

  @Option(
    name: .customLong("experiment"),
    help: ArgumentHelp(
      "Where to write the experiment for a dataset that has none (default: experiment.yaml beside the dataset).",
      valueName: "FILE.yaml"), completion: .file(extensions: ["yaml", "yml"]))
  var newExperiment: String?

  @OptionGroup var page: PageOptions

  mutating func takeDefaults() throws {
    var defaults = experiment.defaults
    try defaults.read()
    experiment.experiment = try defaults.dataset(experiment.experiment)
    experiment.defaults = defaults
  }

  func outcome() async throws -> Outcome {
    try checkOutputs()
    var question = try await Experiment(drafted())
    question.flags.defaults.say()
    for stream in take where !question.goals.contains(where: { $0.stream == stream }) {
      throw WorkflowFailure(
        .usage, "--take \(stream.rawValue): no objective is about \(stream.rawValue)")
    }
    question.options.takesFound = Set(take)
    for axis in question.untunedAxes {
      Terminal.say("\(axis.rawValue) is not tuned, because no objective depends on it")
    }
    let progress = LongWork(question.steps(fromStore: fromStore != nil)).report
    let prepared = try await PreparedExperiment(question, isStressed: true, progress: progress)
    try checkEvidence(prepared)
    Terminal.say("choosing from " + (try prepared.checkedTables()))
    Interruption.say(
      fromStore == nil
        ? "nothing was written; to keep results for --from-store, use `planklab sweep`; "
          + Leftovers.again(CommandLine.arguments) : nil)
    let cells = try fromStore.map { store in
      try prepared.cells(of: prepared.experiment.goals[0].stream, in: store, try experiment.title())
    }
    let found = try await tuned(prepared, cells, progress)
    Interruption.say(nil)
    let tuning = try tuning(prepared, found)
    var remarks = try written(found.thresholds, tuning, question)
    if let picture {
      try OutputFile.writeReport(tuning.picture, to: picture)
      remarks.append("wrote \(picture)")
    }
    remarks += tuning.result.streams.filter {
      take.contains($0.stream) && !$0.decision.usesFound && $0.decision.reason != .same
    }.map {
      "--take \($0.stream.rawValue): not taken, because new people are not expected to benefit from it"
    }
    remarks += try page.write(tuning)
    let isScreen = result.output == nil && !verbose
    return try result.outcome(
      tuning,
      text: isScreen
        ? tuning.document.screen(closing: tuning.result.closing) : nil, remarks: remarks)
  }

  /// Tuning reads the written file, so that running it again gives the same result.
  private func drafted() async throws -> ExperimentOptions {
    guard try newExperiment != nil || (experiment.isDataset && fromStore == nil) else {
      return experiment
    }
    let file = try newExperiment ?? experiment.file
    try require(
      experiment.datasets.isEmpty, .usage,
      "--dataset replaces the dataset of an experiment, but \(experiment.experiment) is itself a "
        + "dataset; list further datasets in an experiment")
    try require(
      !OutputFile.exists(file), .cannotCreate,
      "\(file): exists; run it with `planklab tune \(ShellWord.quoted(file))`, or name another file"
    )
    var flags = experiment
    flags.datasets = [experiment.experiment]
    let draft = try await ExperimentDraft(flags, for: file)
    var written = experiment
    if newExperiment != nil { written.experiment = file }
    let command = ShellWord.planklab(["tune", written.experiment] + experiment.undrafted)
    try OutputFile.write(draft.text(command: command), to: file)
    let keys = draft.axes.map { "`\($0.definition.key.rawValue)`" }.joined(separator: ", ")
    Terminal.say(
      "wrote \(file): axes \(keys); to change the axes, edit the file and run \(command)")
    return written
  }

  private func written(
    _ found: Thresholds, _ tuning: ResultEnvelope<TuningResult>, _ question: Experiment
  ) throws -> [String] {
    guard let thresholds else {
      return ["no thresholds were written; for apps and gates, give --thresholds FILE.json"]
    }
    var evidence = tuning
    evidence.result = tuning.result.withoutViews
    return try ThresholdsFile(thresholds: found, evidence: evidence).write(
      to: thresholds, holding: tuning.result.whatIsWritten, data: question.commands.data)
  }

  private func checkOutputs() throws {
    if let output = result.output, try ThresholdsFile.isThere(output) {
      throw WorkflowFailure(
        .usage,
        "\(output): is a thresholds file, but --output writes the result of tuning; to write "
          + "thresholds, give --thresholds \(ShellWord.quoted(output))")
    }
    let outputs = [result.output, thresholds, picture].compactMap(\.self)
    try OutputFile.checkDistinct(outputs)
    for output in outputs {
      try OutputFile.checkReport(output, mayReplaceThresholds: output == thresholds)
    }
    try page.check(beside: outputs)
  }

  private func checkEvidence(_ prepared: PreparedExperiment) throws {
    for goal in prepared.experiment.goals {
      try checkClasses(of: goal, prepared)
      let without = prepared.noEvidence[goal.stream].count
      try require(
        without < prepared.data.sequences.count || without == 0, .badData,
        "\(prepared.dataName): in every sequence, fewer than half of the scored frames are "
          + "determined for \(goal.stream.rawValue), which is too little evidence for any threshold; "
          + "`planklab measure` shows what is missing")
    }
  }

  private func checkClasses(of goal: TuningGoal, _ prepared: PreparedExperiment) throws {
    let classes = prepared.trueClasses(goal.stream)
    let places = prepared.experiment.places
    let name = goal.stream.rawValue
    let only = try require(
      classes.first, .badData,
      places.message(
        ["objective"],
        "\(prepared.dataName): no frame has a \(name) label; label the recordings, or remove "
          + "`\(goal.objective)` from `objective`"))
    try require(
      classes.count > 1 || !goal.objective.countsClasses, .badData,
      places.message(
        ["objective"],
        "\(prepared.dataName): all scored frames of the \(name) stream are labeled `\(only)`, so "
          + "the best detector would always answer `\(only)`; add recordings of other classes, or "
          + "remove `\(goal.objective)` from `objective`"))
  }

  private func tuned(
    _ prepared: PreparedExperiment, _ cells: CellTable?, _ progress: @escaping ProgressReport
  ) async throws -> TunedDetector {
    var found: TunedDetector
    do {
      found = try await recommend(prepared, cells, progress)
    } catch {
      throw prepared.experiment.failure(error)
    }
    let rows = try await StressTest(prepared: prepared).run(found, progress: progress)
    for (index, stress) in rows.enumerated() { found.streams[index].worseFrames = stress }
    return found
  }

  private func recommend(
    _ prepared: PreparedExperiment, _ cells: CellTable?, _ progress: @escaping ProgressReport
  ) async throws -> TunedDetector {
    let goals = prepared.experiment.goals
    let grid = prepared.experiment.grid
    var reports: [TuningReport] = []
    if goals.count == 2 {
      let pair = try await PairTuner(grid, prepared.data, prepared.options)
        .tune(first: goals[0], second: goals[1], cells: cells, progress: progress)
      reports = [pair.first, pair.second]
    } else {
      reports = [
        try await StreamTuner(grid, prepared.data, goals[0], prepared.options)
          .tune(cells: cells, progress: progress)
      ]
    }
    guard let last = reports.last else { throw TuningError.noDetector }
    let streams = try reports.map { try StreamRecommendation($0) }
    let settled = last.settled
    return TunedDetector(
      thresholds: Thresholds(
        definition: prepared.experiment.detectors.first { $0.name == settled.name }
          ?? settled.definition, parameters: settled.base,
        smoothing: last.settledSmoothing, debounce: settled.debounce),
      detector: settled, streams: streams)
  }

  private func tuning(
    _ prepared: PreparedExperiment, _ found: TunedDetector
  ) throws -> ResultEnvelope<TuningResult> {
    var notes: [String] = []
    let unlabeled = prepared.datasets.unlabeledCount
    if unlabeled > 0 {
      notes.append(
        "Left out because they have no labels: \(NumberText.count(unlabeled, "sequence")).")
    }
    if let refused = prepared.refusedCount, refused > 0 {
      notes.append(
        "Form is tuned without \(NumberText.count(refused, "recording")) in which nobody holds a calm "
          + "plank; `planklab evaluate --calibrate` says why.")
    }
    if prepared.datasets.hasSources {
      notes.append("Each metric is the mean of its values for the sources.")
    }
    let result = TuningResult(
      question: prepared.experiment.question, sequences: prepared.data.sequences.count,
      frames: prepared.frameCount, noEvidence: prepared.noEvidence,
      parameters: found.thresholds.parameters.facts(), streams: found.streams,
      engine: prepared.engine,
      validation: prepared.options.validationText(subjects: prepared.subjectCount), notes: notes,
      commands: prepared.experiment.commands)
    return ResultEnvelope(
      result, on: prepared.datasets.identity,
      provenance: prepared.experiment.flags.provenance(seed: prepared.options.seed))
  }
}

extension TuningResult {
  fileprivate var whatIsWritten: String {
    let found = streams.filter(\.decision.usesFound).map(\.stream.rawValue)
    if streams.contains(where: \.decision.isTaken) {
      return "the best values found for \(found.joined(separator: " and ")), on request (--take)"
    }
    guard !found.isEmpty else { return "the starting values" }
    return found.count == streams.count
      ? "the changed values" : "the changed values for \(found.joined(separator: " and "))"
  }
}

struct TunedDetector: Sendable {
  let thresholds: Thresholds
  let detector: DetectorVariant
  var streams: [StreamRecommendation]
}

extension TuningOptions {
  func validationText(subjects: Int) -> String {
    let unit = allowsUngrouped ? "subject-or-recording" : "subject"
    guard subjects > 1 || validation != .automatic else {
      return "none, because there are too few people"
    }
    return switch validation?.settled(subjects: subjects) {
    case nil: "none"
    case .leaveOneSourceOut: "leave-one-source-out"
    case .leaveOneSubjectOut, .automatic: "leave-one-\(unit)-out"
    case .subjectFolds(let count): "\(count) folds by \(unit)"
    }
  }
}
