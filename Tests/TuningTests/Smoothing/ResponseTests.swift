import PlankDetection
import PoseModel
import Statistics
import TestSupport
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

@Suite("Noise gain and ramp lag of filters at 30 Hz") struct ResponseTests {
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
    FilterResponse("kalman:processNoise=0.002,measurementNoise=0.011", gain: 0.39, lag: 0),
    FilterResponse("kalman:processNoise=0.02,measurementNoise=0.011", gain: 0.51, lag: 0),
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

  @Test("A slow ramp comes out as late as the table says, to 8 ms", arguments: table)
  func rampLag(response: FilterResponse) throws {
    let speed = 0.01
    let times = (0..<600).map { Double($0) / Self.rate }
    let values = times.map { speed * $0 }
    let smoothed = try SmoothingChoice(text: response.strategy).smooth(values, times: times)
    let lag = (values[599] - smoothed[599]) / speed * 1000
    #expect(abs(lag - response.lag) <= 8, "measured \(lag) ms")
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
    let gain = (Self.meanSquare(smoothed[300..<19_700]) / Self.meanSquare(values[...])).squareRoot()
    #expect(abs(gain - 0.20) <= 0.02, "measured \(gain)")
  }

  static func meanSquare(_ values: ArraySlice<Double>) -> Double {
    values.reduce(0) { $0 + $1 * $1 } / Double(values.count)
  }
}

@Suite("Smoothing applied to recordings") struct SmoothedRecordingTests {
  private static let gravity = try? BatchDetector(.gravity)

  private static func noisy(seconds: Double = 10, seed: UInt64 = 2) -> ScriptedSession {
    ScriptedSession(
      ScriptedBody(stature: Meters(1.75)), rate: Hertz(30),
      dropouts: [ScriptedDropout(from: 3, to: 3.1), ScriptedDropout(from: 5, to: 5.8)],
      jitter: ScriptedJitter(seed: seed, deviation: Meters(0.01)),
      phases: [ScriptedPhase(.forearm, seconds: seconds)])
  }

  private static func deviation(_ values: [Float]) -> Double {
    let present = values.filter { !$0.isNaN }.map(Double.init)
    let mean = present.reduce(0, +) / Double(present.count)
    return (present.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(present.count))
      .squareRoot()
  }

  @Test(
    "Columns of a causal chain are what a detector with that smoothing measures, to the bit",
    arguments: ["none", "ema", "median+one-euro@measurements", "savitzky-golay@measurements"])
  func causal(text: String) throws {
    let choice = try SmoothingChoice(text: text)
    guard case .causal(let strategy) = choice else { return }
    let recording = RandomRecording.make(seed: 9, frames: 300, holdSeconds: 0.5)
    let own = try BatchDetector(.trunk, smoothing: strategy).measure(recording, also: .all)
    let applied = choice.measure(recording, try BatchDetector(.trunk), also: .all)
    for measurement in Measurement.builtIn {
      #expect(own[measurement].map(\.bitPattern) == applied[measurement].map(\.bitPattern))
    }
  }

  @Test(
    "Joints that are smoothed once give the same measurements as `measure`, to the bit",
    arguments: [
      "ema", "median:frames=3+one-euro", "kalman@joints+ema@measurements", "rts",
      "rts@measurements",
    ])
  func joints(text: String) throws {
    let choice = try SmoothingChoice(text: text)
    let detector = try BatchDetector(.trunk)
    let recordings = [
      RandomRecording.make(seed: 9, frames: 300, holdSeconds: 0.5),
      Self.noisy().recording(ScriptedCamera()), Self.noisy().pelvisRecording(ScriptedCamera()),
    ]
    for recording in recordings {
      let found = choice.measure(
        recording, .all, joints: choice.smoothedJoints(of: recording),
        reading: detector.definition.axes)
      let expected = choice.measure(recording, detector, also: .all)
      for measurement in Measurement.builtIn {
        #expect(found[measurement].map(\.bitPattern) == expected[measurement].map(\.bitPattern))
      }
    }
  }

  @Test(
    "Every strategy on either target makes a still body's hips stiller, missing frames stay so",
    arguments: SmoothingChoice.names.filter { !["none", "hampel"].contains($0) },
    SmoothingTarget.allCases)
  func stiller(name: String, target: SmoothingTarget) throws {
    let detector = try #require(Self.gravity)
    let recording = Self.noisy().recording(ScriptedCamera())
    let plain = detector.measure(recording)[.hipDeviation]
    let choice = try SmoothingChoice(text: name + "@" + target.rawValue)
    let smoothed = choice.measure(recording, detector)[.hipDeviation]
    #expect(smoothed.map(\.isNaN) == plain.map(\.isNaN))
    #expect(Self.deviation(smoothed) < 0.75 * Self.deviation(plain))
  }

  @Test(
    "A filter that looks ahead does not look across a long gap", arguments: OfflineKind.allCases)
  func gaps(kind: OfflineKind) throws {
    let times = (0..<60).map { Double($0) / 30 } + (0..<60).map { 10 + Double($0) / 30 }
    var values = times.map { $0 < 5 ? 1.0 : 3 }
    values[20] = .nan
    let smoothed = try SmoothingChoice(text: kind.rawValue).smooth(values, times: times)
    for (index, value) in smoothed.enumerated() {
      if index == 20 { #expect(value.isNaN) } else { #expect(abs(value - values[index]) < 1e-9) }
    }
  }
}

@Suite("Smoothing filters against published implementations") struct SmoothingFiltersGoldenTests {
  struct Golden: Decodable {
    struct Series: Decodable {
      let times: [Double]
      let values: [Double]
    }

    struct Case: Decodable, CustomTestStringConvertible {
      let strategy: String
      let series: String
      let expected: [Double]

      var testDescription: String { strategy + " on " + series }
    }

    let tolerance: Double
    let series: [String: Series]
    let cases: [Case]
  }

  static let golden = Result {
    try GoldenFile.read("TuningTests/Smoothing/Goldens/smoothing_filters.json", as: Golden.self)
  }

  static var cases: [Golden.Case] { (try? golden.get().cases) ?? [] }

  @Test("The file is there and has a case of every filter")
  func fileIsComplete() throws {
    let strategies = try Self.golden.get().cases.map(\.strategy)
    for name in SmoothingChoice.names where name != "none" {
      #expect(strategies.contains { $0.hasPrefix(name + ":") }, "\(name)")
    }
  }

  @Test("Every sample is what the published implementation gives, to 1e-9", arguments: cases)
  func agreesWithPublished(golden: Golden.Case) throws {
    let file = try Self.golden.get()
    let series = try #require(file.series[golden.series])
    let choice = try SmoothingChoice(text: golden.strategy)
    let smoothed = choice.smooth(series.values, times: series.times)
    #expect(smoothed.count == golden.expected.count)
    for (index, pair) in zip(smoothed, golden.expected).enumerated() {
      #expect(abs(pair.0 - pair.1) <= file.tolerance, "sample \(index)")
    }
  }
}
