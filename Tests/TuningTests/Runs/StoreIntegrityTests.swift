import Foundation
import GRDB
import PoseModel
import Testing

@testable import Tuning

/// Stores that were cut off, edited, or made to do harm.
@Suite("Store integrity") struct StoreIntegrityTests {
  private let store: TemporaryStore
  private let id: String

  init() async throws {
    let run = try await StoredRun()
    try run.writer.finish(at: Moments.end)
    try run.database.queue.close()
    (store, id) = (run.store, run.writer.id)
  }

  private func edit(_ sql: String) throws {
    let queue = try DatabaseQueue(path: store.path)
    try queue.inDatabase { try $0.execute(sql: "PRAGMA foreign_keys = OFF; " + sql) }
    try queue.close()
  }

  private func isCorrupt(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch RunStoreError.corrupt, RunStoreError.corruptRun, RunStoreError.corruptCell {
      return true
    } catch { return false }
  }

  private func read() throws {
    let reader = try RunDatabase(reading: store.path).run(id)
    for stream in reader.facts.streams.map(\.stream) {
      var rows = reader.rows(stream)
      while let batch = try rows.next() { _ = batch.map(\.subjects) }
    }
  }

  static let edits = [
    "UPDATE variants SET end_cell = 0", "UPDATE variants SET first_cell = -1",
    "UPDATE axes SET parameter = 'x'", "UPDATE axes SET count = 1",
    "DELETE FROM axis_values WHERE place = 0", "UPDATE axis_values SET value = 9e999",
    "UPDATE streams SET grid_cells = -1", "UPDATE streams SET grid_cells = 1 << 60",
    "UPDATE streams SET accepted = -3", "UPDATE streams SET numbers_per_cell = 1 << 40",
    "UPDATE sequences SET source = 'x'", "UPDATE sequences SET frames = 1 << 40",
    "UPDATE sequences SET times = x'00'",
    "UPDATE sequences SET frame_weight_s = -1", "UPDATE stream_sequences SET evaluated_s = 1e300",
    "UPDATE stream_sequences SET true_transitions = -1", "UPDATE truth SET frames = 1 << 62",
    "UPDATE truth SET code = code + 77", "UPDATE events SET end_frame = 1 << 50",
    "UPDATE runs SET seed = 'x'", "UPDATE runs SET opened = 0",
    "UPDATE runs SET created_at = 'x'", "UPDATE cells SET cell = cell + 1000000",
  ]

  @Test("Numbers that no sweep wrote are refused, checksum or not", arguments: edits)
  func limits(sql: String) throws {
    try read()
    try edit(sql + "; UPDATE runs SET checksum = 0; UPDATE cells SET checksum = 0")
    #expect(isCorrupt { try read() })
  }

  @Test(
    "A list of runs names those that do not fit together, keeps the others, and lets them go",
    arguments: [
      "UPDATE runs SET seed = 'x'", "UPDATE stream_sequences SET evaluated_s = 1e300",
      "UPDATE variants SET end_cell = 0",
      "UPDATE axes SET parameter = (SELECT parameter FROM axes LIMIT 1)",
      "UPDATE sequences SET frames = 1 << 40", "UPDATE sequences SET subject = 'other'",
    ])
  func list(sql: String) throws {
    #expect(try RunDatabase(reading: store.path).listing().damaged.isEmpty)
    try edit(sql)
    let database = try RunDatabase(writing: store.path)
    let good = try database.begin(try SweepCase().plan, at: Moments.end)
    let listing = try database.listing()
    #expect(listing.runs.map(\.id) == [good.id] && listing.damaged.map(\.id) == [id])
    #expect(try database.run(good.id).facts.id == good.id)
    #expect(try database.run(nil).facts.id == good.id)
    #expect(isCorrupt { _ = try database.run(id) })
    #expect(try database.delete(id) > 0)
    #expect(try database.listing().damaged.isEmpty)
  }

  @Test(
    "What was edited within all limits does not fit its checksum",
    arguments: [
      "UPDATE axis_values SET value = value + 0.001", "UPDATE sequences SET subject = 'other'",
      "UPDATE variants SET detector = 'other'", "UPDATE runs SET dataset_hash = '0'",
      "UPDATE cells SET checksum = checksum + 1 WHERE cell = 1",
    ])
  func checksums(sql: String) throws {
    try edit(sql)
    #expect(isCorrupt { try read() })
  }

  @Test("A file that was cut off is damaged, wherever", arguments: [0.3, 0.6, 0.95])
  func truncated(share: Double) throws {
    let bytes = try store.bytes()
    try bytes.prefix(Int(Double(bytes.count) * share)).write(to: URL(fileURLWithPath: store.path))
    #expect(isCorrupt { _ = try RunDatabase(reading: store.path) })
    #expect(isCorrupt { _ = try RunDatabase(writing: store.path) })
  }

  @Test(
    "Tables that are not as we make them are refused",
    arguments: [
      "ALTER TABLE cells RENAME COLUMN numbers TO digits", "DROP VIEW progress",
      "DROP INDEX runs_by_experiment",
      "ALTER TABLE cells ADD COLUMN x INTEGER AS (length(numbers))",
      "DROP INDEX runs_by_experiment; CREATE INDEX runs_by_experiment ON runs (hex(grid))",
    ])
  func tables(sql: String) throws {
    try edit(sql)
    #expect(isCorrupt { _ = try RunDatabase(reading: store.path) })
  }

  static let foreignParts = [
    ("trigger", "t", "CREATE TRIGGER t AFTER INSERT ON cells BEGIN DELETE FROM runs; END"),
    ("trigger", "runs", "CREATE TRIGGER runs AFTER INSERT ON cells BEGIN DELETE FROM runs; END"),
    ("trigger", "grdb_t", "CREATE TRIGGER grdb_t AFTER INSERT ON cells BEGIN SELECT 1; END"),
    ("index", "i", "CREATE INDEX i ON cells (length(hex(zeroblob(1000))))"),
    ("index", "i", "CREATE INDEX i ON cells (run) WHERE length(numbers) > 3"),
    ("index", "i", "CREATE INDEX i ON cells (right_frames)"),
    ("table", "t", "CREATE TABLE t (a CHECK (length(hex(zeroblob(1000))) > 0))"),
    ("table", "t", "CREATE TABLE t (a, b AS (hex(a)))"),
    ("table", "t", "CREATE VIRTUAL TABLE t USING fts5(a)"),
  ]

  @Test(
    "What others made and what could run in a store is refused by name", arguments: foreignParts)
  func foreign(kind: String, name: String, sql: String) throws {
    try edit(sql)
    let expected = RunStoreError.foreignPart(path: store.path, name: name, kind: kind)
    #expect(throws: expected) { try RunDatabase(reading: store.path) }
    #expect(throws: expected) { try RunDatabase(writing: store.path) }
  }

  @Test("An expression of others does not run before it is refused")
  func slowExpression() throws {
    try edit("CREATE TABLE t (a CHECK (length(hex(zeroblob(1000000))) > 0))")
    let rows = (0..<4_000).map { "(\($0))" }.joined(separator: ",")
    try edit("PRAGMA ignore_check_constraints = ON; INSERT INTO t VALUES \(rows)")
    let start = ContinuousClock.now
    #expect(throws: RunStoreError.self) { try RunDatabase(reading: store.path) }
    // Run, it would take ten times as long.
    #expect(ContinuousClock.now - start < .seconds(2))
  }

  @Test("A view and a plain table of one's own do no harm, nor do SQLite's statistics")
  func view() throws {
    try edit(
      "CREATE VIEW mine AS SELECT id FROM runs; CREATE TABLE notes (run TEXT UNIQUE, note TEXT); "
        + "ANALYZE")
    try read()
  }

  @Test(
    "Sums by source that were edited are found",
    arguments: [
      "UPDATE cell_sources SET right_frames = right_frames + 1 WHERE source = 'gym'",
      "DELETE FROM cell_sources WHERE source = 'gym'",
    ])
  func sources(sql: String) async throws {
    let run = try await StoredRun(SweepCase(sequences: 4, sources: ["gym", "web"]))
    func text() throws -> [String] {
      try CellRowsTests.text(RunDatabase(reading: run.store.path).run(run.writer.id))
    }
    _ = try text()
    let queue = try DatabaseQueue(path: run.store.path)
    try await queue.write { try $0.execute(sql: sql) }
    try queue.close()
    #expect(throws: RunStoreError.self) { try text() }
  }
}
