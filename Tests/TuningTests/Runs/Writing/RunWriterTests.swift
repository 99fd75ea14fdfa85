import Platform
import PoseModel
import Testing

@testable import Tuning

@Suite("Run writers")
struct RunWriterTests {
  @Test("What is stored reads back: numbers, layouts, grids", arguments: [false, true])
  func roundTrip(keepsDetermined: Bool) async throws {
    let store = try TemporaryStore()
    let sweep = try SweepCase(keepsDetermined: keepsDetermined)
    let database = try RunDatabase(writing: store.path)
    let writer = try database.begin(sweep.plan, at: Moments.start)
    try await sweep.run(writer)
    try writer.finish(at: Moments.end)
    let reader = try RunDatabase(reading: store.path).run(writer.id)
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
    let store = try TemporaryStore()
    let sweep = try SweepCase()
    let writer = try RunDatabase(writing: store.path).begin(sweep.plan, at: Moments.start)
    let grid = sweep.sweep(.form).grid
    let all = grid.accepted(in: 0..<grid.cellCount)
    try writer.write(.form, await sweep.sweep(.form).evaluate(5..<9), at: Moments.later)
    let ranges = try writer.missing(.form, atMost: length)
    #expect(ranges.flatMap { grid.accepted(in: $0) } == all.filter { !(5..<9).contains($0) })
    #expect(ranges.allSatisfy { $0.count <= length && !$0.overlaps(5..<9) })
    #expect(
      ranges.allSatisfy { grid.isAccepted($0.lowerBound) && grid.isAccepted($0.upperBound - 1) })
  }

  @Test("A shard's run asks for its part of the grid only")
  func shard() throws {
    let store = try TemporaryStore()
    var sweep = try SweepCase()
    sweep.shard = try Shard(1, of: 3)
    let writer = try RunDatabase(writing: store.path).begin(sweep.plan, at: Moments.start)
    let range = sweep.shard.range(of: sweep.sweep(.plank).grid.cellCount)
    #expect(try writer.missing(.plank) == [range])
    let facts = try RunDatabase(reading: store.path).run(writer.id).facts
    #expect(facts.streams.first?.cells == range)
  }

  @Test("A cell is never stored twice, and a refused chunk leaves nothing")
  func twice() async throws {
    let store = try TemporaryStore()
    let sweep = try SweepCase()
    let writer = try RunDatabase(writing: store.path).begin(sweep.plan, at: Moments.start)
    let plank = sweep.sweep(.plank)
    try writer.write(.plank, await plank.evaluate(4..<6), at: Moments.later)
    let overlapping = try await plank.evaluate(2..<8)
    #expect(throws: RunStoreError.alreadyStored(run: writer.id, stream: .plank, cell: 4)) {
      try writer.write(.plank, overlapping, at: Moments.later)
    }
    let reader = try RunDatabase(reading: store.path).run(writer.id)
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
            ? Seconds(1e300) : facts.evaluatedSeconds,
          trueTransitions: facts.trueTransitions, rows: facts.rows, onsets: facts.onsets,
          times: facts.times)
      }
      return RunPlan.Stream(
        grid: stream.grid,
        layout: StatisticsLayout(
          StreamFacts(stream.grid.stream, facts: sequences), keepsDetermined: false))
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
    let store = try TemporaryStore()
    let sweep = try SweepCase()
    let database = try RunDatabase(writing: store.path)
    let writer = try database.begin(sweep.plan, at: Moments.start)
    try await sweep.run(writer, chunks: 2)
    let stored = try database.run(writer.id).facts
    let missing = stored.acceptedCount - stored.storedCount
    #expect(throws: RunStoreError.unfinished(run: writer.id, missing: missing)) {
      try writer.finish(at: Moments.end)
    }
    #expect(try database.run(writer.id).facts.finishedAt == nil)
  }

  @Test("A run tells what it is doing: running, interrupted by silence, complete")
  func status() async throws {
    let store = try TemporaryStore()
    let sweep = try SweepCase()
    let database = try RunDatabase(writing: store.path)
    let writer = try database.begin(sweep.plan, at: Moments.start)
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
    let store = try TemporaryStore()
    let sweep = try SweepCase()
    let database = try RunDatabase(writing: store.path)
    let writer = try database.begin(sweep.plan, at: Moments.start)
    try await sweep.run(writer, chunks: 2)
    try RunDatabase(editing: store.path).delete(writer.id)
    let table = try await sweep.sweep(.plank).evaluate(20..<22)
    #expect(throws: RunStoreError.noRun(id: writer.id, available: [])) {
      try writer.write(.plank, table, at: Moments.later)
    }
    #expect(try database.runs().isEmpty)
  }
}
