internal import GRDB
internal import Platform

enum StoreSchema {
  static let version = 7
  static let applicationID = 0x504C_4E4B

  /// Configurations of a few kilobytes fill most of such a page; pages of 4096 bytes would be a
  /// third empty.
  static let pageSize = 16_384

  static func make(_ db: Database) throws {
    try db.execute(sql: runs + data + grids + cells + views)
    try db.execute(
      sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
  }

  static func parts() throws -> Set<StoreIntegrity.Part> {
    let connection = StoreConnection(try DatabaseQueue())
    return try connection.queue.inDatabase { db in
      try make(db)
      return try StoreIntegrity.parts(db)
    }
  }

  private static let runs = """
    CREATE TABLE runs (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      experiment TEXT NOT NULL,
      dataset TEXT NOT NULL,
      dataset_hash TEXT NOT NULL,
      split TEXT,
      calibration TEXT,
      program TEXT NOT NULL,
      seed TEXT NOT NULL,
      created_at TEXT NOT NULL,
      written_at TEXT NOT NULL,
      finished_at TEXT,
      opened INTEGER NOT NULL,
      grid TEXT NOT NULL,
      checksum INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX runs_by_experiment ON runs (experiment);
    CREATE TABLE streams (
      run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
      stream TEXT NOT NULL CHECK (stream IN ('plank', 'form')),
      grid_cells INTEGER NOT NULL,
      accepted INTEGER NOT NULL,
      scored_frames INTEGER NOT NULL,
      true_transitions INTEGER NOT NULL,
      true_events INTEGER NOT NULL,
      numbers_per_cell INTEGER NOT NULL,
      PRIMARY KEY (run, stream)
    ) STRICT, WITHOUT ROWID;

    """

  private static let data = """
    CREATE TABLE sequences (
      run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
      sequence INTEGER NOT NULL,
      name TEXT NOT NULL,
      subject TEXT,
      frame_weight_s REAL NOT NULL,
      frames INTEGER NOT NULL,
      times BLOB NOT NULL,
      source TEXT,
      PRIMARY KEY (run, sequence)
    ) STRICT;
    CREATE TABLE stream_sequences (
      run INTEGER NOT NULL,
      stream TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      evaluated_s REAL NOT NULL,
      true_transitions INTEGER NOT NULL,
      PRIMARY KEY (run, stream, sequence),
      FOREIGN KEY (run, stream) REFERENCES streams ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE truth (
      run INTEGER NOT NULL,
      stream TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      class TEXT NOT NULL,
      code INTEGER NOT NULL,
      frames INTEGER NOT NULL,
      ticks INTEGER,
      PRIMARY KEY (run, stream, sequence, code),
      FOREIGN KEY (run, stream) REFERENCES streams ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE events (
      run INTEGER NOT NULL,
      stream TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      event INTEGER NOT NULL,
      class TEXT NOT NULL,
      code INTEGER NOT NULL,
      first_frame INTEGER NOT NULL,
      end_frame INTEGER NOT NULL,
      start_s REAL NOT NULL,
      duration_s REAL NOT NULL,
      is_observed INTEGER NOT NULL,
      PRIMARY KEY (run, stream, sequence, event),
      FOREIGN KEY (run, stream) REFERENCES streams ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    """

  private static let grids = """
    CREATE TABLE variants (
      run INTEGER NOT NULL,
      stream TEXT NOT NULL,
      variant INTEGER NOT NULL,
      detector TEXT NOT NULL,
      axes_reading TEXT NOT NULL,
      smoothing TEXT NOT NULL,
      first_cell INTEGER NOT NULL,
      end_cell INTEGER NOT NULL,
      rules TEXT NOT NULL,
      PRIMARY KEY (run, stream, variant),
      FOREIGN KEY (run, stream) REFERENCES streams ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE constraints (
      run INTEGER NOT NULL,
      stream TEXT NOT NULL,
      position INTEGER NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (run, stream, position),
      FOREIGN KEY (run, stream) REFERENCES streams ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE fixed_parameters (
      run INTEGER NOT NULL,
      stream TEXT NOT NULL,
      variant INTEGER NOT NULL,
      position INTEGER NOT NULL,
      parameter TEXT NOT NULL,
      unit TEXT NOT NULL,
      value REAL NOT NULL,
      PRIMARY KEY (run, stream, variant, position),
      FOREIGN KEY (run, stream, variant) REFERENCES variants ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE axes (
      run INTEGER NOT NULL,
      stream TEXT NOT NULL,
      variant INTEGER NOT NULL,
      axis INTEGER NOT NULL,
      parameter TEXT NOT NULL,
      unit TEXT NOT NULL,
      stride INTEGER NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (run, stream, variant, axis),
      FOREIGN KEY (run, stream, variant) REFERENCES variants ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE axis_values (
      run INTEGER NOT NULL,
      stream TEXT NOT NULL,
      variant INTEGER NOT NULL,
      axis INTEGER NOT NULL,
      place INTEGER NOT NULL,
      value REAL NOT NULL,
      PRIMARY KEY (run, stream, variant, axis, place),
      FOREIGN KEY (run, stream, variant, axis) REFERENCES axes ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    """

  private static let cells = """
    CREATE TABLE cells (
      run INTEGER NOT NULL,
      stream TEXT NOT NULL,
      cell INTEGER NOT NULL,
      right_frames INTEGER NOT NULL,
      transitions INTEGER NOT NULL,
      detected_events INTEGER NOT NULL,
      numbers BLOB NOT NULL,
      checksum INTEGER NOT NULL,
      PRIMARY KEY (run, stream, cell),
      FOREIGN KEY (run, stream) REFERENCES streams ON DELETE CASCADE
    ) STRICT;
    CREATE TABLE cell_sources (
      run INTEGER NOT NULL,
      stream TEXT NOT NULL,
      cell INTEGER NOT NULL,
      source TEXT NOT NULL,
      right_frames INTEGER NOT NULL,
      transitions INTEGER NOT NULL,
      detected_events INTEGER NOT NULL,
      PRIMARY KEY (run, stream, cell, source),
      FOREIGN KEY (run, stream, cell) REFERENCES cells ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    """

  private static let views = """
    CREATE VIEW cell_parameters AS
    SELECT cells.run, cells.stream, cells.cell, variants.detector, variants.smoothing,
      axes.parameter, axes.unit, axis_values.value
    FROM cells
    JOIN variants ON variants.run = cells.run AND variants.stream = cells.stream
      AND cells.cell >= variants.first_cell AND cells.cell < variants.end_cell
    JOIN axes ON axes.run = cells.run AND axes.stream = cells.stream
      AND axes.variant = variants.variant
    JOIN axis_values ON axis_values.run = cells.run AND axis_values.stream = cells.stream
      AND axis_values.variant = axes.variant AND axis_values.axis = axes.axis
      AND axis_values.place = (cells.cell - variants.first_cell) / axes.stride % axes.count;
    CREATE VIEW progress AS
    SELECT runs.id, runs.experiment, streams.stream, streams.accepted AS cells,
      (SELECT count(*) FROM cells
        WHERE cells.run = streams.run AND cells.stream = streams.stream) AS stored
    FROM streams JOIN runs ON runs.number = streams.run;
    """
}

/// The check of a store, which may be truncated, edited or harmful, before anything else is read
/// from it.
enum StoreIntegrity {
  /// Judges foreign parts first, because their expressions would run during the check of pages.
  static func check(_ db: Database, _ path: String) throws {
    let own = try StoreSchema.parts()
    let known = try parts(db)
    let foreign = known.subtracting(own).filter { part in
      !part.isHarmless || own.contains { $0.name == part.name && $0.kind == part.kind }
    }
    let missing = own.subtracting(known)
    for part in [foreign, missing].compactMap({ $0.min { $0.name < $1.name } }) {
      throw own.contains { $0.name == part.name && $0.kind == part.kind }
        ? RunStoreError.corrupt(path: path, reason: "`\(part.name)` is not as planklab created it")
        : .foreignPart(path: path, name: part.name, kind: part.kind)
    }
    try checkSize(db, path)
    let problem = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
    guard problem == "ok" else {
      let words = problem.split(separator: "\n").joined(separator: " ")
      throw RunStoreError.corrupt(path: path, reason: words)
    }
  }

  /// Without a log, SQLite's own check passes a file that lacks a page to which nothing points.
  private static func checkSize(_ db: Database, _ path: String) throws {
    func size(_ path: String) -> Int {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return attributes?[.size] as? Int ?? 0
    }
    let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
    let bytes = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
    let place = URL(filePath: path).resolvingSymlinksInPath().path
    guard size(place + "-wal") == 0, size(place) < pages * bytes else { return }
    throw RunStoreError.corrupt(path: path, reason: "it was cut off")
  }

  struct Part: Hashable {
    let kind: String
    let name: String
    let table: String
    let definition: String?

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
      "id, experiment, dataset, dataset_hash, split, calibration, program, seed, grid"
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
    ofCell cell: Int, _ stream: String, _ bytes: UnsafeRawBufferPointer
  ) -> Int64 {
    var sum = Checksum()
    sum.add(stream.utf8)
    sum.add(UInt64(bitPattern: Int64(cell)))
    sum.addWords(bytes)
    return sum.value
  }
}

/// The 64-bit FNV-1a hash (Fowler, Noll and Vo; RFC 9923) detects damage, but not deliberate
/// forgery.
private struct Checksum {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  var value: Int64 { Int64(bitPattern: state) }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }

  mutating func add(_ data: Data) {
    data.withUnsafeBytes { add($0) }
  }

  mutating func addWords(_ bytes: UnsafeRawBufferPointer) {
    let whole = bytes.count & ~7
    for place in stride(from: 0, to: whole, by: 8) {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      state = (state ^ UInt64(littleEndian: word)) &* 0x0000_0100_0000_01B3
    }
    add(bytes[whole...])
  }

  mutating func add(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      add(CollectionOfOne(UInt8(truncatingIfNeeded: number >> shift)))
    }
  }

  /// Leaves out the run's number, which differs between stores.
  mutating func add(_ rows: RowCursor) throws {
    while let row = try rows.next() {
      for (name, value) in row where name != "run" {
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
