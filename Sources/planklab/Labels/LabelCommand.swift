internal import ArgumentParser
internal import Workflows

/// `planklab label`.
struct LabelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label",
    abstract: "Write a page on which a person labels a recording in a browser.",
    discussion: """
      One self-contained file, no network: a stick figure to turn and scrub, measurements over \
      time with the detector's thresholds, keys for everything (press ? for help), an optional \
      video from your disk, undo, and a download of the labels.

      Example:
        planklab label session.poses.jsonl --html session.html
      """)

  @Argument(help: "The recording: a .poses.jsonl or .poses.jsonl.gz file.")
  var recording: String

  @Option(help: ArgumentHelp("The page to write.", valueName: "FILE"))
  var html: String

  @Option(
    help: ArgumentHelp(
      "Labels to start from; the recording's own unless given.", valueName: "FILE"))
  var labels: String?

  @OptionGroup var detector: DetectorOptions

  func run() async throws {
    try await Terminal.run {
      try LabelRecording.run(
        recording: recording, labels: labels, html: html, detector: detector.choice)
    }
  }
}
