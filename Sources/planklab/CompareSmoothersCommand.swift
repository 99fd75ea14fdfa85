internal import ArgumentParser
internal import Workflows

extension Smoothers {
  /// `planklab smoothers compare`.
  struct Compare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Compare every causal smoother on a dataset: jitter against lag.",
      discussion: """
        Each filter runs over its range of parameters. Jitter is measured on holds, lag where planks \
        begin, end and change; a search finds continuous parameters of least jitter plus lag; the \
        calmest within 100 ms are tried at half the frame rate, with dropped frames and with a \
        jittered clock. Filters that look ahead bound what could be had and are never recommended.

        Examples:
          planklab smoothers compare datasets/scripted
          planklab smoothers compare my-data --output smoothers-report
          planklab smoothers compare my-data --candidate median:frames=5+one-euro:beta=2
        """)

    @Argument(help: "The dataset's folder, or its dataset.yaml.")
    var dataset: String

    @OptionGroup var detector: DetectorOptions

    @Option(help: ArgumentHelp("Only the sequences of one split.", valueName: "NAME"))
    var split: String?

    @Flag(help: "Smooth measurements rather than joints.")
    var onMeasurements = false

    @Option(
      name: .customLong("candidate"),
      help: ArgumentHelp("Place a further strategy; may be repeated.", valueName: "STRATEGY"))
    var candidates: [String] = []

    @Option(
      help: ArgumentHelp(
        "What a second of lag costs, in shares of the raw jitter (3).", valueName: "NUMBER"))
    var lagCost = 3.0

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "Make a folder with report, page, figures and result.json.", valueName: "DIR"))
    var output: String?

    @Flag(help: "List every smoother in text, not the best ones only.")
    var verbose = false

    @Option(help: "text, json or markdown.")
    var format: OutputFormat = .text

    func validate() throws {
      guard lagCost.isFinite, lagCost >= 0 else {
        throw ValidationError("--lag-cost: \(lagCost) is no cost; give a number from 0 on")
      }
    }

    func run() async throws {
      try await Terminal.run {
        let request = CompareSmoothersRequest(
          dataset: dataset, detector: detector.choice, split: split,
          onMeasurements: onMeasurements, candidates: candidates, lagCost: lagCost,
          output: output, isVerbose: verbose, format: format, usesColor: Terminal.usesColor)
        return try await CompareSmoothers.run(request, progress: ProgressBar().report)
      }
    }
  }
}
