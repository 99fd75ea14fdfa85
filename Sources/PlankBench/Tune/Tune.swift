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
          "\(prepared.identity.name): in every sequence under half of the scored frames are "
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
    guard let last = reports.last,
      let detector = grid.detectors.first(where: { $0.name == last.detector }),
      let smoothing = try? SmoothingChoice(text: last.smoothing)
    else { throw .noDetector }
    var streams: [StreamRecommendation] = []
    for report in reports { streams.append(try StreamRecommendation(report)) }
    return TunedDetector(
      thresholds: Thresholds(
        definition: detector.definition, parameters: last.parameters, smoothing: smoothing,
        debounce: detector.debounce),
      streams: streams)
  }

  private static func result(
    _ prepared: PreparedExperiment, _ found: TunedDetector, _ request: ExperimentRequest
  ) throws(WorkflowFailure) -> TuningResult {
    var notes: [String] = []
    if prepared.unlabeledCount > 0 {
      notes.append("\(prepared.unlabeledCount) sequences have no labels and are left out.")
    }
    if prepared.options.allowsUngrouped,
      prepared.data.sequences.contains(where: { $0.subject == nil })
    {
      notes.append(
        "Sequences without a subject stand for themselves: what is held out is a recording, not a "
          + "person, so the estimate for new people may be too good.")
    }
    return TuningResult(
      question: prepared.experiment.question,
      data: TuningResult.Data(
        identity: prepared.identity, sequences: prepared.data.sequences.count,
        frames: prepared.frameCount, noEvidence: prepared.noEvidence),
      parameters: found.thresholds.parameters.facts(), streams: found.streams,
      engine: prepared.engine, validation: prepared.options.validationText, notes: notes,
      provenance: Provenance.facts(request, seed: prepared.options.seed))
  }
}

/// What tuning found: a detector and the evidence a stream.
struct TunedDetector: Sendable {
  let thresholds: Thresholds
  var streams: [StreamRecommendation]
}

extension TuningOptions {
  /// How people are held out, in words.
  var validationText: String {
    let unit = allowsUngrouped ? "subject or ungrouped recording" : "subject"
    return switch validation {
    case nil: "none"
    case .leaveOneSubjectOut: "leave one \(unit) out"
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
    if let dataset = request.dataset { facts.append((key: "dataset_path", value: dataset)) }
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
    let grid = prepared.experiment.grid
    guard let last = found.streams.last,
      let detector = grid.detectors.first(where: { $0.name == last.detector }),
      let smoothing = grid.smoothings.first(where: { $0.name == last.smoothing })
    else { return }
    let settings: FixedSettings
    do {
      settings = try FixedSettings(detector.with(found.thresholds.parameters), smoothing)
    } catch {
      throw WorkflowFailure(.badData, "\(error)")
    }
    let test = StressTest(
      reader: try DatasetAccess.open(ExperimentFile.dataset(request, prepared.experiment)),
      split: prepared.experiment.split, seed: prepared.options.seed,
      engine: prepared.options.engine)
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

  let reader: DatasetReader
  let split: String?
  let seed: UInt64
  let engine: SweepEngine

  /// The objective of every goal under every condition.
  ///
  /// The draws depend on the seed, the condition and the sequence's name only.
  /// - Complexity: O(conditions x frames).
  func run(
    _ settings: FixedSettings, _ goals: [TuningGoal], progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> [[StreamRecommendation.Stressed]] {
    let entries = try DatasetAccess.failing { () throws(DatasetError) in
      try reader.sequences(split: split)
    }
    let measured = try await ConcurrentMap.run(
      entries.filter { $0.labelsPath != nil }, progress: progress
    ) { (entry) throws(WorkflowFailure) in
      try measure(try DatasetAccess.load(entry, from: reader), settings)
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
    _ sequence: DatasetSequence, _ settings: FixedSettings
  ) throws(WorkflowFailure) -> [MeasuredSequence] {
    var result: [MeasuredSequence] = []
    for (name, degradation) in Self.conditions {
      let stream = RandomStream(seed: seed, purpose: "tuning.stress.\(name)/\(sequence.name)")
      let worse = degradation.applied(to: sequence, stream)
      do {
        result.append(
          try settings.measure(
            TuningSequence(
              name: worse.name, subject: worse.subject, recording: worse.recording,
              truth: worse.truth(), startsMid: worse.startsMid)))
      } catch {
        throw WorkflowFailure(.badData, "\(error)")
      }
    }
    return result
  }
}
