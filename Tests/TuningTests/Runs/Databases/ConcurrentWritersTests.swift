import GRDB
import PoseModel
import Testing

@testable import Tuning

@Suite("Concurrent writers")
struct ConcurrentWritersTests {
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

  @Test("Two sweeps write their shards to one store at the same time and both end whole")
  func shards() async throws {
    let store = try TemporaryStore()
    let path = store.path
    let base = try SweepCase()
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<2 {
        var sweep = base
        sweep.shard = try Shard(index, of: 2)
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
      let found = try ids.flatMap { try database.run($0).allCells(stream)?.ids ?? [] }
      #expect(found.sorted() == own.grid.accepted(in: 0..<own.grid.cellCount))
    }
    #expect(try database.runs().allSatisfy { $0.finishedAt != nil })
  }

  @Test("A reader sees whole chunks only, while a writer is in the middle of one")
  func reading() async throws {
    let store = try TemporaryStore()
    let path = store.path
    let sweep = try SweepCase()
    let database = try RunDatabase(writing: path)
    let writer = try database.begin(sweep.plan, at: Moments.start)
    try await sweep.run(writer, length: 4, chunks: 1)
    try await database.queue.writeWithoutTransaction { db in
      try db.beginTransaction(.immediate)
      try db.execute(sql: "DELETE FROM cells")
      let seen = try RunDatabase(reading: path).run(writer.id).allCells(.plank)
      #expect(seen?.ids == [0, 1, 2, 3])
      try db.rollback()
    }
  }
}
