import Foundation
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

  @Test(
    "Counts that no trials have are not read",
    arguments: [(5, 4), (-1, 4), (0, 0), (-1, -1), (0, -1), (Int.max, Int.max - 1)])
  func impossible(count: Int, trials: Int) {
    let text = #"{"count":\#(count),"trials":\#(trials)}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ShareOfTrials.self, from: Data(text.utf8))
    }
  }

  @Test("Counts are read as they were written")
  func codable() throws {
    let share = ShareOfTrials(3, of: 4)
    let data = try JSONEncoder().encode(share)
    #expect(try JSONDecoder().decode(ShareOfTrials.self, from: data) == share)
  }
}
