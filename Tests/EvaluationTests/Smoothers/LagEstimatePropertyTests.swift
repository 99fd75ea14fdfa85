import Evaluation
import PoseModel
import Statistics
import Testing

@Suite("Lag estimate properties")
struct LagEstimatePropertyTests {
  private static let interval = Seconds(1.0 / 30)

  /// A slow movement: five sines of random frequencies up to 0.5 Hz, as sums of rotations.
  private func movement(seed: UInt64) -> [Double] {
    let stream = RandomStream(seed: seed, purpose: "tests.lag")
    var phases = (0..<5).map { _ in
      let turn = stream.uniform(in: 0.05...0.5) * 2 * .pi / 30
      // cos and sin of the small turn by their series: no math library here.
      let square = turn * turn
      return (
        cosine: 1 - square / 2 + square * square / 24,
        sine: turn * (1 - square / 6 + square * square / 120),
        x: stream.gaussian(), y: stream.gaussian()
      )
    }
    return (0..<600).map { _ in
      for index in phases.indices {
        let (x, y) = (phases[index].x, phases[index].y)
        phases[index].x = x * phases[index].cosine - y * phases[index].sine
        phases[index].y = x * phases[index].sine + y * phases[index].cosine
      }
      return phases.reduce(0) { $0 + $1.x }
    }
  }

  private func walk(seed: UInt64) -> [Double] {
    let stream = RandomStream(seed: seed, purpose: "tests.lag.walk")
    var value = 0.0
    return (0..<600).map { _ in
      value += stream.gaussian()
      return value
    }
  }

  private func lag(_ input: [Double], _ filter: SignalFilter) -> Double? {
    let times = input.indices.map { Double($0) * Self.interval.value }
    return LagEstimate(input: input, output: filter(times, input), interval: Self.interval)?
      .frames
  }

  @Test("A known smoother's lag is found within half a frame", arguments: UInt64(0)..<100)
  func knownLags(seed: UInt64) throws {
    let input = movement(seed: seed)
    for (filter, frames) in [
      (TestFilters.delay(0), 0), (TestFilters.delay(7), 7),
      (TestFilters.movingAverage(9), 4), (TestFilters.movingAverage(10), 4.5),
      (TestFilters.exponential(0.3), 7.0 / 3), (TestFilters.median(5), 2),
    ] {
      #expect(abs(try #require(lag(input, filter)) - frames) <= 0.5)
    }
  }

  @Test(
    "The delay of a random walk is found, although raw correlation fails",
    arguments: UInt64(0)..<100)
  func walks(seed: UInt64) throws {
    #expect(abs(try #require(lag(walk(seed: seed), TestFilters.delay(5))) - 5) <= 0.5)
  }

  @Test(
    "Noise on the output does not move the lag of a movement by half a frame",
    arguments: UInt64(0)..<20)
  func noise(seed: UInt64) throws {
    let input = movement(seed: seed)
    let stream = RandomStream(seed: seed, purpose: "tests.lag.noise")
    let noisy: SignalFilter = { times, values in
      TestFilters.delay(6)(times, values).map { $0.map { $0 + 0.05 * stream.gaussian() } }
    }
    #expect(abs(try #require(lag(input, noisy)) - 6) <= 0.5)
  }
}
