import Foundation
import GRDB
import PoseModel
import TestSupport
import Testing

@testable import Tuning

/// The queries that `docs/store.md` shows.
@Suite("Documented queries")
struct DocumentedQueriesTests {
  private static let document: String = {
    (try? Repository.text("docs/store.md")) ?? ""
  }()

  /// Every block of SQL.
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

  @Test("There are queries to try")
  func queriesExist() { #expect(Self.queries.count >= 5) }

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
