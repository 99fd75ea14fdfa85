internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

/// `planklab evaluate`.
struct Evaluate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run a detector over a labeled dataset and score its answers.",
    discussion: """
      Prints confusion matrices, metrics, flicker, latencies, jitter on holds, timing, and the ten \
      worst moments with the threshold that was nearest.

      Examples:
        planklab evaluate datasets/scripted
        planklab evaluate my-data --detector article --set sag=3cm --set pike=12cm
        planklab evaluate my-data --smoothing ema:cutoff=1.5Hz --debounce dwell:enter=0.3s
        planklab evaluate my-data --split test --format json --output result.json
        planklab evaluate my-data --predictions answers/   # score another detector
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @OptionGroup var detector: DetectorOptions
  @OptionGroup var steadying: SteadyingOptions
  @OptionGroup var result: ResultOptions

  @Option(help: ArgumentHelp("Only the sequences of one split.", valueName: "NAME"))
  var split: String?

  @Option(
    help: ArgumentHelp(
      "Score the answers in a folder instead of a detector's.",
      discussion: "One NAME.csv a sequence with columns t, plank and form; a row a frame.",
      valueName: "DIR"))
  var predictions: String?

  @Flag(
    help: ArgumentHelp(
      "Show every number: events by collar, fragments and mergers, dwells, spectra.",
      discussion:
        "In JSON as `temporal.plank.details` and `temporal.form.details`; spectra take some ten times as long as scoring."
    ))
  var verbose = false

  func run() async throws {
    try await Terminal.run {
      let request = EvaluateRequest(
        dataset: dataset, detector: detector.choice, steadying: steadying.choice, split: split,
        predictions: predictions, isVerbose: verbose, format: result.format,
        usesColor: result.usesColor)
      let bar = ProgressBar()
      return try result.deliver(await EvaluateDataset.run(request, progress: bar.report))
    }
  }
}

/// What `evaluate` is asked for.
struct EvaluateRequest: Sendable {
  /// The dataset's folder or manifest.
  var dataset: String
  /// The detector and its parameters.
  var detector: DetectorChoice
  /// Smoothing and debounce.
  var steadying: SteadyingChoice
  /// The split to evaluate; nil for all sequences.
  var split: String?
  /// A folder with answers to score instead of the detector's.
  var predictions: String?
  /// The face of the result.
  var format: OutputFormat
  /// Whether every number is shown, rather than the few that matter.
  var isVerbose: Bool
  /// Whether text may be colored.
  var usesColor: Bool

  /// Makes a request.
  init(
    dataset: String, detector: DetectorChoice = DetectorChoice(),
    steadying: SteadyingChoice = SteadyingChoice(), split: String? = nil,
    predictions: String? = nil, isVerbose: Bool = false, format: OutputFormat = .text,
    usesColor: Bool = false
  ) {
    self.dataset = dataset
    self.detector = detector
    self.steadying = steadying
    self.split = split
    self.predictions = predictions
    self.isVerbose = isVerbose
    self.format = format
    self.usesColor = usesColor
  }
}

/// Runs a detector over a labeled dataset and scores its answers.
enum EvaluateDataset {
  /// Evaluates and renders.
  static func run(
    _ request: EvaluateRequest, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> Outcome {
    let (report, _, remarks) = try await evaluate(request, progress: progress)
    return Outcome(
      request.format, usesColor: request.usesColor, remarks: remarks, json: report.json,
      document: report.document)
  }

  /// Evaluates, and keeps what each sequence left behind.
  ///
  /// Sequences run concurrently and are pooled in the order of the manifest, so that the result
  /// does not depend on the number of threads. Only one recording a thread is in memory.
  ///
  /// - Returns: the report, what the sequences left, and remarks that are no part of the result.
  static func evaluate(
    _ request: EvaluateRequest, progress: @escaping ProgressReport, intervals: Bool = true
  ) async throws(WorkflowFailure)
    -> (report: EvaluationReport, runs: [SequenceRun], remarks: [String])
  {
    let steady = try request.detector.resolve(request.steadying)
    let definition = steady.detector.definition
    let reader = try DatasetAccess.open(request.dataset)
    let entries = try DatasetAccess.failing { () throws(DatasetError) in
      try reader.sequences(split: request.split)
    }
    let predictions = try request.predictions.map(PredictionsFolder.init(existing:))
    if predictions != nil, request.steadying.isGiven {
      throw WorkflowFailure(
        .usage,
        "--predictions: answers that are read are not smoothed or debounced; leave "
          + "--smoothing and --debounce out")
    }
    if predictions != nil,
      request.detector.thresholds != nil || !request.detector.assignments.isEmpty
    {
      throw WorkflowFailure(
        .usage,
        "--predictions: answers that are read do not follow parameters; leave --set and "
          + "--parameters out")
    }
    let warning = try predictions.flatMap { folder throws(WorkflowFailure) in
      try folder.check(scored: entries.map(\.name), all: reader.manifest.sequences.map(\.name))
    }
    let evaluator = SequenceEvaluator(
      reader: reader, steady: steady, predictions: predictions,
      detail: request.isVerbose ? .spectra : .steps)
    let runs = try await ConcurrentMap.run(entries, progress: progress) {
      (entry) throws(WorkflowFailure) in try evaluator.run(entry)
    }
    let identity = try DatasetAccess.failing { () throws(DatasetError) in
      try DatasetIdentities.identity(of: reader, split: request.split)
    }
    let facts = predictions.map(DetectorFacts.init(predictions:))
    var report = assemble(
      runs, identity, facts ?? DetectorFacts(steady),
      notes: notes(reader, entries, definition) + FormEvidence.notes(runs.map(\.form))
        + [steady.caution].compactMap(\.self), request, steady)
    if intervals { report.addIntervals(runs.map(\.evaluation.scores)) }
    return (report, runs, [warning].compactMap(\.self))
  }

  private static func assemble(
    _ runs: [SequenceRun], _ identity: Evaluation.DatasetIdentity, _ detector: DetectorFacts,
    notes: [String], _ request: EvaluateRequest, _ steady: SteadyDetector
  ) -> EvaluationReport {
    var clock = StageClock()
    var jitter = JitterStatistics()
    var device: AnswerComparison?
    for run in runs {
      clock += run.clock
      jitter += run.jitter
      if let part = run.device {
        var sum = device ?? AnswerComparison()
        sum += part
        device = sum
      }
    }
    var report = EvaluationReport(
      dataset: identity, detector: detector, sequences: runs.map(\.evaluation), jitter: jitter,
      timing: TimingSummary(clock), deviceComparison: device,
      provenance: Provenance.facts(request, steady), notes: notes)
    report.isVerbose = request.isVerbose
    report.annotatorAgreement = runs.compactMap(\.agreement).reduce(nil) { sum, part in
      guard var sum else { return part }
      sum += part
      return sum
    }
    let thresholds = runs.reduce(into: [:]) { all, run in
      all.merge(run.thresholds) { first, _ in first }
    }
    report.plank.worstMoments = report.plank.worstMoments.map { $0.with(thresholds) }
    report.form.worstMoments = report.form.worstMoments.map { $0.with(thresholds) }
    return report
  }

  private static func notes(
    _ reader: DatasetReader, _ entries: [SequenceEntry], _ definition: DetectorDefinition
  ) -> [String] {
    var notes: [String] = []
    if definition.measurements.members.contains(where: { $0.unit == .bodyHeights }) {
      notes.append(
        "Lengths over the body height differ from lengths in meters only where heights were "
          + "measured; with reference heights `scaled` equals `gravity`.")
    }
    let unlabeled = entries.filter { $0.labelsPath == nil }.count
    if unlabeled > 0 { notes.append("\(unlabeled) sequences have no labels and are not scored.") }
    if let description = reader.manifest.description { notes.append("Dataset: " + description) }
    return notes
  }
}

extension EvaluationReport {
  /// Puts in the intervals of headline metrics.
  fileprivate mutating func addIntervals(_ scores: [SequenceScores]) {
    plank.uncertainty = StreamUncertainty(scores, .plank, MetricKey.headlines(.plank))
    form.uncertainty = StreamUncertainty(scores, .form, MetricKey.headlines(.form))
  }
}

extension WorstMoment {
  /// The moment with its nearest threshold, where one was found.
  fileprivate func with(_ thresholds: [MomentKey: NearestThreshold]) -> WorstMoment {
    var result = self
    result.nearestThreshold = thresholds[MomentKey(self)]
    return result
  }
}

extension TimingSummary {
  /// The sums of a clock.
  fileprivate init(_ clock: StageClock) {
    let stages = zip(StageClock.names, clock.seconds).map { name, seconds in
      Stage(name: name, duration: Seconds(seconds))
    }
    self.init(
      stages: stages, frames: clock.frames,
      frameCost: FrameCost(secondsPerFrame: clock.secondsPerFrame))
  }
}

extension DetectorFacts {
  /// The facts of a detector with its parameters.
  init(_ definition: DetectorDefinition, _ parameters: ParameterValues) {
    self.init(
      name: definition.name, description: definition.summary,
      plankRules: definition.plank.sentences, formRules: definition.form.sentences,
      parameters: parameters.entries.map { definition, value in
        Parameter(key: definition.key.rawValue, value: value, unit: definition.unit.rawValue)
      })
  }

  /// The facts of a detector with its parameters and strategies.
  fileprivate init(_ steady: SteadyDetector) {
    self.init(steady.detector.definition, steady.detector.parameters)
    if !steady.isUnsmoothed { description += ", smoothed by " + steady.smoothingText }
    if steady.detector.debounce != .parameters {
      description += ", debounced by " + steady.debounceText
    }
  }

  /// The facts of a folder of answers.
  fileprivate init(predictions: PredictionsFolder) {
    self.init(
      name: "predictions", description: "answers read from " + predictions.path)
  }
}

/// How a result came to be, without anything that differs between equal runs.
enum Provenance {
  /// The program's version.
  static let version = "0.1.0"

  /// The facts of an evaluation.
  static func facts(
    _ request: EvaluateRequest, _ steady: SteadyDetector
  ) -> [EvaluationReport.Provenance] {
    var facts = [
      EvaluationReport.Provenance(key: "program", value: "planklab " + version),
      EvaluationReport.Provenance(key: "command", value: "evaluate"),
      EvaluationReport.Provenance(key: "dataset_path", value: request.dataset),
      EvaluationReport.Provenance(key: "detector", value: request.detector.name),
    ]
    if !request.detector.assignments.isEmpty {
      facts.append(
        .init(key: "set", value: request.detector.assignments.joined(separator: " ")))
    }
    if let thresholds = request.detector.thresholds {
      facts.append(.init(key: "parameters", value: thresholds))
    }
    if request.predictions == nil {
      facts.append(.init(key: "smoothing", value: steady.smoothingText))
      facts.append(.init(key: "debounce", value: steady.debounceText))
    }
    if let predictions = request.predictions {
      facts.append(.init(key: "predictions", value: predictions))
    }
    return facts
  }
}
