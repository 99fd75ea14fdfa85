package import FoundationEssentials
internal import Reporting
internal import RunStore

/// Lists the runs of a store.
package enum ListRuns {
  /// Runs the command.
  ///
  /// - Parameter now: the moment that tells running sweeps from interrupted ones.
  package static func run(
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
