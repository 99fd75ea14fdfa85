import Evaluation
import PoseModel
import Testing

@Suite("Frame cost")
struct FrameCostTests {
  @Test("Percentiles are over batches, with linear interpolation")
  func percentiles() throws {
    let cost = try #require(FrameCost(secondsPerFrame: (0...100).map { Double($0) * 1e-6 }))
    #expect(cost.batches == 101)
    #expect(abs(cost.p50.value - 50e-6) < 1e-15)
    #expect(abs(cost.p90.value - 90e-6) < 1e-15)
    #expect(abs(cost.p99.value - 99e-6) < 1e-15)
    #expect(abs(cost.maximum.value - 100e-6) < 1e-15)
    let two = try #require(FrameCost(secondsPerFrame: [2, 1]))
    #expect(abs(two.p50.value - 1.5) < 1e-12 && abs(two.p90.value - 1.9) < 1e-12)
  }

  @Test("The budget of a frame is a thirtieth of a second")
  func budget() throws {
    let cost = try #require(FrameCost(secondsPerFrame: [1.0 / 300]))
    #expect(abs(cost.p99BudgetShare - 0.1) < 1e-12)
  }

  @Test("Without a batch, or with an invalid time, there is no cost")
  func undefined() {
    #expect(FrameCost(secondsPerFrame: []) == nil)
    #expect(FrameCost(secondsPerFrame: [1e-6, .nan]) == nil)
  }
}
