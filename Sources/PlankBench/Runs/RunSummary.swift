internal import Platform
internal import Tuning

/// The runs of a store: the result of `runs list`.
struct RunListing: Codable, Hashable, Sendable {
  /// The version of the JSON format; it rises when a key changes its meaning or is removed.
  var schemaVersion = 2
  /// The store's file.
  let store: String
  /// The runs, the oldest first.
  let runs: [RunSummary]
  /// The runs that do not fit together.
  let damaged: [DamagedRun]

  private enum CodingKeys: String, CodingKey {
    case store, runs, damaged
    case schemaVersion = "schema_version"
  }
}

/// A run with what it evaluates: the result of `runs show`.
struct RunDetails: Codable, Hashable, Sendable {
  /// The version of the JSON format; it rises when a key changes its meaning or is removed.
  var schemaVersion = 2
  /// The run.
  let run: RunSummary
  /// The sources over which metrics are averaged; empty for a single one.
  let sources: [String]
  /// The cells of every stream.
  let grids: [GridDescription]

  private enum CodingKeys: String, CodingKey {
    case run, sources, grids
    case schemaVersion = "schema_version"
  }

  /// Takes a run as it is at a moment.
  init(_ reader: RunReader, at now: Date) {
    run = RunSummary(reader.facts, at: now)
    sources = reader.sources
    grids = reader.grids
  }
}

/// A run as it is at a moment.
struct RunSummary: Codable, Hashable, Sendable {
  /// The id.
  let id: String
  /// The experiment's name.
  let experiment: String
  /// Whether it is still written.
  let status: RunStatus
  /// The data.
  let dataset: RunIdentity.Dataset
  /// The program, exact enough that two with the same text give the same numbers.
  let program: String
  /// The seed as text, since it may have more digits than a JSON number keeps.
  let seed: String
  /// The part of the grid.
  let shard: Shard
  /// When it was started.
  let createdAt: Date
  /// When its last cells were written, or when it was started.
  let writtenAt: Date
  /// When its sweep finished; nil before that.
  let finishedAt: Date?
  /// How often it was opened for writing: 1, and one more for every time it was continued.
  let openedCount: Int
  /// The streams, plank first.
  let streams: [RunFacts.Stream]

  private enum CodingKeys: String, CodingKey {
    case id, experiment, status, dataset, program, seed, shard, streams
    case createdAt = "created_at"
    case writtenAt = "written_at"
    case finishedAt = "finished_at"
    case openedCount = "opened"
  }

  /// Takes a run as it is at a moment.
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

  /// The status with a tone.
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
  /// The progress: `1,200 of 4,800`.
  var progressText: String {
    NumberText.count(reduce(0) { $0 + $1.storedCount }) + " of "
      + NumberText.count(reduce(0) { $0 + $1.acceptedCount })
  }
}
