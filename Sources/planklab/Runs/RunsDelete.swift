internal import ArgumentParser
internal import Workflows

/// `planklab runs delete`.
struct RunsDelete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a run with all its cells.",
    discussion: """
      Asks for the exact id, because nothing brings the cells back. The file keeps its size and \
      later runs use the room; `sqlite3 FILE vacuum` makes it smaller.
      """)

  @Argument(help: "The run's whole id.")
  var run: String

  @OptionGroup var store: StoreOptions

  func run() async throws {
    try await Terminal.run { try DeleteRun.run(run, store: store.store) }
  }
}
