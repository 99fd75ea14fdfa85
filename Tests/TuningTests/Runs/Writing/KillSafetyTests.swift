import Foundation
import GRDB
import PoseModel
import Testing

@testable import Tuning

/// A kill leaves the file and its log as they are at that moment; a copy of both is the same thing.
@Suite("Kill safety")
struct KillSafetyTests {
  /// Copies the leftovers of a kill inside a transaction: changed pages in the log, no commit.
  private func kill(_ database: RunDatabase, into copy: TemporaryStore) async throws {
    let (path, target) = (database.path, copy.path)
    try await database.queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
      try db.beginTransaction(.immediate)
      let before = try Self.size(path + "-wal")
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 1400)
          INSERT INTO cells SELECT run, stream, i, 0, 0, 0, randomblob(500), NULL FROM n, streams
          """)
      #expect(try Self.size(path + "-wal") > before, "uncommitted pages are in the log")
      for ending in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + ending, toPath: target + ending)
      }
      try db.rollback()
    }
  }

  private static func size(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  @Test("A sweep that was killed inside a write continues to the same rows", arguments: 0..<5)
  func kill(afterChunks chunks: Int) async throws {
    let sweep = try SweepCase()
    let straight = try TemporaryStore()
    let whole = try RunDatabase(writing: straight.path)
    let first = try whole.begin(sweep.plan, at: Moments.start)
    try await sweep.run(first, length: 1000)
    let expected = try CellRowsTests.text(whole.run(first.id))

    let (victim, copy) = (try TemporaryStore(), try TemporaryStore())
    let database = try RunDatabase(writing: victim.path)
    let writer = try database.begin(sweep.plan, at: Moments.start)
    try await sweep.run(writer, length: 7, chunks: chunks)
    let stored = try database.runs()[0].storedCount
    try await kill(database, into: copy)

    let reopened = try RunDatabase(writing: copy.path)
    #expect(try reopened.runs()[0].storedCount == stored, "whole chunks and nothing else")
    let continued = try reopened.resume(sweep.plan, at: Moments.later)
    #expect(continued.id == writer.id && continued.opened == 2)
    try await sweep.run(continued, length: 4)
    try continued.finish(at: Moments.end)
    #expect(try CellRowsTests.text(reopened.run(writer.id)) == expected)
    let check = try await reopened.queue.read {
      try String.fetchAll($0, sql: "PRAGMA integrity_check")
    }
    #expect(check == ["ok"])
  }
}
