import Evaluation
import PoseModel
import Testing

@Suite("Responses of smoothers")
struct ResponseTests {
  private let rate = Hertz(30)

  @Test("Without a smoother nothing is late, nothing overshoots and noise passes")
  func identity() throws {
    let step = StepResponse(rate: rate, height: 1, TestFilters.delay(0))
    #expect(step.halfTime == .value(0) && step.ninetyTime == .value(0))
    #expect(step.overshoot == .value(0))
    #expect(isNear(RampLag.measure(rate: rate, speed: 2, TestFilters.delay(0)), 0))
    let linear = try #require(LinearResponse(rate: rate, TestFilters.delay(0)))
    #expect(linear.groupDelay == Seconds(0) && linear.noiseGain == 1)
  }

  @Test("An exponential mean has the delay (1 - a) / a and the gain sqrt(a / (2 - a))")
  func exponential() throws {
    let linear = try #require(LinearResponse(rate: rate, TestFilters.exponential(0.3)))
    #expect(abs(linear.groupDelay.value * 30 - 7.0 / 3) < 1e-9)
    #expect(abs(linear.noiseGain - (0.3 / 1.7).squareRoot()) < 1e-12)
    #expect(abs(linear.constantGain - 1) < 1e-12)
    let ramp = RampLag.measure(rate: rate, speed: 0.5, TestFilters.exponential(0.3))
    #expect(isNear(ramp, 7.0 / 3 / 30))
    // 1 - 0.7^(k+1) reaches 0.5 at k = 1 and 0.9 at k = 6.
    let step = StepResponse(rate: rate, height: 3, TestFilters.exponential(0.3))
    #expect(isNear(step.halfTime, 1.0 / 30) && isNear(step.ninetyTime, 6.0 / 30))
  }

  @Test(
    "A mean of N frames has the delay (N - 1) / 2 and the gain 1 / sqrt N",
    arguments: [2, 5, 9])
  func movingAverage(count: Int) throws {
    let linear = try #require(LinearResponse(rate: rate, TestFilters.movingAverage(count)))
    #expect(abs(linear.groupDelay.value * 30 - Double(count - 1) / 2) < 1e-9)
    #expect(abs(linear.noiseGain - 1 / Double(count).squareRoot()) < 1e-12)
  }

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
    let lag = try #require(
      LagEstimate(input: input, output: output, interval: Seconds(1.0 / 30)))
    #expect(abs(lag.frames - 3) < 0.5 && lag.meanSquare == 0)
    #expect(!lag.isAtLimit)
    #expect(
      LagEstimate(
        input: [1, 2, 3], output: [1, 2, 3], interval: Seconds(1.0 / 30)) == nil)
    #expect(
      LagEstimate(
        input: Array(repeating: 1, count: 90), output: output, interval: Seconds(1.0 / 30)) == nil)
  }

  @Test("A lag at the end of the search says so")
  func limit() throws {
    let input = (0..<120).map { Double($0 * $0 * $0 % 53) }
    let output = TestFilters.delay(10)(input, input)
    let lag = try #require(
      LagEstimate(
        input: input, output: output, interval: Seconds(0.1), longest: Seconds(1)))
    #expect(lag.isAtLimit && lag.frames == 10)
  }
}
