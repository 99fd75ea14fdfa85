import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Smoothing of measurements and joints")
struct MeasurementSmoothingTests {
  private static func average(on target: SmoothingTarget) throws -> SmoothingStrategy {
    try SmoothingStrategy([SmoothingStep(.movingAverage, [.windowFrames: 3], on: target)])
  }

  @Test("A trunk roll that goes around at 180 degrees is averaged the short way")
  func roll() throws {
    let columns = MeasurementColumns(
      frameCount: 3, columns: [.trunkRoll: [178, -178, -176], .bodyAngle: [10, 20, 60]])
    let smoothed = columns.smoothed(by: try Self.average(on: .measurements), times: [0, 0.1, 0.2])
    #expect(smoothed[.trunkRoll] == [178, 180, -178.66667])
    #expect(smoothed[.bodyAngle] == [10, 15, 30])
  }

  @Test("An undefined measurement stays undefined and leaves the others alone")
  func undefined() throws {
    let columns = MeasurementColumns(
      frameCount: 3, columns: [.shoulderRise: [1, .nan, 3], .hipDeviation: [1, 2, 3]])
    let smoothed = columns.smoothed(by: try Self.average(on: .measurements), times: [0, 0.1, 0.2])
    #expect(smoothed[.shoulderRise].map(\.isNaN) == [false, true, false])
    #expect(smoothed[.shoulderRise][2] == 2)
    #expect(smoothed[.hipDeviation] == [1, 1.5, 2])
  }

  @Test("Smoothed joints straighten an angle that smoothed angles leave biased")
  func bias() throws {
    let session = ScriptedSession(
      ScriptedBody(stature: Meters(1.75)), rate: Hertz(30),
      jitter: ScriptedJitter(seed: 5, deviation: Meters(0.02)),
      phases: [ScriptedPhase(.forearm, seconds: 20)])
    let recording = session.recording(ScriptedCamera())
    func mean(_ target: SmoothingTarget?) throws -> Double {
      let detector = try BatchDetector(
        .gravity,
        smoothing: try target.map {
          try SmoothingStrategy([SmoothingStep(.movingAverage, on: $0)])
        } ?? .none)
      let angles = detector.measure(recording)[.bodyAngle].dropFirst(30)
      return Double(angles.reduce(0, +)) / Double(angles.count)
    }
    let plain = try mean(nil)
    #expect(abs(try mean(.measurements) - plain) < 0.2)
    #expect(try mean(.joints) > plain + 1)
    #expect(plain < 177)
  }

  @Test("Joints of a pelvis recording are smoothed in the camera's axes")
  func pelvis() throws {
    let session = Sessions.full(rate: 15, deviation: 0.01, seed: 4)
    let detector = try BatchDetector(.gravity, smoothing: Self.average(on: .joints))
    let camera = detector.measure(session.recording(ScriptedCamera()))
    let pelvis = detector.measure(session.pelvisRecording(ScriptedCamera()))
    Agreement.expect(camera, pelvis)
  }
}
