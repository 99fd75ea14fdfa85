internal import Evaluation
package import Platform
package import Tuning

package struct RunListing: Encodable {
  private let store: String
  private let runs: [RunSummary]
  private let damaged: [DamagedRun]

  package init(of store: String, _ runs: [RunFacts], damaged: [DamagedRun], at now: Date) {
    self.store = store
    self.runs = runs.map { RunSummary($0, at: now) }
    self.damaged = damaged
  }

  package var document: Document {
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

struct RunSummary: Encodable {
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
  package var progressText: String {
    NumberText.count(reduce(0) { $0 + $1.storedCount }) + " of "
      + NumberText.count(reduce(0) { $0 + $1.acceptedCount })
  }
}
