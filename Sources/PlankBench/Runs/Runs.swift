internal import ArgumentParser
internal import Platform
internal import PoseDatasets
internal import Reports
internal import Tuning

struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "List, show, export and delete the runs that `planklab sweep` stored.",
    discussion: """
      A store is an SQLite file. docs/store.md describes its tables and gives sample queries.
      """,
    subcommands: [RunsList.self, RunsShow.self, RunsExport.self, RunsDelete.self])
}

struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store of runs.",
      valueName: "FILE"))
  var store = RunAccess.defaultStore
}

enum RunAccess {
  static let defaultStore = "planklab-runs.sqlite"

  static func read(_ path: String) throws -> RunDatabase {
    try FilesRead.current?.note(path: path)
    do {
      return try RunDatabase(reading: path)
    } catch RunStoreError.inaccessible(let path, let reason) {
      throw WorkflowFailure(
        .noInput, "\(RunStoreError.inaccessible(path: path, reason: reason))")
    }
  }
}

extension WorkflowFailure {
  init(_ error: RunStoreError) {
    let status: ExitStatus =
      switch error {
      case .noStore, .noRun, .noWhole: .noInput
      case .ambiguousRun: .usage
      case .foreign, .otherSchema, .corrupt, .corruptCell, .unfinished, .foreignPart,
        .corruptRun, .beyondLimits:
        .badData
      case .changed, .outdated: .notComparable
      case .inaccessible, .replaced, .full, .busy, .refused, .alreadyStored, .takenOver:
        .cannotCreate
      case .unexpected: .unexpected
      }
    self.init(status, "\(error)")
  }
}

struct RunsList: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the runs in a store: experiment, status, progress, data.",
    discussion: "Damaged runs are listed separately, and the exit code is then 65.")

  @OptionGroup var store: StoreOptions
  @OptionGroup var result: ResultOptions

  func outcome() throws -> Outcome {
    let database = try RunAccess.read(store.store)
    let (runs, damaged) = try database.listing()
    let listing = RunListing(of: store.store, runs, damaged: damaged, at: Date())
    return try result.outcome(
      remarks: damaged.map {
        "\(RunStoreError.corruptRun(path: store.store, run: $0.id, reason: $0.reason))"
      }, status: damaged.isEmpty ? .success : .badData, content: listing, version: 2,
      document: listing.document, name: "runs")
  }
}

struct RunsDelete: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a run and its results.",
    discussion: """
      Give the complete id, because deleted results cannot be recovered. Later runs reuse the \
      space; `sqlite3 FILE vacuum` shrinks the store immediately.
      """)

  @Argument(help: "The run's complete id.")
  var run: String

  @OptionGroup var store: StoreOptions

  func outcome() throws -> Outcome {
    let cells = try RunDatabase(editing: store.store).delete(run)
    return .sentence(
      "deleted run \(run) with \(NumberText.count(cells, "configuration")); later runs use its space"
    )
  }
}

struct RunsShow: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one run: its experiment, progress and parameters.",
    discussion: """
      A run counts as running while its sweep is writing, as complete once the sweep has finished, and \
      as interrupted when nothing has been written for two minutes. `planklab sweep --resume` \
      continues an interrupted run.

      Examples:
        planklab runs show
        planklab runs show --format json
      """)

  @Argument(help: "The run's id, or the first part of it (default: the newest run).")
  var run: String?

  @OptionGroup var store: StoreOptions
  @OptionGroup var result: ResultOptions

  func outcome() throws -> Outcome {
    let database = try RunAccess.read(store.store)
    let details = RunDetails(try database.run(run), at: Date())
    return try result.outcome(
      content: details, version: 2, document: details.document, name: "runs")
  }
}
