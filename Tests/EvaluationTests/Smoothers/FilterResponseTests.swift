import Evaluation
import PoseModel
import Statistics
import TestSupport
import Testing

@Suite("Responses of smoothers") struct ResponseTests {
  private let rate = Hertz(30)

  @Test("A median delays a step by (N - 1) / 2 frames exactly and has no linear theory")
  func median() {
    let step = StepResponse(rate: rate, height: 1, TestFilters.median(9))
    #expect(isNear(step.halfTime, 4.0 / 30) && isNear(step.ninetyTime, 4.0 / 30))
    #expect(LinearResponse(rate: rate, TestFilters.median(9)) == nil)
  }

  @Test("An overshoot is a share of the jump")
  func overshoot() {
    let eager: SignalFilter = { _, values in
      values.indices.map { index in
        values[index] + 0.25 * (values[index] - values[max(0, index - 1)])
      }
    }
    #expect(isNear(StepResponse(rate: rate, height: -4, eager).overshoot, 0.25))
  }

  @Test("An output that never comes is undefined, not late")
  func silent() {
    let silent: SignalFilter = { times, _ in times.map { _ in nil } }
    let step = StepResponse(rate: rate, height: 1, silent)
    #expect(step.halfTime == .undefined(.neverReached))
    #expect(step.overshoot == .undefined(.neverReached))
    #expect(RampLag.measure(rate: rate, speed: 1, silent) == .undefined(.neverReached))
    #expect(LinearResponse(rate: rate, silent) == nil)
  }

  @Test("Missing inputs and outputs are left out of a lag; too few leave none")
  func missing() throws {
    var input = (0..<90).map { Double($0 * $0 % 37) }
    let times = input.indices.map { Double($0) / 30 }
    var output = TestFilters.delay(3)(times, input)
    output[60] = nil
    input[5] = .nan
    let lag = try #require(LagEstimate(input: input, output: output, interval: Seconds(1.0 / 30)))
    #expect(abs(lag.frames - 3) < 0.5 && lag.meanSquare == 0)
    #expect(!lag.isAtLimit)
    #expect(LagEstimate(input: [1, 2, 3], output: [1, 2, 3], interval: Seconds(1.0 / 30)) == nil)
    #expect(
      LagEstimate(
        input: Array(repeating: 1, count: 90), output: output, interval: Seconds(1.0 / 30)) == nil)
  }

  @Test("A lag at the end of the search says so")
  func limit() throws {
    let input = (0..<120).map { Double($0 * $0 * $0 % 53) }
    let output = TestFilters.delay(10)(input, input)
    let lag = try #require(
      LagEstimate(input: input, output: output, interval: Seconds(0.1), longest: Seconds(1)))
    #expect(lag.isAtLimit && lag.frames == 10)
  }
}

@Suite("Lag estimate properties") struct LagEstimatePropertyTests {
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
    return LagEstimate(input: input, output: filter(times, input), interval: Self.interval)?.frames
  }

  @Test(
    "A known smoother's lag is found within half a frame",
    arguments: Draws.seeds(100 as UInt64))
  func knownLags(seed: UInt64) throws {
    let input = movement(seed: seed)
    for (filter, frames) in [
      (TestFilters.delay(0), 0), (TestFilters.delay(7), 7), (TestFilters.movingAverage(9), 4),
      (TestFilters.movingAverage(10), 4.5), (TestFilters.exponential(0.3), 7.0 / 3),
      (TestFilters.median(5), 2),
    ] { #expect(abs(try #require(lag(input, filter)) - frames) <= 0.5) }
  }

  @Test(
    "The delay of a random walk is found, although raw correlation fails",
    arguments: Draws.seeds(100 as UInt64))
  func walks(seed: UInt64) throws {
    #expect(abs(try #require(lag(walk(seed: seed), TestFilters.delay(5))) - 5) <= 0.5)
  }

  @Test(
    "Noise on the output does not move the lag of a movement by half a frame",
    arguments: Draws.seeds(20 as UInt64))
  func noise(seed: UInt64) throws {
    let input = movement(seed: seed)
    let stream = RandomStream(seed: seed, purpose: "tests.lag.noise")
    let noisy: SignalFilter = { times, values in
      TestFilters.delay(6)(times, values).map { $0.map { $0 + 0.05 * stream.gaussian() } }
    }
    #expect(abs(try #require(lag(input, noisy)) - 6) <= 0.5)
  }
}

/// Values of numpy and scipy; `scripts/oracles/lag.py` says how.
@Suite("Lag goldens") struct LagGoldenTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let kind: String
    let name: String
    let input: [Double?]?
    let output: [Double?]?
    let lag: [Double]?
    let b: [Double]?
    let a: [Double]?
    let expected: Expected?
    var testDescription: String { name }
  }

  /// scipy's numbers for a filter.
  struct Expected: Decodable, Sendable {
    let delayFrames: Double
    let noiseGain: Double
    let halfFrames: Int
    let ninetyFrames: Int
    let overshoot: Double
    let rampSeconds: Double
  }

  static let cases = GoldenFile.cases("EvaluationTests/Goldens/lag.json", of: Case.self)
  static func cases(_ kind: String) -> [Case] { cases.filter { $0.kind == kind } }
  private static let rate = 20.0

  @Test("The file has at least fifty random cases of each kind")
  func fileIsComplete() {
    for kind in ["signal", "filter"] { #expect(Self.cases(kind).count >= 50, "\(kind)") }
  }

  @Test("The lag is that of the least mean square, by numpy", arguments: cases("signal"))
  func lag(golden: Case) throws {
    let input = try #require(golden.input).map { $0 ?? .nan }
    let output = try #require(golden.output)
    let estimate = LagEstimate(
      input: input, output: output, interval: Seconds(1 / Self.rate), longest: Seconds(0.5))
    let lag = try #require(estimate)
    let expected = try #require(golden.lag)
    #expect(abs(lag.frames - expected[0]) < 1e-6)
    #expect(abs(lag.meanSquare - expected[1]) < 1e-9)
  }

  @Test("Delay, gain, step and ramp of linear filters are scipy's", arguments: cases("filter"))
  func filters(golden: Case) throws {
    let filter = Self.filter(try #require(golden.b), try #require(golden.a))
    let expected = try #require(golden.expected)
    let linear = try #require(LinearResponse(rate: Hertz(Self.rate), filter))
    #expect(abs(linear.groupDelay.value * Self.rate - expected.delayFrames) < 1e-6)
    #expect(abs(linear.noiseGain - expected.noiseGain) < 1e-8)
    let step = StepResponse(rate: Hertz(Self.rate), height: -2, settling: Seconds(20), filter)
    #expect(isNear(step.halfTime, Double(expected.halfFrames) / Self.rate))
    #expect(isNear(step.ninetyTime, Double(expected.ninetyFrames) / Self.rate))
    #expect(isNear(step.overshoot, expected.overshoot, within: 1e-8))
    let ramp = RampLag.measure(rate: Hertz(Self.rate), speed: 3, duration: Seconds(20), filter)
    #expect(isNear(ramp, expected.rampSeconds, within: 1e-6))
  }

  /// y_n = sum b_k x_(n-k) - sum a_k y_(n-k), at rest before the first value.
  private static func filter(_ b: [Double], _ a: [Double]) -> SignalFilter {
    { _, values in
      var outputs: [Double] = []
      for n in values.indices {
        var sum = 0.0
        for k in b.indices where k <= n { sum += b[k] * values[n - k] }
        for k in a.indices.dropFirst() where k <= n { sum -= a[k] * outputs[n - k] }
        outputs.append(sum)
      }
      return outputs
    }
  }
}

@Suite("Measures of smoothers") struct SmootherMeasuresTests {
  /// A movement of ten seconds that begins in the middle, and what delays leave of it.
  private func lags(
    rate: Double = 20, interval: Double = 0.05, delays: [Int], transitions: [[Int]],
    factors: [Float] = [1], isMissing: (Int, Int) -> Bool = { _, _ in false }
  ) -> EntryLags {
    let times = (0..<Int(10 * rate)).map { Double($0) / rate }
    let rise = times.map { Float(ReferenceMovement.position(at: $0 - 4.5)) }
    var lags = EntryLags(interval: Seconds(interval), smoothers: delays.count)
    for transitions in transitions {
      for factor in factors {
        let reference = rise.map { $0 * factor }
        let outputs = delays.map { delay in
          reference.indices.map { isMissing($0, delay) ? .nan : reference[max(0, $0 - delay)] }
        }
        lags.add(
          times: times, transitions: transitions,
          [.init(name: "\(factor)", reference: reference, outputs: outputs)])
      }
    }
    return lags
  }

  @Test(
    "The lag at entries is that of the smoother, pooled over measurements of any unit",
    arguments: [0, 3, 6])
  func entryLag(frames: Int) {
    let found = lags(
      rate: 30, interval: 1.0 / 30, delays: [frames], transitions: [[150]], factors: [1, 300])
    #expect(isNear(found.lags[0], Double(frames) / 30, within: 0.002))
  }

  @Test("Sequences add up, and without a transition there is no lag at entries")
  func pooling() {
    func lag(_ transitions: [[Int]]) -> MetricValue {
      lags(delays: [2], transitions: transitions).lags[0]
    }
    #expect(lag([[]]) == .undefined(.noTrueEvent))
    #expect(agree(lag([[100], [100]]), lag([[100]]), within: 1e-9))
    #expect(isNear(lag([[100], [100]]), 0.1, within: 0.005))
  }

  @Test("Sequences of other frame rates have the same lag in seconds", arguments: [15.0, 60])
  func rates(rate: Double) {
    let found = lags(
      rate: rate, interval: 1.0 / 30, delays: [Int(rate / 5)], transitions: [[Int(5 * rate)]])
    #expect(isNear(found.lags[0], 0.2, within: 0.005))
  }

  @Test("Smoothers side by side have the lags that each has alone, with frames without an output")
  func sideBySide() {
    func found(_ delays: [Int]) -> [MetricValue] {
      lags(rate: 30, interval: 1.0 / 30, delays: delays, transitions: [[150]]) { $0 % 7 < $1 }.lags
    }
    let together = found([0, 2, 5])
    #expect(together == [0, 2, 5].flatMap { found([$0]) })
    #expect(Set(together).count == 3)
  }

  @Test("Windows that overlap count a frame once")
  func overlap() {
    #expect(
      lags(delays: [3], transitions: [[100]]) == lags(delays: [3], transitions: [[100, 100]]))
  }

  @Test("A mean of N leaves 1 / sqrt N of white noise and nearly all of colored noise")
  func gains() throws {
    let rate = Hertz(30)
    let filter = TestFilters.movingAverage(9)
    let white = NoiseGain.measure(rate: rate, correlation: 0, deviation: 0.01, filter)
    let colored = NoiseGain.measure(rate: rate, correlation: 0.95, deviation: 0.01, filter)
    #expect(isNear(white, 1.0 / 3, within: 0.01))
    #expect(try #require(colored.number) > 0.89)
  }

  @Test("Ratios of jitter are geometric means over signals of any unit")
  func calm() {
    func rows(_ factors: [Float]) -> [JitterRow] {
      let scenario = Scenario("ffff", rate: 8)
      let series = factors.enumerated().map { index, factor in
        MeasurementSeries(name: "m\(index)", unit: "m", values: [0, 1, 3, 2].map { $0 * factor })
      }
      return JitterStatistics(times: scenario.times, truth: scenario.truth, measurements: series)
        .rows
    }
    let calm = SmootherCalm(smoothed: rows([0.5, 2, 0]), raw: rows([2, 2, 1]))
    #expect(isNear(calm.step, 0.5, within: 1e-6))
    #expect(isNear(calm.acceleration, 0.5, within: 1e-6))
    #expect(SmootherCalm(smoothed: [], raw: []).step == .undefined(.noValidPair))
  }

  @Test("A movement lags by the delay of the smoother", arguments: [0, 4])
  func movement(frames: Int) {
    let lag = ReferenceMovement.lag(rate: Hertz(30), TestFilters.delay(frames))
    #expect(isNear(lag, Double(frames) / 30, within: 0.002))
  }
}

enum TestFilters {
  /// Passes everything on, some frames later.
  static func delay(_ frames: Int) -> SignalFilter {
    { _, values in values.indices.map { values[max(0, $0 - frames)] } }
  }

  /// The mean of the last frames.
  static func movingAverage(_ count: Int) -> SignalFilter {
    { _, values in
      values.indices.map { index in
        let window = values[max(0, index - count + 1)...index]
        return window.reduce(0, +) / Double(window.count)
      }
    }
  }

  /// y += alpha (x - y).
  static func exponential(_ alpha: Double) -> SignalFilter {
    { _, values in
      var state = values.first ?? 0
      return values.map { value in
        state += alpha * (value - state)
        return state
      }
    }
  }

  /// The median of the last frames, an odd number.
  static func median(_ count: Int) -> SignalFilter {
    { _, values in
      values.indices.map { index in
        let window = values[max(0, index - count + 1)...index].sorted()
        return window[window.count / 2]
      }
    }
  }
}
