internal import ArgumentParser
internal import Evaluation
internal import ParameterTuning
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Statistics

/// `planklab tune`.
struct Tune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Recommend parameters for an experiment, with the evidence.",
    discussion: """
      Sweeps the whole grid, keeps the constraints, takes the center of the plateau instead of \
      the peak, tries exact values inside it, and repeats all of this without each person in turn \
      to tell how good the choice is for people it has not seen.

      Examples:
        planklab tune experiments/sag-and-pike --output thresholds.json
        planklab tune experiments/sag-and-pike --axis sag=0:8cm:2mm --picture surface.svg
        planklab evaluate my-data --parameters thresholds.json
      """)

  @OptionGroup var experiment: ExperimentOptions
  @Option(help: "How the report is printed: text, json or markdown.")
  var format: OutputFormat = .text

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the recommendation with its evidence.", valueName: "FILE.json"))
  var output: String?

  @Option(help: ArgumentHelp("Draw the objective along the axes.", valueName: "FILE.svg"))
  var picture: String?

  func run() async throws {
    try await Terminal.run {
      try await TuneExperiment.run(
        TuneExperiment.Request(
          experiment: experiment.request, output: output, picture: picture, format: format,
          usesColor: Terminal.usesColor),
        progress: ProgressBar().report, say: Terminal.say)
    }
  }
}

/// Recommends parameters for a question, with the evidence.
enum TuneExperiment {
  /// What `tune` is asked for.
  struct Request: Sendable {
    /// The experiment.
    var experiment: ExperimentRequest
    /// Where the recommendation goes; nil for nowhere.
    var output: String?
    /// Where a picture of the objective goes; nil for nowhere.
    var picture: String?
    /// The face of the report.
    var format: OutputFormat
    /// Whether text may be colored.
    var usesColor: Bool

    /// Makes a request.
    init(
      experiment: ExperimentRequest, output: String? = nil, picture: String? = nil,
      format: OutputFormat = .text, usesColor: Bool = false
    ) {
      self.experiment = experiment
      self.output = output
      self.picture = picture
      self.format = format
      self.usesColor = usesColor
    }
  }

  /// Sweeps, chooses, validates, refines, and reports.
  ///
  /// - Parameter say: takes what must be said before the work starts.
  static func run(
    _ request: Request, progress: @escaping ProgressReport, say: (String) -> Void
  ) async throws(WorkflowFailure) -> Outcome {
    let outputs = [request.output, request.picture].compactMap(\.self)
    try OutputFile.checkDistinct(outputs)
    for output in outputs { try OutputFile.checkReport(output) }
    let prepared = try await PreparedExperiment.load(request.experiment, progress: progress)
    try checkEvidence(prepared)
    say("choosing from " + (try prepared.checkedTables()))
    var found = try await tune(prepared, progress)
    try await stress(&found, prepared, request.experiment, progress)
    let result = try result(prepared, found, request.experiment)
    var remarks: [String] = []
    if let output = request.output {
      try OutputFile.writeReport(ThresholdsFile.text(found, result), to: output)
      remarks.append("wrote \(output)")
      remarks.append("next: planklab evaluate DATASET --parameters \(ShellWord.quoted(output))")
    }
    if let picture = request.picture {
      try OutputFile.writeReport(TuningFigure(result).svg(), to: picture)
      remarks.append("wrote \(picture)")
    }
    return Outcome(
      request.format, usesColor: request.usesColor, remarks: remarks, json: result.json,
      document: result.document)
  }

  /// Refuses data in which no detector of the experiment says anything.
  private static func checkEvidence(_ prepared: PreparedExperiment) throws(WorkflowFailure) {
    for goal in prepared.experiment.goals {
      let without = prepared.noEvidence[goal.stream]?.count ?? 0
      guard without < prepared.data.sequences.count || without == 0 else {
        throw WorkflowFailure(
          .badData,
          "\(prepared.dataName): in every sequence under half of the scored frames are "
            + "determined for \(goal.stream.rawValue), which is no evidence for any threshold; "
            + "`planklab measure` shows what is missing")
      }
    }
  }

  private static func tune(
    _ prepared: PreparedExperiment, _ progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> TunedDetector {
    do {
      return try await recommend(prepared, progress)
    } catch {
      throw prepared.failure(error)
    }
  }

  private static func recommend(
    _ prepared: PreparedExperiment, _ progress: @escaping ProgressReport
  ) async throws(TuningError) -> TunedDetector {
    let goals = prepared.experiment.goals
    let grid = prepared.experiment.grid
    var reports: [TuningReport] = []
    if goals.count == 2 {
      let pair = try await PairTuner(grid, prepared.data, prepared.options)
        .tune(first: goals[0], second: goals[1], progress: progress)
      reports = [pair.first, pair.second]
    } else {
      reports = [
        try await StreamTuner(grid, prepared.data, goals[0], prepared.options)
          .tune(progress: progress)
      ]
    }
    guard let last = reports.last else { throw .noDetector }
    var streams: [StreamRecommendation] = []
    for report in reports { streams.append(try StreamRecommendation(report)) }
    return TunedDetector(
      thresholds: Thresholds(
        definition: last.detector.definition, parameters: last.parameters,
        smoothing: last.smoothing, debounce: last.detector.debounce),
      detector: last.detector.with(last.parameters), streams: streams)
  }

  private static func result(
    _ prepared: PreparedExperiment, _ found: TunedDetector, _ request: ExperimentRequest
  ) throws(WorkflowFailure) -> TuningResult {
    var notes: [String] = []
    let unlabeled = prepared.datasets.unlabeledCount
    if unlabeled > 0 {
      notes.append("\(unlabeled) sequences have no labels and are left out.")
    }
    if prepared.identities.count > 1 || prepared.datasets.sourceTag != nil {
      notes.append("Every metric is the mean over sources of its value in each.")
    }
    return TuningResult(
      question: prepared.experiment.question,
      data: TuningResult.Data(
        identities: prepared.identities, sequences: prepared.data.sequences.count,
        frames: prepared.frameCount, noEvidence: prepared.noEvidence),
      parameters: found.thresholds.parameters.facts(), streams: found.streams,
      engine: prepared.engine,
      validation: prepared.options.validationText(subjects: prepared.subjectCount), notes: notes,
      provenance: Provenance.facts(request, seed: prepared.options.seed))
  }
}

/// What tuning found: a detector and the evidence a stream.
struct TunedDetector: Sendable {
  let thresholds: Thresholds
  /// The detector with the recommended parameters.
  let detector: DetectorVariant
  var streams: [StreamRecommendation]
}

extension TuningOptions {
  /// What is held out, in words.
  func validationText(subjects: Int) -> String {
    let unit = allowsUngrouped ? "subject or ungrouped recording" : "subject"
    return switch validation?.settled(subjects: subjects) {
    case nil: "none"
    case .leaveOneSourceOut: "leave one source out"
    case .leaveOneSubjectOut, .automatic: "leave one \(unit) out"
    case .subjectFolds(let count): "\(count) folds by \(unit)"
    }
  }
}

extension Provenance {
  /// The facts of a sweep or a choice.
  static func facts(
    _ request: ExperimentRequest, seed: UInt64
  ) -> [(key: String, value: String)] {
    var facts = [
      (key: "program", value: "planklab " + version), (key: "experiment", value: request.file),
      (key: "seed", value: "\(seed)"),
    ]
    if !request.datasets.isEmpty {
      facts.append((key: "dataset_path", value: request.datasets.joined(separator: " ")))
    }
    if !request.axes.isEmpty {
      facts.append((key: "axis", value: request.axes.joined(separator: " ")))
    }
    if !request.smoothings.isEmpty {
      facts.append((key: "smoothing", value: request.smoothings.joined(separator: " ")))
    }
    if !request.debounces.isEmpty {
      facts.append((key: "debounce", value: request.debounces.joined(separator: " ")))
    }
    if !request.assignments.isEmpty {
      facts.append((key: "set", value: request.assignments.joined(separator: " ")))
    }
    return facts
  }
}

extension TuneExperiment {
  /// Scores what was found on worse frames.
  static func stress(
    _ found: inout TunedDetector, _ prepared: PreparedExperiment, _ request: ExperimentRequest,
    _ progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) {
    let settings: FixedSettings
    do {
      settings = try FixedSettings(found.detector, found.thresholds.smoothing)
    } catch {
      throw WorkflowFailure(.badData, "\(error)")
    }
    let test = StressTest(
      datasets: prepared.datasets, seed: prepared.options.seed, engine: prepared.options.engine)
    let rows = try await test.run(settings, prepared.experiment.goals, progress: progress)
    for (index, stress) in rows.enumerated() { found.streams[index].stress = stress }
  }
}

/// Scores what was recommended on the same recordings with their frames made worse.
struct StressTest: Sendable {
  /// What is done to the frames, and how it is called.
  private static let conditions: [(name: String, degradation: FrameDegradation)] = [
    (name: "white noise as large again", degradation: .noisier),
    (name: "5 % of the frames dropped", degradation: .dropped(0.05)),
    (name: "10 % of the frames dropped", degradation: .dropped(0.1)),
    (name: "15 frames a second", degradation: .atMost(Hertz(15))),
  ]

  let datasets: ExperimentData
  let seed: UInt64
  let engine: SweepEngine

  /// The objective of every goal under every condition.
  ///
  /// The draws depend on the seed, the condition and the sequence's name only.
  /// - Complexity: O(conditions x frames).
  func run(
    _ settings: FixedSettings, _ goals: [TuningGoal], progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> [[StreamRecommendation.Stressed]] {
    let measured = try await ConcurrentMap.run(datasets.labeled, progress: progress) {
      (entry) throws(WorkflowFailure) in
      try measure(entry, settings)
    }
    var results: [[StreamRecommendation.Stressed]] = []
    do {
      for goal in goals {
        var rows: [StreamRecommendation.Stressed] = []
        for (index, condition) in Self.conditions.enumerated() {
          let value = try await settings.value(
            goal.objective, over: measured.map { $0[index] }, engine: engine)
          rows.append(StreamRecommendation.Stressed(condition: condition.name, objective: value))
        }
        results.append(rows)
      }
    } catch {
      throw WorkflowFailure(.badData, "\(error)")
    }
    return results
  }

  private func measure(
    _ entry: ExperimentData.Entry, _ settings: FixedSettings
  ) throws(WorkflowFailure) -> [MeasuredSequence] {
    let sequence = try datasets.load(entry)
    var result: [MeasuredSequence] = []
    for (name, degradation) in Self.conditions {
      let stream = RandomStream(seed: seed, purpose: "tuning.stress.\(name)/\(sequence.name)")
      let worse = degradation.applied(to: sequence, stream)
      let tuning = try datasets.tuning(worse, entry)
      do {
        result.append(try settings.measure(tuning))
      } catch {
        throw WorkflowFailure(.badData, "\(error)")
      }
    }
    return result
  }
}
