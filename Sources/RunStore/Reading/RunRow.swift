internal import FoundationEssentials
internal import GRDB
internal import ParameterTuning
internal import PoseModel

/// A row of `runs`, and what belongs to it in `streams`.
struct RunRow: Sendable {
  /// The run's number, by which the other tables know it.
  let number: Int64
  /// How many times it was opened to write.
  let opened: Int
  /// The grid's text.
  let grid: String
  /// Everything else.
  let facts: RunFacts

  /// Reads all runs that a condition chooses, by the time they were begun, then by id.
  static func fetch(
    _ db: Database, _ path: String, where condition: String = "true",
    _ arguments: StatementArguments = []
  ) throws -> [RunRow] {
    try Row.fetchAll(
      db, sql: "SELECT * FROM runs WHERE \(condition) ORDER BY created_at, id",
      arguments: arguments
    ).map { try RunRow(db, $0, path) }
  }

  private init(_ db: Database, _ row: Row, _ path: String) throws {
    let run: Int64 = row["number"]
    number = run
    opened = row["opened"]
    grid = row["grid"]
    let streams = try Row.fetchAll(
      db,
      sql: """
        SELECT *, (SELECT count(*) FROM cells
          WHERE cells.run = streams.run AND cells.stream = streams.stream) AS stored
        FROM streams WHERE run = ? ORDER BY stream = 'form'
        """, arguments: [run])
    facts = RunFacts(
      id: row["id"], identity: try Self.identity(row, path),
      createdAt: try Self.time(row["created_at"], path),
      writtenAt: try Self.time(row["written_at"], path),
      finishedAt: try (row["finished_at"] as String?).map { try Self.time($0, path) },
      openedCount: row["opened"], streams: try streams.map { try Self.stream($0, path) })
  }

  private static func identity(_ row: Row, _ path: String) throws -> RunIdentity {
    guard let seed = UInt64(row["seed"] as String),
      let shard = try? Shard(row["shard_index"], of: row["shard_count"])
    else { throw RunStoreError.corrupt(path: path, reason: "run \(row["id"] as String)") }
    return RunIdentity(
      experiment: row["experiment"],
      dataset: RunIdentity.Dataset(
        name: row["dataset"], hash: row["dataset_hash"], split: row["split"]),
      program: row["program"], seed: seed, shard: shard)
  }

  private static func time(_ text: String, _ path: String) throws -> Date {
    guard let time = RunName.time(text) else {
      throw RunStoreError.corrupt(path: path, reason: "the time `\(text)`")
    }
    return time
  }

  private static func stream(_ row: Row, _ path: String) throws -> RunFacts.Stream {
    let (first, end): (Int, Int) = (row["first_cell"], row["end_cell"])
    guard let stream = AnswerStream(rawValue: row["stream"]), first <= end else {
      throw RunStoreError.corrupt(path: path, reason: "the stream `\(row["stream"] as String)`")
    }
    return RunFacts.Stream(
      stream: stream, gridCellCount: row["grid_cells"], cells: first..<end,
      acceptedCount: row["accepted"], storedCount: row["stored"])
  }
}
