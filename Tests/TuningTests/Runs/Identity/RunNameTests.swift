import Platform
import Testing

@testable import Tuning

@Suite("Run ids")
struct RunNameTests {
  @Test("An id is the moment in UTC and a hash of the identity; a number keeps twins apart")
  func shape() throws {
    let plan = try SweepCase().plan
    let first = RunName.make(plan.outline, at: Moments.start) { _ in false }
    #expect(first.hasPrefix("20260101T000000Z-"))
    #expect(first.count == "20260101T000000Z-12345678".count)
    let taken: Set = [first, first + "-2"]
    #expect(RunName.make(plan.outline, at: Moments.start, isTaken: taken.contains) == first + "-3")
  }

  @Test("Another identity has another id")
  func identities() throws {
    var changed = try SweepCase()
    let first = RunName.make(changed.plan.outline, at: Moments.start) { _ in false }
    changed.seed = 8
    #expect(RunName.make(changed.plan.outline, at: Moments.start) { _ in false } != first)
  }

  @Test("Moments read back to the second", arguments: [0.0, 1_767_225_600, 4_102_444_799])
  func moments(seconds: Double) {
    let time = Date(timeIntervalSince1970: seconds)
    #expect(RunName.time(RunName.text(of: time)) == time)
  }
}
