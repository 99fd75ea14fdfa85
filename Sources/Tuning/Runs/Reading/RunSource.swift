internal import GRDB
internal import Platform
internal import PoseModel

struct RunSource {
  let db: Database
  let path: String
  let run: Int64

  func checkSum(_ checksum: Int64) throws {
    guard try StoreIntegrity.checksum(ofRun: run, db) == checksum else {
      throw damaged("a run was edited: its checksum does not match")
    }
  }

  func grid(_ stream: AnswerStream) throws -> GridDescription {
    let rows = try rows("variants", stream, order: "variant")
    let grid = GridDescription(
      stream: stream,
      variants: try rows.map { row in
        let variant: Int = row["variant"]
        return GridDescription.Variant(
          detector: row["detector"], vertical: row["axes_reading"],
          rules: (row["rules"] as String).split(separator: "\n").map(String.init),
          smoothing: row["smoothing"], fixed: try fixed(stream, variant),
          axes: try axes(stream, variant))
      },
      constraints: try self.rows("constraints", stream, order: "position").map { $0["text"] })
    try check(grid, rows)
    return grid
  }

  private func check(_ grid: GridDescription, _ rows: [Row]) throws {
    var first = 0
    for (variant, row) in zip(grid.variants, rows) {
      guard let count = variant.radix?.count, StoreLimits.cells.contains(count) else {
        throw damaged("the number of \(grid.stream.rawValue) configurations")
      }
      let (begin, end): (Int, Int) = (row["first_cell"], row["end_cell"])
      guard begin == first, StoreLimits.cells.contains(first + count), end == first + count else {
        throw damaged("the cells of detector \(variant.detector)")
      }
      first = end
    }
  }

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
    let layout = StatisticsLayout(StreamFacts(stream, facts: sequences))
    guard let row, layout.stride == row["numbers_per_cell"] else {
      throw damaged("the layout of \(stream.rawValue) configurations")
    }
    return layout
  }

  private func facts(
    _ stream: AnswerStream, _ row: Row, _ truth: [Row], _ events: [Row]
  ) throws -> StreamFacts.SequenceFacts {
    let name: String = row["name"]
    let frames: Int = row["frames"]
    guard let times = TimeBlob.times(row["times"]), times.count == frames,
      times.allSatisfy(\.isFinite)
    else {
      throw damaged("the times of sequence \(name)")
    }
    return StreamFacts.SequenceFacts(
      name: name, subject: row["subject"], source: row["source"],
      frameWeight: try seconds(row, "frame_weight_s"),
      evaluatedSeconds: try seconds(row, "evaluated_s"),
      trueTransitions: try count(row, "true_transitions", atMost: frames),
      rows: try truth.map {
        StreamFacts.TruthRow(
          truth: try code($0, stream), frames: try count($0, "frames", atMost: frames),
          ticks: ($0["ticks"] as Int64?).map { UInt64(bitPattern: $0) })
      },
      onsets: try events.map { row in
        let (first, end): (Int, Int) = (row["first_frame"], row["end_frame"])
        guard 0 <= first, first < end, end <= frames,
          zip(times[first..<end], times[first..<end].dropFirst()).allSatisfy({ $0 < $1 })
        else {
          throw damaged("an event of sequence \(name)")
        }
        return StreamFacts.Onset(
          label: try code(row, stream), frames: first..<end, isObserved: row["is_observed"],
          duration: try seconds(row, "duration_s"))
      }, times: times)
  }

  private func seconds(_ row: Row, _ name: String) throws -> Seconds {
    let value: Double = row[name]
    guard StoreLimits.seconds.contains(value) else { throw damaged("\(name) of \(value)") }
    return Seconds(value)
  }

  private func count(_ row: Row, _ name: String, atMost most: Int) throws -> Int {
    let value: Int = row[name]
    guard value >= 0, value <= most else { throw damaged("\(name) of \(value)") }
    return value
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
        parameter: $0["parameter"], unit: $0["unit"], value: $0["value"])
    }
  }

  private func axes(_ stream: AnswerStream, _ variant: Int) throws -> [GridDescription.Axis] {
    let values = Dictionary(
      grouping: try rows("axis_values", stream, variant, order: "axis, place")
    ) { $0["axis"] as Int }
    let axes = try rows("axes", stream, variant, order: "axis")
    guard Set(axes.map { $0["parameter"] as String }).count == axes.count else {
      throw damaged("an axis that appears twice")
    }
    return try axes.map { row in
      let own = values[row["axis"]] ?? []
      guard own.count == row["count"], !own.isEmpty,
        own.allSatisfy({ ($0["value"] as Double).isFinite })
      else {
        throw damaged("the values of axis \(row["parameter"] as String)")
      }
      return GridDescription.Axis(
        parameter: row["parameter"], unit: row["unit"], values: own.map { $0["value"] })
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

  private func damaged(_ what: String) -> RunStoreError { .corrupt(path: path, reason: what) }
}

/// `RunPlan.check` ensures that a sweep stays within these limits.
enum StoreLimits {
  static let cells = 0...(1 << 53)
  static let seconds = 0.0...1e12
  static let openings = 1...1_000_000_000
}

extension StreamFacts {
  func checkLimits() throws {
    for sequence in sequences {
      let lengths =
        [
          ("a frame stands for", sequence.frameWeight), ("scored are", sequence.evaluatedSeconds),
        ] + sequence.onsets.map { ("an event lasts", $0.duration) }
      for (words, length) in lengths where !StoreLimits.seconds.contains(length.value) {
        throw RunStoreError.beyondLimits(sequence: sequence.name, found: "\(words) \(length)")
      }
      guard sequence.times.allSatisfy(\.isFinite) else {
        throw RunStoreError.beyondLimits(sequence: sequence.name, found: "a time is not finite")
      }
    }
  }
}

struct RunRow: Sendable {
  let number: Int64
  let opened: Int
  let grid: String
  let checksum: Int64
  let facts: RunFacts

  static func fetch(
    _ db: Database, _ path: String, where condition: String = "true",
    _ arguments: StatementArguments = []
  ) throws -> [RunRow] { try attempts(db, path, where: condition, arguments).map { try $0.get() } }

  static func attempts(
    _ db: Database, _ path: String, where condition: String = "true",
    _ arguments: StatementArguments = []
  ) throws -> [Result<RunRow, RunStoreError>] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT * FROM runs WHERE \(condition) ORDER BY created_at, id",
      arguments: arguments)
    return try rows.map { row in
      do {
        return .success(try RunRow(db, row, path))
      } catch RunStoreError.corrupt(_, let reason) {
        return .failure(.corruptRun(path: path, run: row["id"], reason: reason))
      }
    }
  }

  private init(_ db: Database, _ row: Row, _ path: String) throws {
    func damaged(_ what: String) -> RunStoreError { .corrupt(path: path, reason: what) }
    func time(_ text: String) throws -> Date {
      guard let time = RunName.time(text) else { throw damaged("the time `\(text)`") }
      return time
    }
    let run: Int64 = row["number"]
    number = run
    opened = row["opened"]
    grid = row["grid"]
    checksum = row["checksum"]
    let streams = try Row.fetchAll(
      db,
      sql: """
        SELECT *, (SELECT count(*) FROM cells
          WHERE cells.run = streams.run AND cells.stream = streams.stream) AS stored
        FROM streams WHERE run = ? ORDER BY stream = 'form'
        """, arguments: [run])
    guard let seed = UInt64(row["seed"] as String), StoreLimits.openings.contains(opened) else {
      throw damaged("run \(row["id"] as String)")
    }
    let dataset = RunIdentity.Dataset(
      name: row["dataset"], hash: row["dataset_hash"], split: row["split"],
      calibration: row["calibration"])
    facts = RunFacts(
      id: row["id"],
      identity: RunIdentity(
        experiment: row["experiment"], dataset: dataset, program: row["program"], seed: seed),
      createdAt: try time(row["created_at"]), writtenAt: try time(row["written_at"]),
      finishedAt: try (row["finished_at"] as String?).map(time), openedCount: opened,
      streams: try streams.map { row in
        let (all, accepted): (Int, Int) = (row["grid_cells"], row["accepted"])
        guard let stream = AnswerStream(rawValue: row["stream"]), StoreLimits.cells.contains(all),
          (0...all).contains(accepted)
        else { throw damaged("the stream `\(row["stream"] as String)`") }
        return RunFacts.Stream(
          stream: stream, gridCellCount: all, acceptedCount: accepted,
          rejectedCount: all - accepted, storedCount: row["stored"])
      })
  }
}
