internal import ArgumentParser
internal import Workflows

/// `planklab runs show`.
struct RunsShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one run: what it is of, how far it is, what it varies.",
    discussion: """
      A run is running while its sweep writes, complete when its sweep has said so, and \
      interrupted when nothing was written for two minutes: `planklab sweep --resume` continues it.

      Examples:
        planklab runs show
        planklab runs show --format json
      """)

  @Argument(help: "The run's id, or the beginning of it; the newest run unless given.")
  var run: String?

  @OptionGroup var store: StoreOptions
  @OptionGroup var result: ResultOptions

  func run() async throws {
    try await Terminal.run {
      try result.deliver(
        ShowRun.run(
          run, store: store.store, format: result.format, usesColor: result.usesColor))
    }
  }
}
