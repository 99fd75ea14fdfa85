internal import ArgumentParser
internal import Workflows

/// `planklab baseline update`.
struct BaselineUpdate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Make a gate's candidate the baseline, with a reason.",
    discussion: """
      Nothing else writes a baseline. A tree with changes is refused, because its commit would \
      name other numbers.
      """)

  @Argument(help: "The gate's file.")
  var gate: String

  @Option(help: ArgumentHelp("Why the numbers may move.", valueName: "TEXT"))
  var reason: String

  @Option(help: ArgumentHelp("The file instead of the gate's.", valueName: "FILE"))
  var baseline: String?

  @Option(help: ArgumentHelp("Thresholds instead of the gate's.", valueName: "THRESHOLDS.json"))
  var parameters: String?

  @Option(help: ArgumentHelp("Keep the answers in a folder.", valueName: "DIR"))
  var predictions: String?

  @Flag(help: "Write it even from a tree with changes.")
  var allowDirty = false

  func run() async throws {
    try await Terminal.run {
      let request = UpdateBaseline.Request(
        gate: gate, reason: reason, baseline: baseline, parameters: parameters,
        predictions: predictions, allowsDirty: allowDirty)
      let bar = ProgressBar()
      return try await UpdateBaseline.run(request, progress: bar.report)
    }
  }
}
