internal import ArgumentParser
internal import Essentials
internal import ParameterTuning
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
      RunListing(store: store.store, runs: runs.map { RunSummary($0, at: now) }))
  }
}

extension RunListing: StoreResult {
  /// The runs as a table.
  var document: Document {
    var table = Table([
      .words("run"), .words("experiment"), .words("status"), .number("cells"), .words("shard"),
      .words("last written"), .words("dataset"),
    ])
    for run in runs {
      table.row([
        StyledText(run.id, .strong), StyledText(run.experiment), run.statusText,
        StyledText(run.streams.progressText), StyledText(run.shard.description),
        StyledText(run.writtenAt.formatted(.iso8601)),
        StyledText(run.dataset.name, .dim),
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
