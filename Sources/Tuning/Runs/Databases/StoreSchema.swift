internal import GRDB

/// The tables of a store; `docs/store.md` explains them for queries.
///
/// A released migration is never edited: a change of the tables is a new one.
enum StoreSchema {
  static let version = 4
  /// The mark of our files, in `PRAGMA application_id`: `PLNK`.
  static let applicationID = 0x504C_4E4B

  /// Bytes per page: cells of a few kilobytes fill most of it, while 4096 would leave a third
  /// empty.
  static let pageSize = 16_384

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration(runsAndCells, foreignKeyChecks: .immediate) { db in
      try db.execute(sql: runs + data + grids + cells + views)
      try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = 1")
    }
    migrator.registerMigration(observedStarts, foreignKeyChecks: .immediate) { db in
      try db.execute(
        sql: """
          ALTER TABLE events ADD COLUMN is_observed INTEGER NOT NULL DEFAULT 0;
          PRAGMA user_version = 2
          """)
    }
    migrator.registerMigration(checksums, foreignKeyChecks: .immediate) { db in
      try db.execute(
        sql: """
          ALTER TABLE runs ADD COLUMN checksum INTEGER;
          ALTER TABLE cells ADD COLUMN checksum INTEGER;
          PRAGMA user_version = 3
          """)
    }
    migrator.registerMigration(sources, foreignKeyChecks: .immediate) { db in
      try db.execute(
        sql: """
          ALTER TABLE sequences ADD COLUMN source TEXT;
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
          PRAGMA user_version = 4
          """)
    }
    return migrator
  }

  static func parts(version: Int) throws -> Set<StoreIntegrity.Part> {
    let connection = StoreConnection(try DatabaseQueue())
    let steps = [runsAndCells, observedStarts, checksums, sources]
    try migrator.migrate(connection.queue, upTo: steps[min(max(version, 1), steps.count) - 1])
    // The list of steps belongs to GRDB, whose other versions may word it in another way.
    return try connection.queue.read(StoreIntegrity.parts)
      .filter { !$0.table.hasPrefix("grdb_") }
  }

  private static let runsAndCells = "1 runs and cells"
  private static let observedStarts = "2 observed starts"
  private static let checksums = "3 checksums"
  private static let sources = "4 sources"
  private static let runs = """
    CREATE TABLE runs (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      experiment TEXT NOT NULL,
      dataset TEXT NOT NULL,
      dataset_hash TEXT NOT NULL,
      split TEXT,
      program TEXT NOT NULL,
      seed TEXT NOT NULL,
      shard_index INTEGER NOT NULL,
      shard_count INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      written_at TEXT NOT NULL,
      finished_at TEXT,
      opened INTEGER NOT NULL,
      grid TEXT NOT NULL
    ) STRICT;
    CREATE INDEX runs_by_experiment ON runs (experiment, shard_index, shard_count);
    CREATE TABLE streams (
      run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
      stream TEXT NOT NULL CHECK (stream IN ('plank', 'form')),
      grid_cells INTEGER NOT NULL,
      first_cell INTEGER NOT NULL,
      end_cell INTEGER NOT NULL,
      accepted INTEGER NOT NULL,
      scored_frames INTEGER NOT NULL,
      true_transitions INTEGER NOT NULL,
      true_events INTEGER NOT NULL,
      keeps_determined INTEGER NOT NULL,
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
      PRIMARY KEY (run, stream, cell),
      FOREIGN KEY (run, stream) REFERENCES streams ON DELETE CASCADE
    ) STRICT;

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
