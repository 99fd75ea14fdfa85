import Foundation
import GRDB
import PoseModel
import Testing

@testable import Tuning

@Suite("Merged runs") struct RunMergeTests {
  /// Sweeps one shard into a store of its own, or into one that is there.
  private func part(
    _ index: Int, of count: Int, in store: TemporaryStore, chunks: Int = .max,
    change: (inout SweepCase) throws -> Void = { _ in }
  ) async throws -> RunReader {
    var sweep = try SweepCase()
    try change(&sweep)
    sweep.shard = try Shard(index, of: count)
    let database = try RunDatabase(writing: store.path)
    let writer = try database.begin(sweep.plan, at: Moments.start)
    try await sweep.run(writer, length: 7, chunks: chunks)
    if chunks == .max { try writer.finish(at: Moments.later) }
    return try database.run(writer.id)
  }

  @Test(
    "The parts give the rows of the undivided sweep, however they are ordered", arguments: 1...5)
  func whole(count: Int) async throws {
    let undivided = try await part(0, of: 1, in: TemporaryStore())
    var parts: [RunReader] = []
    for index in 0..<count { parts.append(try await part(index, of: count, in: TemporaryStore())) }
    let store = try TemporaryStore()
    let database = try RunDatabase(writing: store.path)
    var done = 0
    let result = try RunMerge(parts.reversed()).write(to: database, at: Moments.end) { done += $0 }
    let merged = try RunDatabase(reading: store.path).run(result.run)
    #expect(try CellRowsTests.text(merged) == CellRowsTests.text(undivided))
    #expect(merged.facts.identity == undivided.facts.identity)
    #expect(merged.facts.streams == undivided.facts.streams)
    #expect(merged.facts.status(at: Moments.end) == .complete && !result.isKnown)
    #expect(done == undivided.facts.acceptedCount)
  }

  @Test("A sweep that goes on from the merged run lacks nothing, and merging again adds nothing")
  func again() async throws {
    let store = try TemporaryStore()
    let parts = [try await part(0, of: 2, in: store), try await part(1, of: 2, in: store)]
    let database = try RunDatabase(writing: store.path)
    let first = try RunMerge(parts).write(to: database, at: Moments.end)
    let second = try RunMerge(parts).write(to: database, at: Moments.end)
    #expect(second.run == first.run && second.isKnown)
    let writer = try database.resume(try SweepCase().plan, at: Moments.end)
    #expect(writer.id == first.run)
    #expect(try writer.missing(.plank).isEmpty && writer.missing(.form).isEmpty)
    #expect(try database.run(first.run).changes(to: SweepCase().plan).isEmpty)
  }

  @Test("A part that ran twice counts once, and one that was cut short does not count")
  func repeated() async throws {
    let parts = [
      try await part(0, of: 2, in: TemporaryStore()),
      try await part(1, of: 2, in: TemporaryStore(), chunks: 1),
      try await part(1, of: 2, in: TemporaryStore()),
      try await part(1, of: 2, in: TemporaryStore()),
    ]
    let merge = try RunMerge(parts)
    #expect(merge.shardCount == 2 && merge.repetitionCount == 1)
    let short = #expect(throws: RunStoreError.self) { try RunMerge(Array(parts.prefix(2))) }
    guard case .unfinished(parts[1].facts.id, _) = short else {
      Issue.record("\(String(describing: short))")
      return
    }
  }

  @Test(
    "A part with a damaged cell leaves no store that was not there, and one that was as it was",
    arguments: [false, true])
  func damaged(isThere: Bool) async throws {
    let (store, target) = (try TemporaryStore(), try TemporaryStore())
    let part = try await part(0, of: 1, in: store)
    let damaging = try RunDatabase(writing: store.path)
    try await damaging.queue.write {
      try $0.execute(sql: "UPDATE cells SET numbers = x'01' WHERE stream = 'plank' AND cell = 3")
    }
    let manager = FileManager.default
    if isThere { try RunDatabase(writing: target.path).close() }
    let link = target.folder + "/link.sqlite"
    try manager.createSymbolicLink(atPath: link, withDestinationPath: target.path)
    let before = try manager.contentsOfDirectory(atPath: target.folder).sorted()
    #expect(throws: RunStoreError.corruptCell(run: part.facts.id, stream: .plank, cell: 3)) {
      try RunMerge([part]).write(toStore: link, at: Moments.end)
    }
    #expect(try manager.contentsOfDirectory(atPath: target.folder).sorted() == before)
  }

  @Test("Parts that are not there are named")
  func gaps() async throws {
    let part = try await part(1, of: 4, in: TemporaryStore())
    let error = #expect(throws: RunStoreError.missingShards([1, 3, 4], of: 4)) {
      try RunMerge([part])
    }
    #expect(error?.description.contains("are missing: 1/4, 3/4, 4/4") == true)
  }

  @Test(
    "Parts of another sweep are refused by what differs",
    arguments: ["dataset", "program", "seed", "experiment", "number of parts", "grid"])
  func other(what: String) async throws {
    let first = try await part(0, of: 2, in: TemporaryStore())
    let second = try await part(1, of: what == "number of parts" ? 3 : 2, in: TemporaryStore()) {
      switch what {
      case "dataset": $0.dataset = .init(name: "desk", hash: "ffff", split: nil)
      case "program": $0.program = "planklab 1.1"
      case "seed": $0.seed = 8
      case "experiment": $0.experiment = "other"
      case "grid": $0 = try SweepCase(sag: [0.02, 0.06])
      default: break
      }
    }
    let error = #expect(throws: RunStoreError.self) { try RunMerge([first, second]) }
    #expect(error?.description.contains("the \(what) changed from") == true, "\(error as Any)")
  }

  @Test("Two runs of one part with different numbers are refused by cell")
  func unequal() async throws {
    let first = try await part(0, of: 1, in: TemporaryStore())
    let store = try TemporaryStore()
    let sweep = try SweepCase()
    let database = try RunDatabase(writing: store.path)
    let writer = try database.begin(sweep.plan, at: Moments.start)
    for stream in AnswerStream.allCases {
      for range in try writer.missing(stream) {
        let table = try await sweep.sweep(stream).evaluate(range)
        var numbers = table.ids.indices.flatMap { Array(table.numbers(at: $0)) }
        let last = table.ids.count - 1
        numbers[last * table.layout.stride + table.layout.transitions(of: 0)] += 1
        let changed = CellTable(layout: table.layout, ids: table.ids, storage: numbers)
        try writer.write(stream, stream == .form ? changed : table, at: Moments.later)
      }
    }
    try writer.finish(at: Moments.end)
    let second = try database.run(writer.id)
    let error = #expect(throws: RunStoreError.self) { try RunMerge([first, second]) }
    guard case .unequal(_, _, .form, let cell) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let grid = sweep.sweep(.form).grid
    #expect(cell == grid.accepted(in: 0..<grid.cellCount).last)
  }

  @Test("Where a part is damaged, the store of the whole gets nothing")
  func damaged() async throws {
    let store = try TemporaryStore()
    let parts = [
      try await part(0, of: 2, in: TemporaryStore()), try await part(1, of: 2, in: store),
    ]
    let written = try RunDatabase(writing: store.path)
    try written.queue.inDatabase { db in
      try db.execute(sql: "UPDATE cells SET right_frames = right_frames + 1 WHERE stream = 'form'")
    }
    let place = try TemporaryStore()
    let whole = try RunDatabase(writing: place.path)
    #expect(throws: RunStoreError.self) { try RunMerge(parts).write(to: whole, at: Moments.end) }
    #expect(try whole.runs().isEmpty)
  }
}
