internal import ArgumentParser

/// `planklab runs`.
struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "List, show, export and delete the runs that `planklab sweep` stored.",
    discussion: """
      A store is a file of SQLite: docs/store.md has its tables and queries to start from.
      """,
    subcommands: [RunsList.self, RunsShow.self, RunsExport.self, RunsDelete.self])
}
