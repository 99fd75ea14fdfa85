import PlankDetection
import PoseModel
import TestSupport
import Testing
import Tuning

@Suite("Smoothing applied to recordings")
struct SmoothedRecordingTests {
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

  @Test("Uneven times change a slow wave by little", arguments: OfflineKind.allCases)
  func unevenTimes(kind: OfflineKind) throws {
    var random = SplitMix64(seed: 12)
    var time = 0.0
    let times = (0..<400).map { _ in
      time += random.pick([0.02, 0.033, 0.05])
      return time
    }
    let values = times.map { 0.1 * $0 - 1 }
    let smoothed = try SmoothingChoice(text: kind.rawValue).smooth(values, times: times)
    for index in 30..<370 { #expect(abs(smoothed[index] - values[index]) < 0.005) }
  }
}
