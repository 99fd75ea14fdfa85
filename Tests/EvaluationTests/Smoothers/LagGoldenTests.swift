import Evaluation
import PoseModel
import Testing

/// Values of numpy and scipy; `scripts/oracles/lag.py` says how.
@Suite("Lag goldens")
struct LagGoldenTests {
  /// A smoothed signal, or a linear filter, with how late it is.
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

  static let cases = GoldenFile.cases("lag.json", of: Case.self)
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
    let step = StepResponse(
      rate: Hertz(Self.rate), height: -2, settling: Seconds(20), filter)
    #expect(isNear(step.halfTime, Double(expected.halfFrames) / Self.rate))
    #expect(isNear(step.ninetyTime, Double(expected.ninetyFrames) / Self.rate))
    #expect(isNear(step.overshoot, expected.overshoot, within: 1e-8))
    let ramp = RampLag.measure(
      rate: Hertz(Self.rate), speed: 3, duration: Seconds(20), filter)
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
