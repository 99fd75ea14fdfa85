internal import ArgumentParser
internal import Evaluation
internal import PoseModel

/// `planklab evaluate`.
struct Evaluate: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run a detector over a labeled dataset and score its answers.",
    discussion: """
      Prints confusion matrices, metrics, flicker, latencies, jitter on holds, timing, and the ten \
      worst moments with the threshold that was nearest.

      Examples:
        planklab evaluate datasets/scripted
        planklab evaluate my-data --detector article --set sag=3cm --set pike=12cm
        planklab evaluate my-data --smoothing ema:cutoff=1.5Hz --debounce dwell:enter=0.3s
        planklab evaluate my-data datasets/studio/generated --detector coach
        planklab evaluate my-data --split test --format json --output result.json
        planklab evaluate my-data --predictions answers/   # score another detector
      """)

  @OptionGroup var data: DatasetOptions
  @OptionGroup var detector: DetectorOptions
  @OptionGroup var strategies: StrategyOptions
  @OptionGroup var result: ResultOptions

  @Option(
    help: ArgumentHelp(
      "Score the answers in a folder instead of a detector's.",
      discussion: "One NAME.csv per sequence with columns t, plank and form; one row per frame.",
      valueName: "DIR"))
  var predictions: String?

  @Flag(
    help: ArgumentHelp(
      "Show every number: events by collar, fragments and mergers, dwells, spectra.",
      discussion:
        "In JSON as `temporal.plank.details` and `temporal.form.details`; spectra take some ten times as long as scoring."
    ))
  var verbose = false

  func outcome() async throws(WorkflowFailure) -> Outcome {
    let bench = try detector.found(strategies)
    try checkPredictions()
    let evaluation = try await DatasetEvaluation(
      of: data.collection(), detector: bench, predictions: predictions,
      detail: verbose ? .spectra : .steps, progress: ProgressBar().report)
    var report = evaluation.report
    let scores = evaluation.runs.map(\.evaluation.scores)
    report.plank.uncertainty = StreamUncertainty(scores, .plank, MetricKey.headlines(.plank))
    report.form.uncertainty = StreamUncertainty(scores, .form, MetricKey.headlines(.form))
    report.isVerbose = verbose
    report.provenance = provenance(report.provenance)
    return try result.outcome(
      remarks: evaluation.remarks, json: report.json, document: report.document)
  }

  /// Refuses options that answers in a folder do not follow.
  private func checkPredictions() throws(WorkflowFailure) {
    guard predictions != nil else { return }
    guard !strategies.isGiven else {
      throw WorkflowFailure(
        .usage,
        "--predictions: answers that are read are not smoothed or debounced; leave "
          + "--smoothing and --debounce out")
    }
    guard detector.parameters == nil, detector.assignments.isEmpty else {
      throw WorkflowFailure(
        .usage,
        "--predictions: answers that are read do not follow parameters; leave --set and "
          + "--parameters out")
    }
  }

  /// How the result came to be, without anything that differs between equal runs.
  private func provenance(
    _ strategies: [EvaluationReport.Provenance]
  ) -> [EvaluationReport.Provenance] {
    let facts: [(key: String, value: String?)] = [
      ("program", "planklab " + Provenance.version), ("command", "evaluate"),
      ("dataset_path", data.datasets.joined(separator: " ")),
      ("source_tag", data.sources.sourceTag), ("detector", detector.name),
      ("set", detector.assignments.isEmpty ? nil : detector.assignments.joined(separator: " ")),
      ("parameters", detector.parameters), ("predictions", predictions),
    ]
    return facts.compactMap { key, value in
      value.map { EvaluationReport.Provenance(key: key, value: $0) }
    } + strategies
  }
}
