internal import ArgumentParser
internal import Workflows

/// `planklab compare`.
struct Compare: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare detectors on a dataset, paired by subject: better, worse, or cannot tell.",
    discussion: """
      A side is a detector's name, a detector file, thresholds, a folder of answers, or in quotes \
      a detector with what differs. The others are compared with the first. The exit code is 0 \
      whatever the verdict; `planklab gate` is for decisions.

      Examples:
        planklab compare datasets/scripted article gravity
        planklab compare datasets/scripted gravity "gravity sag=3cm plank_frames=5"
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @Argument(help: "Two sides or more.")
  var candidates: [String]

  @OptionGroup var result: ResultOptions

  @Option(help: ArgumentHelp("Only the sequences of one split.", valueName: "NAME"))
  var split: String?

  @Option(
    name: .customLong("metric"),
    help: ArgumentHelp("Compare this metric only; may be repeated.", valueName: "NAME"))
  var metrics: [String] = []

  @Option(help: ArgumentHelp("How many resamples are drawn.", valueName: "COUNT"))
  var resamples = 10_000

  @Option(help: ArgumentHelp("The seed of the resamples.", valueName: "NUMBER"))
  var seed: UInt64 = 0

  func validate() throws {
    guard (100...1_000_000).contains(resamples) else {
      throw ValidationError("--resamples: give 100 to 1000000")
    }
  }

  func run() async throws {
    try await Terminal.run {
      let request = CompareCandidates.Request(
        dataset: dataset, candidates: candidates, split: split, metrics: metrics,
        resamples: resamples, seed: seed, format: result.format, usesColor: result.usesColor)
      let bar = ProgressBar()
      return try result.deliver(await CompareCandidates.run(request, progress: bar.report))
    }
  }
}
