internal import ArgumentParser
internal import Platform
internal import Tuning

struct RunsList: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the runs of a store: experiment, status, progress, data.",
    discussion: "Runs that are damaged are named apart, and the exit code is then 65.")

  @OptionGroup var store: StoreOptions
  @OptionGroup var result: ResultOptions

  func outcome() throws -> Outcome {
    let database = try RunAccess.read(store.store)
    let (runs, damaged) = try database.listing()
    let now = Date()
    return try result.outcome(
      RunListing(
        store: store.store, runs: runs.map { RunSummary($0, at: now) }, damaged: damaged),
      remarks: damaged.map {
        "\(RunStoreError.corruptRun(path: store.store, run: $0.id, reason: $0.reason))"
      }, status: damaged.isEmpty ? .success : .badData)
  }
}

extension RunListing: StoreResult {
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
    if !runs.isEmpty || damaged.isEmpty { document.table(table) }
    if runs.isEmpty, damaged.isEmpty { document.paragraph("The store has no runs.") }
    for run in damaged { document.paragraph("Damaged: run \(run.id), \(run.reason).") }
    return document
  }
}

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
    let cells = try RunDatabase(editing: store.store).delete(run)
    return .sentence(
      "deleted run \(run) with \(NumberText.count(cells)) cells; "
        + "later runs use its space")
  }
}
