import ParameterTuning
import PoseModel
import Testing

@testable import RunStore

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
    }
    #expect(reader.facts.identity == sweep.plan.identity)
  }
}
