import Foundation
import GRDB
import PoseModel
import TestSupport
import Testing

@testable import Tuning

@Suite("Run databases")
struct RunDatabaseTests {
  @Test("Without a file there is nothing to read, and none is made")
  func missing() throws {
    let store = try TemporaryStore()
    #expect(throws: RunStoreError.noStore(path: store.path)) {
      try RunDatabase(reading: store.path)
    }
    #expect(throws: RunStoreError.noStore(path: store.folder)) {
      try RunDatabase(editing: store.folder)
    }
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test("A file that is not a database is refused and not changed")
  func text() throws {
    let store = try TemporaryStore()
    let bytes = Data(String(repeating: "t,p\n0.1,null\n", count: 200).utf8)
    try bytes.write(to: URL(fileURLWithPath: store.path))
    #expect(throws: RunStoreError.foreign(path: store.path)) {
      try RunDatabase(reading: store.path)
    }
    #expect(throws: RunStoreError.foreign(path: store.path)) {
      try RunDatabase(writing: store.path)
    }
    #expect(try store.bytes() == bytes)
  }

  @Test("Another program's database is refused and left as it is")
  func foreign() throws {
    let store = try TemporaryStore()
    let other = try DatabaseQueue(path: store.path)
    try other.inDatabase {
      try $0.execute(sql: "CREATE TABLE runs (a); INSERT INTO runs VALUES (1)")
    }
    try other.close()
    let bytes = try store.bytes()
    let error = RunStoreError.foreign(path: store.path)
    #expect(throws: error) { try RunDatabase(writing: store.path) }
    #expect(throws: error) { try RunDatabase(reading: store.path) }
    #expect(try store.bytes() == bytes)
  }

  @Test("A store says what it is: mark, version, page size, write-ahead log")
  func marks() throws {
    let store = try TemporaryStore()
    let database = try RunDatabase(writing: store.path)
    let marks = try database.queue.inDatabase { db in
      try ["application_id", "user_version", "page_size", "journal_mode", "foreign_keys"].map {
        try String.fetchOne(db, sql: "PRAGMA \($0)")
      }
    }
    #expect(marks == ["\(0x504C_4E4B)", "7", "16384", "wal", "1"])
  }

  @Test("Reading changes nothing and leaves one file")
  func reading() async throws {
    let store = try TemporaryStore()
    let sweep = try SweepCase()
    do {
      let writer = try RunDatabase(writing: store.path).begin(sweep.plan, at: Moments.start)
      try await sweep.run(writer, chunks: 1)
    }
    let bytes = try store.bytes()
    do {
      let database = try RunDatabase(reading: store.path)
      #expect(try database.runs().count == 1)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder) == ["runs.sqlite"])
    #expect(try store.bytes() == bytes)
  }

  @Test("An empty file is nothing to read, and becomes a store when written")
  func empty() throws {
    let store = try TemporaryStore()
    try Data().write(to: URL(fileURLWithPath: store.path))
    #expect(throws: RunStoreError.foreign(path: store.path)) {
      try RunDatabase(reading: store.path)
    }
    #expect(try RunDatabase(writing: store.path).runs().isEmpty)
    #expect(try RunDatabase(reading: store.path).runs().isEmpty)
  }

  @Test(
    "A store of another version says which one",
    arguments: [(8, "update planklab"), (6, "sweep again, into another store")])
  func otherVersion(found: Int, remedy: String) throws {
    let store = try TemporaryStore()
    let written = try RunDatabase(writing: store.path)
    try written.queue.inDatabase { try $0.execute(sql: "PRAGMA user_version = \(found)") }
    let error = RunStoreError.otherSchema(path: store.path, found: found, known: 7)
    #expect(throws: error) { try RunDatabase(reading: store.path) }
    #expect(throws: error) { try RunDatabase(writing: store.path) }
    #expect(error.description.contains(remedy))
  }

  @Test(
    "A store that cannot be written says so",
    .enabled(if: getuid() != 0, "not on this system: root may write everywhere"))
  func readOnlyFolder() throws {
    let store = try TemporaryStore()
    _ = try RunDatabase(writing: store.path)
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store.path)
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: store.folder)
    defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: store.folder) }
    let error = #expect(throws: RunStoreError.self) { try RunDatabase(writing: store.path) }
    #expect(try #require(error).description.contains("writable"))
  }

  @Test("A full disk loses the chunk and nothing before it")
  func full() async throws {
    let run = try await StoredRun(SweepCase(sequences: 20), chunks: 1)
    let (sweep, database, writer) = (run.sweep, run.database, run.writer)
    try await database.queue.write { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages)")
    }
    let table = try await sweep.sweep(.plank).evaluate(5..<36)
    #expect(throws: RunStoreError.full(path: run.store.path)) {
      try writer.write(.plank, table, at: Moments.later)
    }
    try await database.queue.write { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
    #expect(try database.run(writer.id).allCells(.plank)?.ids == [0, 1, 2, 3, 4])
    try writer.write(.plank, table, at: Moments.later)
    try await sweep.run(writer)
    try writer.finish(at: Moments.end)
  }

  @Test("A damaged page is an error, not other numbers")
  func damagedPage() async throws {
    let run = try await StoredRun()
    let store = run.store
    try run.database.queue.close()
    var bytes = try store.bytes()
    for index in bytes.indices.dropFirst(4096) { bytes[index] = 0x5A }
    try bytes.write(to: URL(fileURLWithPath: store.path))
    let error = #expect(throws: RunStoreError.self) {
      try RunDatabase(reading: store.path).run(run.writer.id)
    }
    guard case .corrupt = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "A cell whose numbers were changed is an error, not other numbers",
    arguments: ["numbers = x'01'", "numbers = x''", "right_frames = right_frames + 1"])
  func damagedCell(change: String) async throws {
    let run = try await StoredRun()
    try await run.database.queue.write {
      try $0.execute(sql: "UPDATE cells SET \(change) WHERE stream = 'plank' AND cell = 3")
    }
    #expect(throws: RunStoreError.corruptCell(run: run.writer.id, stream: .plank, cell: 3)) {
      try run.reader().allCells(.plank)
    }
  }

  @Test("Runs are listed by the time they were started, and found by the beginning of their id")
  func listing() throws {
    let store = try TemporaryStore()
    let database = try RunDatabase(writing: store.path)
    #expect(throws: RunStoreError.noRun(id: "", available: [])) { try database.run(nil) }
    var sweep = try SweepCase()
    let late = try database.begin(sweep.plan, at: Moments.later)
    let early = try database.begin(sweep.plan, at: Moments.start)
    sweep.experiment = "other"
    let last = try database.begin(sweep.plan, at: Moments.end)
    #expect(try database.runs().map(\.id) == [early.id, late.id, last.id])
    #expect(try database.run("20260101T0010").facts.id == last.id)
    #expect(try database.run(nil).facts.id == last.id)
    #expect(
      throws: RunStoreError.ambiguousRun(prefix: "20260101T000", matches: [early.id, late.id])
    ) { try database.run("20260101T000") }
    #expect(throws: RunStoreError.noRun(id: "x", available: [early.id, late.id, last.id])) {
      try database.run("x")
    }
    #expect(throws: RunStoreError.self) { try database.run("") }
  }

  @Test("Deleting takes the whole id, and takes everything of the run and nothing else")
  func deleting() async throws {
    let run = try await StoredRun()
    let (sweep, database, first) = (run.sweep, run.database, run.writer)
    let second = try database.begin(sweep.plan, at: Moments.later)
    try await sweep.run(second)
    let before = try Self.counts(database)
    #expect(throws: RunStoreError.self) { try database.delete(String(first.id.dropLast())) }
    #expect(try Self.counts(database) == before)
    try database.delete(first.id)
    #expect(try Self.counts(database) == before.map { $0 / 2 })
    #expect(try CellRowsTests.text(database.run(second.id)).isEmpty == false)
  }

  private static func counts(_ database: RunDatabase) throws -> [Int] {
    try database.queue.read { db in
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'table'
            AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%' ORDER BY name
          """)
      return try tables.map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? 0 }
    }
  }
}

/// The queries that `docs/store.md` shows.
@Suite("Documented queries") struct DocumentedQueriesTests {
  private static let document: String = { (try? Repository.text("docs/store.md")) ?? "" }()

  static let queries: [String] = document.components(separatedBy: "```sql\n").dropFirst()
    .compactMap { $0.components(separatedBy: "```").first }

  private static func filled(_ store: TemporaryStore) async throws -> RunDatabase {
    let sweep = try SweepCase()
    let database = try RunDatabase(writing: store.path)
    for time in [Moments.start, Moments.later] {
      let writer = try database.begin(sweep.plan, at: time)
      try await sweep.run(writer)
      try writer.finish(at: Moments.end)
    }
    return database
  }

  @Test("A query of the guide works as it stands and finds something", arguments: queries)
  func works(query: String) async throws {
    let store = try TemporaryStore()
    let database = try await Self.filled(store)
    let count = try await database.queue.read { try Row.fetchAll($0, sql: query).count }
    #expect(count > 0)
  }

  @Test("The guide lists every table and view with every column")
  func columns() throws {
    let store = try TemporaryStore()
    let written = try RunDatabase(writing: store.path)
    try written.queue.read { db in
      let names = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')
            AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%'
          """)
      for name in names {
        #expect(Self.document.contains("`\(name)`"), "\(name)")
        for column in try db.columns(in: name).map(\.name) {
          #expect(Self.document.contains("`\(column)`"), "\(name).\(column)")
        }
      }
    }
  }

  @Test("SQL and the program agree on the parameters of every cell")
  func parameters() async throws {
    let store = try TemporaryStore()
    let database = try await Self.filled(store)
    let id = try #require(try database.runs().last?.id)
    let reader = try database.run(id)
    for stream in AnswerStream.allCases {
      var rows = reader.rows(stream)
      while let batch = try rows.next() {
        for row in batch {
          let found = try await database.queue.read { db in
            try Row.fetchAll(
              db,
              sql: """
                SELECT parameter, value FROM cell_parameters JOIN runs ON runs.number = run
                WHERE id = ? AND stream = ? AND cell = ?
                """, arguments: [id, stream.rawValue, row.cell]
            ).map { CellRow.NamedValue(name: $0["parameter"], value: $0["value"]) }
          }
          #expect(Set(found) == Set(row.parameters))
        }
      }
    }
  }
}

@Suite("Concurrent writers") struct ConcurrentWritersTests {
  @Test("Many open a store that does not exist at the same time, and each stores its run")
  func opening() async throws {
    let store = try TemporaryStore()
    let sweep = try SweepCase()
    let path = store.path
    let plan = sweep.plan
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask { try RunDatabase(writing: path).begin(plan, at: Moments.start).id }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(ids).count == 8)
    #expect(try RunDatabase(reading: path).runs().count == 8)
  }

  @Test("Two sweeps write to one store at the same time and both end whole")
  func together() async throws {
    let store = try TemporaryStore()
    let path = store.path
    let base = try SweepCase()
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<2 {
        var sweep = base
        sweep.experiment = "experiment \(index)"
        group.addTask { [sweep] in
          let writer = try RunDatabase(writing: path).begin(sweep.plan, at: Moments.start)
          try await sweep.run(writer, length: 1)
          try writer.finish(at: Moments.end)
          return writer.id
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let database = try RunDatabase(reading: path)
    for stream in AnswerStream.allCases {
      let own = base.sweep(stream)
      for id in ids {
        let found = try database.run(id).allCells(stream)?.ids ?? []
        #expect(found == own.grid.accepted(in: 0..<own.grid.cellCount))
      }
    }
    #expect(try database.runs().allSatisfy { $0.finishedAt != nil })
  }
}
