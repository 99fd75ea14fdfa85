internal import FoundationEssentials
internal import GRDB
internal import ParameterTuning
internal import PoseModel

/// Reads back what a run's cells mean.
struct RunSource {
  let db: Database
  let path: String
  let run: Int64

  /// The grid of a stream.
  func grid(_ stream: AnswerStream) throws -> GridDescription {
    GridDescription(
      stream: stream,
      variants: try rows("variants", stream, order: "variant").map { row in
        let variant: Int = row["variant"]
        return GridDescription.Variant(
          detector: row["detector"], reading: row["axes_reading"],
          rules: (row["rules"] as String).split(separator: "\n").map(String.init),
          smoothing: row["smoothing"], fixed: try fixed(stream, variant),
          axes: try axes(stream, variant))
      },
      constraints: try rows("constraints", stream, order: "position").map { $0["text"] })
  }

  /// The layout of a stream's cells.
  func layout(_ stream: AnswerStream) throws -> StatisticsLayout {
    let row = try rows("streams", stream, order: "stream").first
    let all = try Row.fetchAll(
      db,
      sql: """
        SELECT * FROM sequences
        JOIN stream_sequences USING (run, sequence)
        WHERE run = ? AND stream = ? ORDER BY sequence
        """, arguments: [run, stream.rawValue])
    let truth = Dictionary(grouping: try rows("truth", stream, order: "sequence, code")) {
      $0["sequence"] as Int
    }
    let events = Dictionary(grouping: try rows("events", stream, order: "sequence, event")) {
      $0["sequence"] as Int
    }
    let sequences = try all.map { row -> StreamFacts.SequenceFacts in
      let sequence: Int = row["sequence"]
      return try facts(stream, row, truth[sequence] ?? [], events[sequence] ?? [])
    }
    let layout = StatisticsLayout(
      StreamFacts(stream, facts: sequences), keepsDetermined: row?["keeps_determined"] ?? false)
    guard let row, layout.stride == row["numbers_per_cell"] else {
      throw damaged("the layout of \(stream.rawValue) cells")
    }
    return layout
  }

  private func facts(
    _ stream: AnswerStream, _ row: Row, _ truth: [Row], _ events: [Row]
  ) throws -> StreamFacts.SequenceFacts {
    let name: String = row["name"]
    let frames: Int = row["frames"]
    guard let times = TimeBlob.times(row["times"]), times.count == frames else {
      throw damaged("the times of sequence \(name)")
    }
    return StreamFacts.SequenceFacts(
      name: name, subject: row["subject"], frameWeight: Seconds(row["frame_weight_s"]),
      evaluatedSeconds: Seconds(row["evaluated_s"]), trueTransitions: row["true_transitions"],
      rows: try truth.map {
        StreamFacts.TruthRow(truth: try code($0, stream), frames: $0["frames"])
      },
      onsets: try events.map { row in
        let (first, end): (Int, Int) = (row["first_frame"], row["end_frame"])
        guard 0 <= first, first < end, end <= frames else {
          throw damaged("an event of sequence \(name)")
        }
        let isObserved: Bool? = row["is_observed"]  // a store of version 1 has no such column
        return StreamFacts.Onset(
          label: try code(row, stream), frames: first..<end, isObserved: isObserved ?? false,
          duration: Seconds(row["duration_s"]))
      }, times: times)
  }

  private func code(_ row: Row, _ stream: AnswerStream) throws -> UInt8 {
    let code: Int = row["code"]
    guard stream.labels.indices.contains(code) else { throw damaged("the class \(code)") }
    return UInt8(code)
  }

  private func fixed(
    _ stream: AnswerStream, _ variant: Int
  ) throws -> [GridDescription.FixedParameter] {
    try rows("fixed_parameters", stream, variant, order: "position").map {
      GridDescription.FixedParameter(
        name: $0["parameter"], unit: $0["unit"], value: $0["value"])
    }
  }

  private func axes(_ stream: AnswerStream, _ variant: Int) throws -> [GridDescription.Axis] {
    let values = Dictionary(
      grouping: try rows("axis_values", stream, variant, order: "axis, place")
    ) { $0["axis"] as Int }
    return try rows("axes", stream, variant, order: "axis").map { row in
      let own = values[row["axis"]] ?? []
      guard own.count == row["count"], !own.isEmpty else {
        throw damaged("the values of axis \(row["parameter"] as String)")
      }
      return GridDescription.Axis(
        name: row["parameter"], unit: row["unit"], values: own.map { $0["value"] })
    }
  }

  private func rows(
    _ table: String, _ stream: AnswerStream, _ variant: Int? = nil, order: String
  ) throws -> [Row] {
    try Row.fetchAll(
      db,
      sql: "SELECT * FROM \(table) WHERE run = ? AND stream = ?"
        + (variant == nil ? "" : " AND variant = ?") + " ORDER BY \(order)",
      arguments: [run, stream.rawValue] + (variant.map { [$0] } ?? []))
  }

  private func damaged(_ what: String) -> RunStoreError {
    .corrupt(path: path, reason: what)
  }
}

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
