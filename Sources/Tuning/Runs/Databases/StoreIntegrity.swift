internal import GRDB
internal import Platform

/// A store is a file like any other: it can be truncated by a copy, edited with a tool, or made to
/// do harm; nothing is read from a store before this check.
enum StoreIntegrity {
  /// What others put into the file is judged first, because its expressions would run during the
  /// check of pages; O(bytes of the file).
  static func check(_ db: Database, _ path: String) throws {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let own = try StoreSchema.parts(version: version)
    let known = try parts(db)
    let foreign = known.subtracting(own).filter { part in
      !part.isHarmless || own.contains { $0.name == part.name && $0.kind == part.kind }
    }
    if let part = foreign.min(by: { $0.name < $1.name }) {
      throw own.contains { $0.name == part.name && $0.kind == part.kind }
        ? RunStoreError.corrupt(path: path, reason: "`\(part.name)` is not as planklab makes it")
        : .foreignPart(path: path, name: part.name, kind: part.kind)
    }
    if let part = own.subtracting(known).min(by: { $0.name < $1.name }) {
      throw RunStoreError.corrupt(path: path, reason: "`\(part.name)` is not as planklab makes it")
    }
    let problem = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
    guard problem == "ok" else {
      let words = problem.split(separator: "\n").joined(separator: " ")
      throw RunStoreError.corrupt(path: path, reason: words)
    }
  }

  struct Part: Hashable {
    let kind: String
    let name: String
    let table: String
    let definition: String?

    /// Whether it runs nothing when a store is opened or written: a view, a plain table, what
    /// SQLite adds for a key of one, its statistics.
    var isHarmless: Bool {
      switch kind {
      case "view": true
      case "index": definition == nil
      case "table":
        definition.map { definition in
          let words = definition.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
          return words.starts(with: ["CREATE", "TABLE"])
            && !words.contains { ["CHECK", "GENERATED", "AS"].contains($0) }
        } ?? false
      default: false
      }
    }
  }

  static func parts(_ db: Database) throws -> Set<Part> {
    let rows = try Row.fetchAll(db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema")
    return Set(
      rows.map {
        Part(kind: $0["type"], name: $0["name"], table: $0["tbl_name"], definition: $0["sql"])
      })
  }

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

  static func checksum(
    ofCell cell: Int, _ stream: String, _ bytes: some Sequence<UInt8>
  ) -> Int64 {
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
