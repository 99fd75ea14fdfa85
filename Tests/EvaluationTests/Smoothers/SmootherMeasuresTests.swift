import Evaluation
import PoseModel
import Statistics
import Testing

@Suite("Measures of smoothers")
struct SmootherMeasuresTests {
  @Test(
    "The lag at entries is that of the smoother, pooled over measurements of any unit",
    arguments: [0, 3, 6])
  func entryLag(frames: Int) {
    let times = (0..<300).map { Double($0) / 30 }
    let rise = times.map { Float(ReferenceMovement.position(at: $0 - 4.5)) }
    var lag = EntryLags(interval: Seconds(1.0 / 30), smoothers: 1)
    for (name, factor) in [("meters", Float(1)), ("degrees", 300)] {
      let reference = rise.map { $0 * factor }
      let output = reference.indices.map { reference[max(0, $0 - frames)] }
      lag.add(
        times: times, transitions: [150],
        [.init(name: name, reference: reference, outputs: [output])])
    }
    #expect(isNear(lag.lags[0], Double(frames) / 30, within: 0.002))
  }

  @Test("Sequences add up, and without a transition there is no lag at entries")
  func pooling() {
    let times = (0..<200).map { Double($0) / 20 }
    let rise = times.map { Float(ReferenceMovement.position(at: $0 - 4.5)) }
    func sum(_ transitions: [[Int]]) -> EntryLags {
      var lag = EntryLags(interval: Seconds(0.05), smoothers: 1)
      for transitions in transitions {
        lag.add(
          times: times, transitions: transitions,
          [.init(name: "x", reference: rise, outputs: [rise.indices.map { rise[max(0, $0 - 2)] }])])
      }
      return lag
    }
    #expect(sum([[]]).lags[0] == .undefined(.noTrueEvent))
    #expect(agree(sum([[100], [100]]).lags[0], sum([[100]]).lags[0], within: 1e-9))
    #expect(isNear(sum([[100], [100]]).lags[0], 0.1, within: 0.005))
  }

  @Test("Sequences of other frame rates have the same lag in seconds", arguments: [15.0, 60])
  func rates(rate: Double) {
    let times = (0..<Int(10 * rate)).map { Double($0) / rate }
    let rise = times.map { Float(ReferenceMovement.position(at: $0 - 4.5)) }
    let late = Int(rate / 5)
    var lag = EntryLags(interval: Seconds(1.0 / 30), smoothers: 1)
    lag.add(
      times: times, transitions: [Int(5 * rate)],
      [.init(name: "x", reference: rise, outputs: [rise.indices.map { rise[max(0, $0 - late)] }])])
    #expect(isNear(lag.lags[0], 0.2, within: 0.005))
  }

  @Test("Smoothers side by side have the lags that each has alone, with frames without an output")
  func sideBySide() {
    let times = (0..<300).map { Double($0) / 30 }
    let rise = times.map { Float(ReferenceMovement.position(at: $0 - 4.5)) }
    let outputs = [0, 2, 5].map { late in
      rise.indices.map { $0 % 7 < late ? Float.nan : rise[max(0, $0 - late)] }
    }
    func lags(_ outputs: [[Float]]) -> [MetricValue] {
      var lags = EntryLags(interval: Seconds(1.0 / 30), smoothers: outputs.count)
      lags.add(
        times: times, transitions: [150], [.init(name: "x", reference: rise, outputs: outputs)])
      return lags.lags
    }
    #expect(lags(outputs) == outputs.flatMap { lags([$0]) })
    #expect(Set(lags(outputs)).count == 3)
  }

  @Test("Windows that overlap count a frame once")
  func overlap() {
    let times = (0..<200).map { Double($0) / 20 }
    let rise = times.map { Float(ReferenceMovement.position(at: $0 - 4.5)) }
    func lag(_ transitions: [Int]) -> EntryLags {
      var lag = EntryLags(interval: Seconds(0.05), smoothers: 1)
      lag.add(
        times: times, transitions: transitions,
        [.init(name: "x", reference: rise, outputs: [rise.indices.map { rise[max(0, $0 - 3)] }])])
      return lag
    }
    #expect(lag([100]) == lag([100, 100]))
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
        MeasurementSeries(
          name: "m\(index)", unit: "m", values: [0, 1, 3, 2].map { $0 * factor })
      }
      return JitterStatistics(
        times: scenario.times, truth: scenario.truth, measurements: series
      ).rows
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
