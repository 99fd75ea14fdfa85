internal import ArgumentParser
internal import Essentials
internal import RunStore

/// `planklab runs list`.
struct RunsList: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the runs of a store: experiment, status, progress, data.")

  @OptionGroup var store: StoreOptions
  @OptionGroup var result: ResultOptions

  func outcome() throws -> Outcome {
    let database = try RunAccess.read(store.store)
    let runs = try database.runs()
    let now = Date()
    return try result.outcome(
      width: 160,
      json: .object([
        "schema_version": .integer(1), "store": .string(store.store),
        "runs": .array(runs.map { .object($0.json(at: now)) }),
      ]),
      document: document(runs, now))
  }

  private func document(_ runs: [RunFacts], _ now: Date) -> Document {
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
    if runs.isEmpty { document.paragraph("The store has no runs.") }
    return document
  }
}

/// `planklab runs delete`.
struct RunsDelete: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a run with all its cells.",
    discussion: """
      The exact id is required, because nothing brings the cells back. The file keeps its size, and \
      later runs use the space; `sqlite3 FILE vacuum` makes it smaller.
      """)

  @Argument(help: "The run's complete id.")
  var run: String

  @OptionGroup var store: StoreOptions

  func outcome() throws -> Outcome {
    let facts = try RunDatabase(editing: store.store).delete(run)
    return .sentence(
      "deleted run \(facts.id) with \(NumberText.count(facts.storedCount)) cells; "
        + "later runs use its space")
  }
}
