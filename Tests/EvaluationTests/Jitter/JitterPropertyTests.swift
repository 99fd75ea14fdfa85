import Evaluation
import PoseModel
import TestSupport
import Testing

@Suite("Jitter properties")
struct JitterPropertyTests {
  /// Nearly normal noise of a standard deviation: the sum of twelve uniform numbers.
  private func noise(_ count: Int, deviation: Double, seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      Float(deviation * (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() })
    }
  }

  private func jitter(_ values: [Float], start: Double = 0) -> JitterStatistics {
    let scenario = Scenario(String(repeating: "f", count: values.count), rate: 30, start: start)
    return JitterStatistics(
      times: scenario.times, truth: scenario.truth,
      measurements: [MeasurementSeries(name: "shoulderRise", unit: "m", values: values)])
  }

  private func spread(_ values: [Float]) -> Double {
    func median(_ numbers: [Double]) -> Double {
      let sorted = numbers.sorted()
      return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
    let numbers = values.map(Double.init)
    let middle = median(numbers)
    return 1.4826 * median(numbers.map { abs($0 - middle) })
  }

  @Test("White noise of deviation s steps by s sqrt 2 and spreads by s", arguments: [0.01, 3])
  func whiteNoise(deviation: Double) throws {
    let row = try #require(jitter(noise(20_000, deviation: deviation, seed: 5)).rows.first)
    let step = try #require(row.rmsStep.number)
    let spread = try #require(row.robustSpread.number)
    #expect(abs(step / (deviation * 2.0.squareRoot()) - 1) < 0.03)
    #expect(abs(spread / deviation - 1) < 0.03)
  }

  @Test("The spread is exact for few frames and within 0.1 % for many", arguments: [999, 50_000])
  func spreadOfMany(count: Int) throws {
    let values = noise(count, deviation: 0.02, seed: 7)
    let row = try #require(jitter(values).rows.first)
    let spread = try #require(row.robustSpread.number)
    let expected = self.spread(values)
    #expect(abs(spread / expected - 1) < (count < 1000 ? 1e-6 : 1e-3))
  }

  @Test("The spread of many frames is within 0.1 % even if they have only a few values")
  func spreadOfFewValues() throws {
    // Two thirds are 1 from the median 0, the others 1.01.
    let cycle: [Float] = [-1, 1, -1, 1, -1.01, 1.01]
    let values = (0..<48_000).map { cycle[$0 % cycle.count] }
    let row = try #require(jitter(values).rows.first)
    #expect(isNear(row.robustSpread, 1.4826, within: 1.4826e-3))
  }

  @Test("Sequences add up in any grouping", arguments: [100, 20_000])
  func grouping(count: Int) {
    let parts = (UInt64(0)..<3).map { jitter(noise(count, deviation: 0.02, seed: $0)) }
    var left = parts[0]
    left += parts[1]
    left += parts[2]
    var right = parts[1]
    right += parts[2]
    var other = parts[0]
    other += right
    for (one, two) in zip(left.rows, other.rows) {
      #expect(one.robustSpread == two.robustSpread)
      #expect(agree(one.rmsStep, two.rmsStep))
      #expect(agree(one.acceleration, two.acceleration))
      #expect(one.pairs == two.pairs && one.holds == two.holds)
      #expect(one.pairs == 3 * (count - 1))
    }
  }

  @Test("A shift in time, and of the values by a power of two, changes nothing")
  func shifts() throws {
    let values = noise(500, deviation: 1, seed: 3).map { ($0 * 1024).rounded() / 1024 }
    let one = try #require(jitter(values).rows.first)
    let other = try #require(jitter(values.map { $0 + 64 }, start: 512).rows.first)
    #expect(agree(one.rmsStep, other.rmsStep))
    #expect(agree(one.robustSpread, other.robustSpread))
    #expect(agree(one.acceleration, other.acceleration, within: 1e-6))
  }

  @Test("Whole turns added to an angle change nothing")
  func turns() throws {
    let values = noise(300, deviation: 20, seed: 9)
    let wrapped = values.map { value -> Float in
      let turned = value + 170
      return turned > 180 ? turned - 360 : turned
    }
    let scenario = Scenario(String(repeating: "f", count: values.count), rate: 30)
    let rows = [values, wrapped].compactMap { column in
      JitterStatistics(
        times: scenario.times, truth: scenario.truth,
        measurements: [MeasurementSeries(name: "trunkRoll", unit: "deg", values: column)]
      ).rows.first
    }
    #expect(agree(rows[0].rmsStep, rows[1].rmsStep, within: 1e-3))
    #expect(agree(rows[0].robustSpread, rows[1].robustSpread, within: 1e-3))
  }
}
