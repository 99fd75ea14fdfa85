internal import Platform
internal import Tuning

struct RunListing: Codable, Hashable, Sendable {
  var schemaVersion = 2
  let store: String
  let runs: [RunSummary]
  let damaged: [DamagedRun]

  private enum CodingKeys: String, CodingKey {
    case store, runs, damaged
    case schemaVersion = "schema_version"
  }
}

struct RunDetails: Codable, Hashable, Sendable {
  var schemaVersion = 2
  let run: RunSummary
  let sources: [String]
  let grids: [GridDescription]

  private enum CodingKeys: String, CodingKey {
    case run, sources, grids
    case schemaVersion = "schema_version"
  }

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
  /// The program, exact enough that two with the same text give the same numbers.
  let program: String
  /// The seed as text, since it may have more digits than a JSON number keeps.
  let seed: String
  let shard: Shard
  let createdAt: Date
  let writtenAt: Date
  let finishedAt: Date?
  /// How often it was opened for writing: 1, and one more for every time it was continued.
  let openedCount: Int
  let streams: [RunFacts.Stream]

  private enum CodingKeys: String, CodingKey {
    case id, experiment, status, dataset, program, seed, shard, streams
    case createdAt = "created_at"
    case writtenAt = "written_at"
    case finishedAt = "finished_at"
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
