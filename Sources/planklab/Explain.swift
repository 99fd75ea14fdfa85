internal import ArgumentParser
internal import Workflows

/// `planklab explain`.
struct Explain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show why a detector answered as it did at one moment.",
    discussion: """
      Lists every rule in order with measurement, parameter and margin, and what debounce made of \
      the raw label. The dataset.yaml above the recording, if any, is used for labels and `starts`.

      Example:
        planklab explain datasets/scripted/s01-floor.poses.jsonl --at 12.5
      """)

  @Argument(help: "The recording: a .poses.jsonl or .poses.jsonl.gz file.")
  var sequence: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The moment; the frame shown then is explained.", valueName: "SECONDS"))
  var at: Double

  @OptionGroup var detector: DetectorOptions
  @OptionGroup var result: ResultOptions

  func run() async throws {
    try await Terminal.run {
      let request = ExplainRequest(
        recording: sequence, time: at, detector: detector.choice, format: result.format,
        usesColor: result.usesColor)
      return try result.deliver(ExplainMoment.run(request))
    }
  }
}
