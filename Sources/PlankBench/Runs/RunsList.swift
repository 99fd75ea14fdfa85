internal import ArgumentParser
internal import FoundationEssentials
internal import RunStore

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

/// Lists the runs of a store.
enum ListRuns {
  /// Runs the command.
  ///
  /// - Parameter now: the moment that tells running sweeps from interrupted ones.
  static func run(
    store: String, format: OutputFormat, usesColor: Bool, now: Date = Date()
  ) throws(WorkflowFailure) -> Outcome {
    let database = try RunAccess.read(store)
    let runs = try RunAccess.failing { () throws(RunStoreError) in try database.runs() }
    return Outcome(
      format, usesColor: usesColor, width: 160,
      json: .object([
        "schema_version": .integer(1), "store": .string(store),
        "runs": .array(runs.map { .object($0.json(at: now)) }),
      ]),
      document: document(runs, now))
  }

  private static func document(_ runs: [RunFacts], _ now: Date) -> Document {
    var table = Table([
      .words("run"), .words("experiment"), .words("status"), .number("cells"), .words("shard"),
      .words("last written"), .words("dataset"),
    ])
    for run in runs {
      table.row([
        StyledText(run.id, .strong), StyledText(run.identity.experiment),
        run.statusText(at: now), StyledText(run.progressText), StyledText(run.shardText),
        StyledText(run.writtenAt.formatted(.iso8601)),
        StyledText(run.identity.dataset.name, .dim),
      ])
    }
    var document = Document()
    document.table(table)
    if runs.isEmpty { document.paragraph("The store holds no run.") }
    return document
  }
}

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

/// Deletes a run with its cells.
enum DeleteRun {
  /// Runs the command.
  ///
  /// - Parameter run: the whole id; a part of it is not enough.
  static func run(_ run: String, store: String) throws(WorkflowFailure) -> Outcome {
    let facts = try RunAccess.failing { () throws(RunStoreError) in
      try RunDatabase(editing: store).delete(run)
    }
    return Outcome(
      "deleted run \(facts.id) with \(NumberText.count(facts.storedCount)) cells; "
        + "later runs use its room\n")
  }
}
