import Testing

@testable import Statistics

@Suite("Shares of trials")
struct ShareOfTrialsTests {
  // The roots of (p - q)^2 = z^2 q (1 - q) / n, found by bisection.
  @Test(
    "The interval of a share is Wilson's",
    arguments: [
      (5, 100, 0.021543680, 0.111750469), (0, 200, 0, 0.018845327), (200, 200, 0.981154673, 1),
    ])
  func interval(count: Int, trials: Int, lower: Double, upper: Double) {
    let interval = ShareOfTrials(count, of: trials).interval
    #expect(abs(interval.lowerBound - lower) < 1e-6 && abs(interval.upperBound - upper) < 1e-6)
  }
}
