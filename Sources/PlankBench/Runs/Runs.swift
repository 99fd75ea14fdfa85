internal import ArgumentParser
internal import Platform
internal import PoseDatasets
internal import Reports
internal import Tuning

struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "List, show, export, merge and delete the runs that `planklab sweep` stored.",
    discussion: """
      A store is an SQLite file. docs/store.md describes its tables and gives sample queries.
      """,
    subcommands: [RunsList.self, RunsShow.self, RunsExport.self, RunsMerge.self, RunsDelete.self])
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
      case .noStore, .noRun, .noPart, .noWhole: .noInput
      case .ambiguousRun: .usage
      case .foreign, .otherSchema, .corrupt, .corruptCell, .unfinished, .missingShards, .unequal,
        .foreignPart, .corruptRun, .beyondLimits:
        .badData
      case .changed, .otherSweep, .outdated: .notComparable
      case .inaccessible, .replaced, .full, .busy, .refused, .alreadyStored, .takenOver:
        .cannotCreate
      case .unexpected: .unexpected
      }
    self.init(status, "\(error)")
  }
}

struct RunsList: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the runs of a store: experiment, status, progress, data.",
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
      "deleted run \(run) with \(NumberText.count(cells)) cells; later runs use its space")
  }
}

struct RunsShow: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one run: its experiment, progress and parameters.",
    discussion: """
      A run counts as running while its sweep writes, as complete when the sweep has finished, and \
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

struct RunsMerge: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge the parts of a divided sweep into one run.",
    discussion: """
      Every part of the sweep (`planklab sweep --shard i/n`) must be complete, with the same data, \
      grid, program and seed. If a part was swept twice, both results must be equal. The merged \
      run equals the run of an undivided sweep, so their exports are identical byte for byte. \
      Merging again changes nothing.

      Examples:
        planklab sweep experiments/first-steps --shard 1/2 --store part-1.sqlite
        planklab sweep experiments/first-steps --shard 2/2 --store part-2.sqlite
        planklab runs merge part-1.sqlite part-2.sqlite --store whole.sqlite
        planklab tune experiments/first-steps --from-store whole.sqlite
      """)

  @Argument(help: ArgumentHelp("The stores that contain the parts.", valueName: "part"))
  var parts: [String]

  @Option(
    help: ArgumentHelp(
      "Merge only runs of this experiment, if the stores contain others.", valueName: "NAME"))
  var experiment: String?

  @OptionGroup var store: StoreOptions

  func outcome() throws -> Outcome {
    try OutputFile.checkStore(store.store)
    let progress = LongWork(["cells"]).report
    let merge = try RunMerge(try parts.flatMap(readers))
    Interruption.say(
      "\(store.store) contains nothing from this merge; \(Leftovers.again(CommandLine.arguments))")
    let total = merge.cellCount
    var done = 0
    let result = try merge.write(toStore: store.store, at: Date()) { count in
      done += count
      progress(done, total, "cells")
    }
    Interruption.say("run \(result.run) is complete in \(store.store)")
    return .sentence(text(merge, result), remarks: ["next: \(next(result))"])
  }

  private func readers(_ path: String) throws -> [RunReader] {
    let database = try RunAccess.read(path)
    let (runs, damaged) = try database.listing()
    for run in damaged {
      Terminal.say("note: \(path): run \(run.id) is left out because it is damaged (\(run.reason))")
    }
    let readers = try runs.filter {
      experiment == nil || $0.identity.experiment == experiment
    }.map { try database.run($0.id) }
    guard !readers.isEmpty else { throw RunStoreError.noPart(path: path, experiment: experiment) }
    // The store may already contain parts as well as the whole, which is not a part.
    let parts = readers.filter { $0.facts.identity.shard != .whole }
    let isTarget = OutputFile.place(of: path) == OutputFile.place(of: store.store)
    return isTarget && !parts.isEmpty ? parts : readers
  }

  private func text(_ merge: RunMerge, _ result: RunMerge.Result) -> String {
    let parts = NumberText.count(merge.shardCount, "part")
    let cells = NumberText.count(merge.cellCount, "cell")
    let repeated =
      merge.repetitionCount == 0
      ? "" : "; \(NumberText.count(merge.repetitionCount, "repeated part")) agreed"
    return result.isKnown
      ? "run \(result.run) in \(store.store) already has the \(cells) of \(parts)\(repeated)"
      : "merged \(parts) into run \(result.run) in \(store.store): \(cells)\(repeated)"
  }

  private func next(_ result: RunMerge.Result) -> String {
    "planklab runs show \(result.run) --store \(ShellWord.quoted(store.store))"
  }
}
