internal import ArgumentParser
internal import Workflows

/// `planklab runs list`.
struct RunsList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the runs of a store: experiment, status, progress, data.")

  @OptionGroup var store: StoreOptions
  @OptionGroup var result: ResultOptions

  func run() async throws {
    try await Terminal.run {
      try result.deliver(
        ListRuns.run(store: store.store, format: result.format, usesColor: result.usesColor))
    }
  }
}
