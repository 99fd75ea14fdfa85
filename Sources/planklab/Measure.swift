internal import ArgumentParser
internal import Workflows

/// `planklab measure`.
struct Measure: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write measurements, raw labels and answers of every frame as CSV.",
    discussion: """
      One file a sequence: time, truth, every measurement with its unit in the header, the raw \
      labels, the steady answers and the frame's grade. Undefined values are empty. The files can \
      be scored again with `evaluate --predictions`. The folder `spectra` has the power spectral \
      densities of measurements on holds, the folder `allan` their Allan deviations; jitter is \
      printed.

      Example:
        planklab measure datasets/scripted --output measurements
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @OptionGroup var detector: DetectorOptions
  @OptionGroup var steadying: SteadyingOptions

  @Option(help: ArgumentHelp("Only the sequences of one split.", valueName: "NAME"))
  var split: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder to make.", valueName: "DIR"))
  var output: String

  func run() async throws {
    try await Terminal.run {
      let request = MeasureRequest(
        dataset: dataset, detector: detector.choice, steadying: steadying.choice, split: split,
        output: output)
      return try await MeasureDataset.run(request, progress: ProgressBar().report)
    }
  }
}
