internal import ArgumentParser
internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import PoseModel
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
    let now = Date()
    let listing = RunListing(
      store: store.store, runs: runs.map { RunSummary($0, at: now) }, damaged: damaged)
    return try result.outcome(
      remarks: damaged.map {
        "\(RunStoreError.corruptRun(path: store.store, run: $0.id, reason: $0.reason))"
      }, status: damaged.isEmpty ? .success : .badData, content: listing, version: 2,
      document: listing.document, name: "runs")
  }
}

extension RunListing {
  var document: Document {
    var table = Table([
      .words("run"), .words("experiment"), .words("status"), .number("cells"), .words("shard"),
      .words("last written"), .words("dataset"),
    ])
    for run in runs {
      table.row([
        StyledText(run.id, .strong), StyledText(run.experiment), run.statusText,
        StyledText(run.streams.progressText), StyledText(run.shard.description),
        StyledText(run.writtenAt.formatted(.iso8601)), StyledText(run.dataset.name, .dim),
      ])
    }
    var document = Document()
    if !runs.isEmpty || damaged.isEmpty { document.table(table) }
    if runs.isEmpty, damaged.isEmpty { document.paragraph("The store has no runs.") }
    for run in damaged { document.paragraph("Damaged: run \(run.id), \(run.reason).") }
    return document
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

extension RunDetails {
  var document: Document {
    var document = Document()
    document.heading("Run \(run.id)", level: 1)
    document.table(identity)
    document.heading("Progress")
    document.table(progress)
    document.heading("Axes")
    document.table(axes)
    let fixed = fixed
    if !fixed.rows.isEmpty { document.heading("Fixed parameters") }
    document.table(fixed)
    let constraints = grids.flatMap(\.constraints).distinct
    if !constraints.isEmpty { document.heading("Constraints") }
    document.list(constraints.map { StyledText($0) })
    return document
  }

  private var identity: Table {
    let sources = sources.isEmpty ? "-" : sources.joined(separator: ", ")
    var table = Table([.words("fact"), .words("value")])
    table.row(["status", run.statusText])
    if let calibration = run.dataset.calibration {
      table.row(["calibration", StyledText(calibration)])
    }
    for (name, value) in [
      ("experiment", run.experiment), ("dataset", run.dataset.name),
      ("dataset hash", run.dataset.hash), ("split", run.dataset.split ?? "-"),
      ("sources", sources), ("program", run.program), ("seed", run.seed),
      ("shard", run.shard.description), ("started", run.createdAt.formatted(.iso8601)),
      ("last written", run.writtenAt.formatted(.iso8601)),
      ("finished", run.finishedAt?.formatted(.iso8601) ?? "-"),
      ("continued", NumberText.count(run.openedCount - 1, "time")),
    ] { table.row([StyledText(name), StyledText(value)]) }
    return table
  }

  private var progress: Table {
    var table = Table([
      .words("stream"), .number("ids"), .number("degenerate"), .number("cells"),
      .number("stored"), .number("share"),
    ])
    for stream in run.streams {
      table.row([
        StyledText(stream.stream.rawValue),
        StyledText(NumberText.count(stream.endCell - stream.firstCell)),
        StyledText(NumberText.count(stream.rejectedCount)),
        StyledText(NumberText.count(stream.acceptedCount)),
        StyledText(NumberText.count(stream.storedCount)),
        StyledText(
          stream.acceptedCount == 0
            ? "n/a"
            : NumberText.percent(Double(stream.storedCount) / Double(stream.acceptedCount))),
      ])
    }
    return table
  }

  private var axes: Table {
    var table = Table([
      .words("stream"), .words("detector"), .words("smoothing"), .words("axis"), .words("unit"),
      .number("values"), .words("which"),
    ])
    for grid in grids {
      for variant in grid.variants {
        for axis in variant.axes {
          table.row([
            StyledText(grid.stream.rawValue), StyledText(variant.detector),
            StyledText(variant.smoothing), StyledText(axis.name, .strong),
            StyledText(axis.unit), "\(axis.values.count)",
            StyledText(list(axis.values)),
          ])
        }
      }
    }
    return table
  }

  private var fixed: Table {
    var table = Table([
      .words("stream"), .words("detector"), .words("parameter"), .number("value"),
      .words("unit"),
    ])
    var seen: Set<[String]> = []
    for grid in grids {
      for variant in grid.variants {
        for parameter in variant.fixed
        where seen.insert([grid.stream.rawValue, variant.detector, parameter.name]).inserted {
          table.row([
            StyledText(grid.stream.rawValue), StyledText(variant.detector),
            StyledText(parameter.name), StyledText(NumberText.shortest(parameter.value)),
            StyledText(parameter.unit),
          ])
        }
      }
    }
    return table
  }

  private func list(_ values: [Double]) -> String {
    let texts = values.map(NumberText.shortest)
    guard texts.count > 8, let last = texts.last else { return texts.joined(separator: " ") }
    return texts.prefix(6).joined(separator: " ") + " ... " + last
  }
}

struct RunListing: Encodable {
  let store: String
  let runs: [RunSummary]
  let damaged: [DamagedRun]
}

struct RunDetails: Encodable {
  let run: RunSummary
  let sources: [String]
  let grids: [GridDescription]

  init(_ reader: RunReader, at now: Date) {
    run = RunSummary(reader.facts, at: now)
    sources = reader.sources
    grids = reader.grids
  }
}

struct RunSummary: Codable, Hashable, Sendable {
  let id: String
  let experiment: String
  let status: RunStatus
  let dataset: RunIdentity.Dataset
  let program: String
  /// Text, because a seed may have more digits than JSON numbers keep.
  let seed: String
  let shard: Shard
  let createdAt: Date
  let writtenAt: Date
  let finishedAt: Date?
  let openedCount: Int
  let streams: [RunFacts.Stream]

  private enum CodingKeys: String, SnakeCaseKey {
    case id, experiment, status, dataset, program, seed, shard, streams, createdAt, writtenAt,
      finishedAt
    case openedCount = "opened"
  }

  init(_ facts: RunFacts, at now: Date) {
    id = facts.id
    experiment = facts.identity.experiment
    status = facts.status(at: now)
    dataset = facts.identity.dataset
    program = facts.identity.program
    seed = "\(facts.identity.seed)"
    shard = facts.identity.shard
    createdAt = facts.createdAt
    writtenAt = facts.writtenAt
    finishedAt = facts.finishedAt
    openedCount = facts.openedCount
    streams = facts.streams
  }

  var statusText: StyledText {
    let tone: StyledText.Tone =
      switch status {
      case .running: .strong
      case .complete: .good
      case .interrupted: .warning
      }
    return StyledText(status.rawValue, tone)
  }
}

extension [RunFacts.Stream] {
  var progressText: String {
    NumberText.count(reduce(0) { $0 + $1.storedCount }) + " of "
      + NumberText.count(reduce(0) { $0 + $1.acceptedCount })
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
