import Foundation
import PoseModel
import Testing

@testable import Tuning

@Suite("Stores that go away")
struct ReplacedStoreTests {
  @Test("A store that was removed while it is written is noticed, and nothing is claimed")
  func removed() async throws {
    let store = try TemporaryStore()
    let sweep = try SweepCase()
    let writer = try RunDatabase(writing: store.path).begin(sweep.plan, at: Moments.start)
    let cells = try await sweep.sweep(.form).evaluate(0..<2)
    try FileManager.default.removeItem(atPath: store.path)
    #expect(throws: RunStoreError.replaced(path: store.path)) {
      try writer.write(.form, cells, at: Moments.later)
    }
    withExtendedLifetime(store) {}
  }

  @Test("A store that another one took the place of is noticed")
  func replaced() async throws {
    let store = try TemporaryStore()
    let sweep = try SweepCase()
    let writer = try RunDatabase(writing: store.path).begin(sweep.plan, at: Moments.start)
    let cells = try await sweep.sweep(.form).evaluate(0..<2)
    try FileManager.default.moveItem(atPath: store.path, toPath: store.path + ".old")
    _ = FileManager.default.createFile(atPath: store.path, contents: Data())
    #expect(throws: RunStoreError.self) { try writer.write(.form, cells, at: Moments.later) }
    withExtendedLifetime(store) {}
  }
}
