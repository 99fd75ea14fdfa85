import Foundation
import GRDB
import Platform
import PoseModel
import Testing

@testable import Tuning

@Suite("Run writers") struct RunWriterTests {
  @Test("What is stored reads back: numbers, layouts, grids")
  func roundTrip() async throws {
    let run = try await StoredRun(SweepCase())
    let sweep = run.sweep
    try run.writer.finish(at: Moments.end)
    let reader = try RunDatabase(reading: run.store.path).run(run.writer.id)
    for stream in AnswerStream.allCases {
      let own = sweep.sweep(stream)
      let whole = try await own.evaluate(0..<own.grid.cellCount)
      let read = try #require(try reader.allCells(stream))
      #expect(read.ids == whole.ids)
      #expect(read.storage == whole.storage)
      #expect(read.layout.facts == own.layout.facts)
      #expect(reader.grids.first { $0.stream == stream } == GridDescription(own.grid))
      // More ids than a query takes, most of them beyond the grid, some twice.
      let some = try #require(try reader.cells(stream, ids: Array(-900..<900) + [whole.ids[0]]))
      #expect(some.ids == whole.ids && some.storage == whole.storage)
      let last = try #require(try reader.cells(stream, ids: [whole.ids[whole.ids.count - 1]]))
      #expect(Array(last.storage) == Array(whole.numbers(at: whole.ids.count - 1)))
      #expect(try reader.cells(stream, ids: [-1]) == nil)
    }
    #expect(reader.facts.identity == sweep.plan.identity)
  }

  @Test("What is missing is what a sweep evaluates and the run lacks", arguments: [1, 3, 100])
  func missing(length: Int) async throws {
    let run = try await StoredRun(chunks: 0)
    let (sweep, writer) = (run.sweep, run.writer)
    let grid = sweep.sweep(.form).grid
    let all = grid.accepted(in: 0..<grid.cellCount)
    try writer.write(.form, await sweep.sweep(.form).evaluate(5..<9), at: Moments.later)
    let ranges = try writer.missing(.form, atMost: length)
    #expect(ranges.flatMap { grid.accepted(in: $0) } == all.filter { !(5..<9).contains($0) })
    #expect(ranges.allSatisfy { $0.count <= length && !$0.overlaps(5..<9) })
    #expect(
      ranges.allSatisfy { grid.isAccepted($0.lowerBound) && grid.isAccepted($0.upperBound - 1) })
  }

  @Test("A cell is never stored twice, and a refused chunk leaves nothing")
  func twice() async throws {
    let run = try await StoredRun(chunks: 0)
    let writer = run.writer
    let plank = run.sweep.sweep(.plank)
    try writer.write(.plank, await plank.evaluate(4..<6), at: Moments.later)
    let overlapping = try await plank.evaluate(2..<8)
    #expect(throws: RunStoreError.alreadyStored(run: writer.id, stream: .plank, cell: 4)) {
      try writer.write(.plank, overlapping, at: Moments.later)
    }
    let reader = try RunDatabase(reading: run.store.path).run(writer.id)
    #expect(try reader.allCells(.plank)?.ids == [4, 5])
  }

  @Test(
    "A run with a number that no reader takes is refused before anything is written",
    arguments: [true, false])
  func beyondLimits(isWeight: Bool) throws {
    let store = try TemporaryStore()
    let sweep = try SweepCase()
    let streams = sweep.plan.streams.map { stream in
      let sequences = stream.layout.facts.sequences.map { facts in
        StreamFacts.SequenceFacts(
          name: facts.name, subject: facts.subject,
          frameWeight: isWeight && facts.name == "q1" ? Seconds(1e300) : facts.frameWeight,
          evaluatedSeconds: !isWeight && facts.name == "q1"
            ? Seconds(1e300) : facts.evaluatedSeconds, trueTransitions: facts.trueTransitions,
          rows: facts.rows, onsets: facts.onsets, times: facts.times)
      }
      return RunPlan.Stream(
        grid: stream.grid,
        layout: StatisticsLayout(
          StreamFacts(stream.grid.stream, facts: sequences)))
    }
    let plan = RunPlan(identity: sweep.plan.identity, streams: streams)
    func isRefusal(_ error: any Error) -> Bool {
      guard case .beyondLimits(sequence: "q1", let found)? = error as? RunStoreError else {
        return false
      }
      return found.contains("1e+300")
    }
    #expect { try plan.check() } throws: { isRefusal($0) }
    let database = try RunDatabase(writing: store.path)
    let good = try database.begin(sweep.plan, at: Moments.start)
    #expect { try database.begin(plan, at: Moments.later) } throws: { isRefusal($0) }
    #expect(try database.runs().map(\.id) == [good.id])
  }

  @Test("A run that lacks cells cannot be finished")
  func unfinished() async throws {
    let run = try await StoredRun(chunks: 2)
    let stored = try run.reader().facts
    let missing = stored.acceptedCount - stored.storedCount
    #expect(throws: RunStoreError.unfinished(run: run.writer.id, missing: missing)) {
      try run.writer.finish(at: Moments.end)
    }
    #expect(try run.reader().facts.finishedAt == nil)
  }

  @Test("A run tells what it is doing: running, interrupted by silence, complete")
  func status() async throws {
    let run = try await StoredRun(chunks: 0)
    let (sweep, database, writer) = (run.sweep, run.database, run.writer)
    #expect(try database.runs()[0].status(at: Moments.start) == .running)
    try await sweep.run(writer, chunks: 1)
    let facts = try database.runs()[0]
    #expect(facts.writtenAt == Moments.later)
    #expect(facts.status(at: Moments.later.addingTimeInterval(119)) == .running)
    #expect(facts.status(at: Moments.later.addingTimeInterval(121)) == .interrupted)
    try await sweep.run(writer)
    try writer.finish(at: Moments.end)
    let finished = try database.runs()[0]
    #expect(finished.status(at: Moments.end.addingTimeInterval(9999)) == .complete)
    #expect(finished.finishedAt == Moments.end)
  }

  @Test("Writing to a run that was deleted says so")
  func deleted() async throws {
    let run = try await StoredRun(chunks: 2)
    let (database, writer) = (run.database, run.writer)
    try RunDatabase(editing: run.store.path).delete(writer.id)
    let table = try await run.sweep.sweep(.plank).evaluate(20..<22)
    #expect(throws: RunStoreError.noRun(id: writer.id, available: [])) {
      try writer.write(.plank, table, at: Moments.later)
    }
    #expect(try database.runs().isEmpty)
  }
}

@Suite("Continued runs")
struct ResumeTests {
  @Test("Without a run to continue, one is started")
  func nothingToContinue() throws {
    let store = try TemporaryStore()
    let writer = try RunDatabase(writing: store.path)
      .resume(try SweepCase().plan, at: Moments.start)
    #expect(writer.opened == 1)
    #expect(try writer.missing(.plank).count == 1)
  }

  @Test("The newest run that is not finished is continued, then a finished one")
  func order() async throws {
    let store = try TemporaryStore()
    let sweep = try SweepCase()
    let database = try RunDatabase(writing: store.path)
    let old = try database.begin(sweep.plan, at: Moments.start)
    let new = try database.begin(sweep.plan, at: Moments.later)
    #expect(try database.resume(sweep.plan, at: Moments.end).id == new.id)
    let writer = try database.resume(sweep.plan, at: Moments.end)
    try await sweep.run(writer, length: 100)
    try writer.finish(at: Moments.end)
    #expect(try database.resume(sweep.plan, at: Moments.end).id == old.id)
    try database.delete(old.id)
    let last = try database.resume(sweep.plan, at: Moments.end)
    #expect(last.id == new.id)
    #expect(try last.missing(.plank).isEmpty && last.missing(.form).isEmpty)
  }

  @Test(
    "Another dataset, split, source, program, seed or grid is refused by name",
    arguments: [
      ("dataset", "the dataset changed from `a1b2` to `ffff`"),
      ("split", "the dataset changed from `a1b2` to `a1b2, split test`"),
      ("sources", "the sources changed from `one` to `gym, web`"),
      ("program", "the program changed from `planklab 1.0` to `planklab 1.1`"),
      ("seed", "the seed changed from `7` to `8`"),
      ("grid", "the grid changed from `axis sag (m): 0.02 0.05 0.08` to `axis sag (m): 0.02 0.06`"),
      ("statistics", "the statistics changed from `plank "),
    ])
  func changed(what: String, message: String) throws {
    let store = try TemporaryStore()
    let database = try RunDatabase(writing: store.path)
    var sweep = try SweepCase()
    let writer = try database.begin(sweep.plan, at: Moments.start)
    switch what {
    case "dataset": sweep.dataset = .init(name: "desk", hash: "ffff", split: nil)
    case "split": sweep.dataset = .init(name: "desk", hash: "a1b2", split: "test")
    case "sources": sweep = try SweepCase(sources: ["gym", "web"])
    case "program": sweep.program = "planklab 1.1"
    case "seed": sweep.seed = 8
    case "grid": sweep = try SweepCase(sag: [0.02, 0.06])
    default: sweep = try SweepCase(sequences: 4)
    }
    let error = #expect(throws: RunStoreError.self) {
      try database.resume(sweep.plan, at: Moments.end)
    }
    let text = try #require(error).description
    #expect(text.contains(message), "\(text)")
    #expect(text.contains("run \(writer.id)") && text.contains("without --resume"))
    #expect(try database.runs().count == 1)
  }

  @Test("Another experiment is another run, not a change")
  func otherRuns() throws {
    let store = try TemporaryStore()
    let database = try RunDatabase(writing: store.path)
    var sweep = try SweepCase()
    let first = try database.begin(sweep.plan, at: Moments.start)
    sweep.experiment = "elbow"
    let second = try database.resume(sweep.plan, at: Moments.start)
    #expect(first.id != second.id && second.opened == 1)
  }

  @Test("A run has one writer: the earlier one's next write fails and stores nothing")
  func takenOver() async throws {
    let run = try await StoredRun(chunks: 0)
    let (sweep, early) = (run.sweep, run.writer)
    let late = try RunDatabase(writing: run.store.path).resume(sweep.plan, at: Moments.later)
    #expect(late.id == early.id && late.opened == 2)
    let table = try await sweep.sweep(.plank).evaluate(0..<3)
    #expect(throws: RunStoreError.takenOver(run: early.id)) {
      try early.write(.plank, table, at: Moments.later)
    }
    try late.write(.plank, table, at: Moments.later)
    #expect(throws: RunStoreError.takenOver(run: early.id)) { try early.finish(at: Moments.end) }
  }
}

/// A kill leaves the file and its log as they are at that moment; a copy of both is the same thing.
@Suite("Kill safety") struct KillSafetyTests {
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
          INSERT INTO cells SELECT run, stream, i, 0, 0, 0, randomblob(500), 0 FROM n, streams
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
    let whole = try await StoredRun(sweep, length: 1000)
    let expected = try CellRowsTests.text(whole.reader())

    let copy = try TemporaryStore()
    let victim = try await StoredRun(sweep, length: 7, chunks: chunks)
    let writer = victim.writer
    let stored = try victim.database.runs()[0].storedCount
    try await kill(victim.database, into: copy)

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

@Suite("Stores that go away") struct ReplacedStoreTests {
  @Test("A store that was removed while it is written is noticed, and nothing is claimed")
  func removed() async throws {
    let run = try await StoredRun(chunks: 0)
    let (store, writer) = (run.store, run.writer)
    let cells = try await run.sweep.sweep(.form).evaluate(0..<2)
    try FileManager.default.removeItem(atPath: store.path)
    #expect(throws: RunStoreError.replaced(path: store.path)) {
      try writer.write(.form, cells, at: Moments.later)
    }
    withExtendedLifetime(store) {}
  }

  @Test("A store that another one took the place of is noticed")
  func replaced() async throws {
    let run = try await StoredRun(chunks: 0)
    let (store, writer) = (run.store, run.writer)
    let cells = try await run.sweep.sweep(.form).evaluate(0..<2)
    try FileManager.default.moveItem(atPath: store.path, toPath: store.path + ".old")
    _ = FileManager.default.createFile(atPath: store.path, contents: Data())
    #expect(throws: RunStoreError.self) { try writer.write(.form, cells, at: Moments.later) }
    withExtendedLifetime(store) {}
  }
}

@Suite("Changes of a run")
struct RunChangeTests {
  @Test("Long lines are cut around the first difference and keep their name")
  func cut() throws {
    let values = (0..<400).map { "0.\($0 + 100)" }
    let stored = "axis sag (m): " + values.joined(separator: " ")
    let found = stored.replacing("0.333", with: "0.999")
    let change = try #require(RunChange(.grid, stored: stored, found: found))
    #expect(change.description.contains("axis sag (m)..."))
    #expect(change.description.contains("0.333") && change.description.contains("0.999"))
    #expect(change.description.count < 250)
  }
}

@Suite("Run ids") struct RunNameTests {
  @Test("An id is the moment in UTC and a hash of the identity; a number keeps twins apart")
  func shape() throws {
    let plan = try SweepCase().plan
    let first = RunName.make(plan, at: Moments.start) { _ in false }
    #expect(first.hasPrefix("20260101T000000Z-"))
    #expect(first.count == "20260101T000000Z-12345678".count)
    let taken: Set = [first, first + "-2"]
    #expect(RunName.make(plan, at: Moments.start, isTaken: taken.contains) == first + "-3")
  }

  @Test("Moments read back to the second", arguments: [0.0, 1_767_225_600, 4_102_444_799])
  func moments(seconds: Double) {
    let time = Date(timeIntervalSince1970: seconds)
    #expect(RunName.time(RunName.text(of: time)) == time)
  }
}
