internal import ArgumentParser
internal import Workflows

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
