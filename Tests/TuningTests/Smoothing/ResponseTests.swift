import PlankDetection
import Statistics
import Testing
import Tuning

/// Published numbers of filters at 30 Hz, and the numbers measured here.
struct FilterResponse: Sendable, CustomTestStringConvertible {
  let strategy: String
  /// The standard deviation of filtered white noise over that of the noise.
  let gain: Double
  /// The lag of a ramp in milliseconds, once everything has settled.
  let lag: Double

  var testDescription: String { strategy }

  init(_ strategy: String, gain: Double, lag: Double) {
    self.strategy = strategy
    self.gain = gain
    self.lag = lag
  }
}

@Suite("Noise gain and ramp lag of filters at 30 Hz")
struct ResponseTests {
  static let rate = 30.0

  /// The table of the literature; lags of nonlinear filters are at rest, where there is one.
  static let table = [
    FilterResponse("none", gain: 1, lag: 0),
    FilterResponse("moving-average:frames=5", gain: 0.45, lag: 67),
    FilterResponse("moving-average:frames=9", gain: 0.33, lag: 133),
    FilterResponse("moving-average:frames=15", gain: 0.26, lag: 233),
    FilterResponse("moving-average:seconds=0.3s", gain: 0.33, lag: 133),
    FilterResponse("ema:cutoff=1.5Hz", gain: 0.39, lag: 90),
    FilterResponse("holt:alpha=0.3,beta=0.1", gain: 0.46, lag: 0),
    FilterResponse("median:frames=5", gain: 0.54, lag: 67),
    FilterResponse("median:frames=9", gain: 0.40, lag: 133),
    FilterResponse("hampel:frames=9,threshold=3", gain: 0.94, lag: 0),
    FilterResponse("savitzky-golay:frames=15,degree=1", gain: 0.49, lag: 0),
    FilterResponse("savitzky-golay:frames=15,degree=2", gain: 0.68, lag: 0),
    FilterResponse("savitzky-golay:frames=11,degree=2", gain: 0.762, lag: 0),
    FilterResponse("one-euro:minCutoff=1Hz,beta=0", gain: 0.31, lag: 159),
    FilterResponse(
      "kalman:processNoise=0.002,measurementNoise=0.011", gain: 0.39, lag: 0),
    FilterResponse(
      "kalman:processNoise=0.02,measurementNoise=0.011", gain: 0.51, lag: 0),
    FilterResponse("butterworth:cutoff=1.5Hz", gain: 0.33, lag: 150),
    FilterResponse("butterworth:cutoff=3Hz", gain: 0.46, lag: 75),
    FilterResponse("ml-kit:frames=10,alpha=0.2", gain: 0.367, lag: 2.797 / 30 * 1000),
  ]

  @Test("White noise comes out as the table says, to 0.02", arguments: table)
  func noiseGain(response: FilterResponse) throws {
    let noise = RandomStream(seed: 7, purpose: "test.response")
    let times = (0..<40_000).map { Double($0) / Self.rate }
    let values = times.map { _ in noise.gaussian() }
    let smoothed = try SmoothingChoice(text: response.strategy).smooth(values, times: times)
    let gain = (Self.meanSquare(smoothed.dropFirst(300)) / Self.meanSquare(values[300...]))
      .squareRoot()
    #expect(abs(gain - response.gain) <= 0.02, "measured \(gain)")
  }

  @Test("Noise that stays, AR(1) at 0.95, no filter makes much smaller", arguments: table)
  func coloredNoise(response: FilterResponse) throws {
    let noise = RandomStream(seed: 9, purpose: "test.response")
    let times = (0..<40_000).map { Double($0) / Self.rate }
    var state = 0.0
    let values = times.map { _ in
      state = 0.95 * state + (1 - 0.95 * 0.95).squareRoot() * noise.gaussian()
      return state
    }
    let smoothed = try SmoothingChoice(text: response.strategy).smooth(values, times: times)
    let gain = (Self.meanSquare(smoothed.dropFirst(300)) / Self.meanSquare(values[300...]))
      .squareRoot()
    #expect((0.85...1.12).contains(gain), "measured \(gain)")
  }

  @Test("A slow ramp comes out as late as the table says, to 8 ms", arguments: table)
  func rampLag(response: FilterResponse) throws {
    let speed = 0.01
    let times = (0..<600).map { Double($0) / Self.rate }
    let values = times.map { speed * $0 }
    let smoothed = try SmoothingChoice(text: response.strategy).smooth(values, times: times)
    let lag = (values[599] - smoothed[599]) / speed * 1000
    #expect(abs(lag - response.lag) <= 8, "measured \(lag) ms")
  }

  @Test("The one-euro filter is faster at speed than at rest")
  func oneEuroHurries() throws {
    let times = (0..<600).map { Double($0) / Self.rate }
    let choice = try SmoothingChoice(text: "one-euro:minCutoff=1Hz,beta=5")
    let lags = [0.001, 0.1, 1].map { speed in
      let smoothed = choice.smooth(times.map { speed * $0 }, times: times)
      return (speed * times[599] - smoothed[599]) / speed
    }
    #expect(lags[0] > lags[1] && lags[1] > lags[2])
  }

  @Test("A filter that looks ahead has no lag", arguments: OfflineKind.allCases)
  func offlineHasNoLag(kind: OfflineKind) throws {
    let times = (0..<600).map { Double($0) / Self.rate }
    let smoothed = try SmoothingChoice(text: kind.rawValue).smooth(times, times: times)
    #expect(abs(smoothed[300] - times[300]) < 1e-6)
  }

  @Test("Rauch-Tung-Striebel halves what the Kalman filter leaves: gain 0.20")
  func backwardGain() throws {
    let noise = RandomStream(seed: 8, purpose: "test.response")
    let times = (0..<20_000).map { Double($0) / Self.rate }
    let values = times.map { _ in noise.gaussian() }
    let choice = try SmoothingChoice(text: "rts:processNoise=0.002,measurementNoise=0.011")
    let smoothed = choice.smooth(values, times: times)
    let gain = (Self.meanSquare(smoothed[300..<19_700]) / Self.meanSquare(values[...]))
      .squareRoot()
    #expect(abs(gain - 0.20) <= 0.02, "measured \(gain)")
  }

  static func meanSquare(_ values: ArraySlice<Double>) -> Double {
    values.reduce(0) { $0 + $1 * $1 } / Double(values.count)
  }
}
