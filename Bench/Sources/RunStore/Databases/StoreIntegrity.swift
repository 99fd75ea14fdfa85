internal import Essentials
internal import GRDB

/// Whether a file is as this program wrote it: its pages, its tables, and checksums over their
/// contents.
///
/// A store is a file like any other: it can be truncated by a copy, edited with a tool, or made to
/// do harm. Nothing is read from a store before this check.
enum StoreIntegrity {
  /// Checks pages, types and tables.
  ///
  /// - Throws: `RunStoreError.corrupt` with the first problem.
  /// - Complexity: O(bytes of the file).
  static func check(_ db: Database, _ path: String) throws {
    let problem = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
    guard problem == "ok" else {
      let words = problem.split(separator: "\n").joined(separator: " ")
      throw RunStoreError.corrupt(path: path, reason: words)
    }
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let known = try tables(db)
    for (name, definition) in try StoreSchema.tables(version: version)
    where known[name] != definition {
      throw RunStoreError.corrupt(path: path, reason: "`\(name)` is not as planklab makes it")
    }
    if let trigger = known.first(where: { $0.value.hasPrefix("trigger ") }) {
      throw RunStoreError.corrupt(path: path, reason: "`\(trigger.key)` is a trigger")
    }
  }

  /// The tables, indexes and views of a database with their definitions, by name.
  static func tables(_ db: Database) throws -> [String: String] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT name, type || ' ' || coalesce(sql, '') AS definition FROM sqlite_schema
        WHERE name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
        """)
    return Dictionary(rows.map { ($0["name"], $0["definition"]) }) { first, _ in first }
  }

  /// A checksum over all facts of a run that precede its cells.
  ///
  /// - Complexity: O(values).
  static func checksum(ofRun number: Int64, _ db: Database) throws -> Int64 {
    var sum = Checksum()
    let constant =
      "id, experiment, dataset, dataset_hash, split, program, seed, shard_index, shard_count, grid"
    try sum.add(
      Row.fetchCursor(db, sql: "SELECT \(constant) FROM runs WHERE number = ?", arguments: [number])
    )
    for (table, order) in [
      ("streams", "stream"), ("sequences", "sequence"), ("stream_sequences", "stream, sequence"),
      ("truth", "stream, sequence, code"), ("events", "stream, sequence, event"),
      ("variants", "stream, variant"), ("constraints", "stream, position"),
      ("fixed_parameters", "stream, variant, position"), ("axes", "stream, variant, axis"),
      ("axis_values", "stream, variant, axis, place"),
    ] {
      let rows = try Row.fetchCursor(
        db, sql: "SELECT * FROM \(table) WHERE run = ? ORDER BY \(order)", arguments: [number])
      try sum.add(rows)
    }
    return sum.value
  }

  /// A checksum over a cell: its stream, its id and its numbers.
  static func checksum(ofCell cell: Int, _ stream: String, _ bytes: Data) -> Int64 {
    var sum = Checksum()
    sum.add(stream.utf8)
    sum.add(UInt64(bitPattern: Int64(cell)))
    sum.add(bytes)
    return sum.value
  }
}

/// The 64-bit FNV-1a hash: it detects damage and edits, but not those of somebody who recomputes
/// it.
///
/// Source: G. Fowler, L. C. Noll, K.-P. Vo and D. Eastlake, "The FNV Non-Cryptographic Hash
/// Algorithm" (IETF draft).
private struct Checksum {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The checksum as SQLite stores it.
  var value: Int64 { Int64(bitPattern: state) }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }

  mutating func add(_ data: Data) {
    data.withUnsafeBytes { bytes in
      for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
  }

  mutating func add(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      add(CollectionOfOne(UInt8(truncatingIfNeeded: number >> shift)))
    }
  }

  /// Adds rows without the run's number, which differs if runs are merged, and without a missing
  /// source: runs of earlier versions have no such column in their checksum.
  mutating func add(_ rows: RowCursor) throws {
    while let row = try rows.next() {
      for (name, value) in row where name != "run" && !(name == "source" && value.isNull) {
        switch value.storage {
        case .null: add(CollectionOfOne(0))
        case .int64(let number): add(UInt64(bitPattern: number))
        case .double(let number): add(number.bitPattern)
        case .string(let text): add(text.utf8)
        case .blob(let data): add(data)
        }
        add(CollectionOfOne(0xFF))
      }
    }
  }
}
