internal import ArgumentParser
internal import FoundationEssentials
internal import Workflows

extension RunGate.Format: ExpressibleByArgument {}

/// `planklab gate`.
struct Gate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Judge a detector by rules and a baseline; the exit code is the verdict's.",
    discussion: """
      Exit codes: 0 pass or improved, 2 regressed, 3 not comparable or inconclusive. What cannot \
      be computed or compared is never a pass. docs/ci.md shows how to use it in five minutes.

      Examples:
        planklab gate planklab/gate.yaml
        planklab gate planklab/gate.yaml --predictions answers/ --format github \
      --write junit=gate.xml
      """,
    aliases: ["check"])

  @Argument(help: "The gate's file.")
  var gate: String

  @Option(help: ArgumentHelp("A baseline instead of the gate's.", valueName: "FILE"))
  var baseline: String?

  @Option(help: ArgumentHelp("A dataset instead of the gate's.", valueName: "DIR"))
  var dataset: String?

  @Option(help: ArgumentHelp("Thresholds instead of the gate's.", valueName: "THRESHOLDS.json"))
  var parameters: String?

  @Option(help: ArgumentHelp("Judge the answers in a folder.", valueName: "DIR"))
  var predictions: String?

  @Option(
    help:
      "text, json, markdown, junit, github, bigger-is-better or smaller-is-better.")
  var format: RunGate.Format = .text

  @Option(
    help: ArgumentHelp(
      "Write a face to a file, too, e.g. junit=gate.xml; may be repeated.",
      valueName: "FORMAT=FILE"))
  var write: [String] = []

  func run() async throws {
    try await Terminal.run {
      var request = RunGate.Request(gate: gate)
      request.baseline = baseline
      request.dataset = dataset
      request.parameters = parameters
      request.predictions = predictions
      request.format = format
      request.usesColor = Terminal.usesColor
      request.summary = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"]
      for text in write { request.files.append(try Self.file(text)) }
      let bar = ProgressBar()
      return try await RunGate.run(request, progress: bar.report)
    }
  }

  private static func file(_ text: String) throws -> (format: RunGate.Format, path: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let format = RunGate.Format(rawValue: parts[0]) else {
      throw WorkflowFailure(
        .usage, "--write \(text): is no FORMAT=FILE; write for example junit=gate.xml")
    }
    return (format, parts[1])
  }
}
