import PoseModel
import Testing

@testable import Tuning

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
    default: sweep = try SweepCase(keepsDetermined: true)
    }
    let error = #expect(throws: RunStoreError.self) {
      try database.resume(sweep.plan, at: Moments.end)
    }
    let text = try #require(error).description
    #expect(text.contains(message), "\(text)")
    #expect(text.contains("run \(writer.id)") && text.contains("without --resume"))
    #expect(try database.runs().count == 1)
  }

  @Test("Another experiment or shard is another run, not a change")
  func otherRuns() throws {
    let store = try TemporaryStore()
    let database = try RunDatabase(writing: store.path)
    var sweep = try SweepCase()
    let first = try database.begin(sweep.plan, at: Moments.start)
    sweep.shard = try Shard(0, of: 2)
    let second = try database.resume(sweep.plan, at: Moments.start)
    sweep.experiment = "elbow"
    let third = try database.resume(sweep.plan, at: Moments.start)
    #expect(Set([first.id, second.id, third.id]).count == 3)
    #expect(second.opened == 1 && third.opened == 1)
  }

  @Test("A run has one writer: the earlier one's next write fails and stores nothing")
  func takenOver() async throws {
    let store = try TemporaryStore()
    let sweep = try SweepCase()
    let early = try RunDatabase(writing: store.path).begin(sweep.plan, at: Moments.start)
    let late = try RunDatabase(writing: store.path).resume(sweep.plan, at: Moments.later)
    #expect(late.id == early.id && late.opened == 2)
    let table = try await sweep.sweep(.plank).evaluate(0..<3)
    #expect(throws: RunStoreError.takenOver(run: early.id)) {
      try early.write(.plank, table, at: Moments.later)
    }
    try late.write(.plank, table, at: Moments.later)
    #expect(throws: RunStoreError.takenOver(run: early.id)) { try early.finish(at: Moments.end) }
  }
}
