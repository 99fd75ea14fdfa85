import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Streaming detector")
struct PlankDetectorTests {
  private let recording = ScriptedSession(
    ScriptedBody(stature: Meters(1.7)), rate: Hertz(10),
    phases: [ScriptedPhase(.high, seconds: 1, hipCentimeters: 10)]
  ).recording(ScriptedCamera())

  private func parameters(_ frames: Double) throws -> ParameterValues {
    var values = DetectorDefinition.gravity.defaults
    try values.set(.plankFrames, to: frames)
    return values
  }

  @Test("An answer has raw and steady labels and the grade of the steady plank")
  func answer() throws {
    var detector = try PlankDetector(.gravity, parameters: try parameters(2))
    let first = detector.update(Replay.frame(0, of: recording))
    #expect(first.rawPlank == .high && first.plank == .none && first.grade == nil)
    #expect(first.rawForm == .pike && first.form == .pike)
    #expect(detector.pending(.plank)?.code == PlankClass.high.rawValue)
    #expect(detector.pending(.plank)?.run == 1)
    let second = detector.update(Replay.frame(1, of: recording))
    #expect(second.plank == .high && second.grade == .warning)
  }

  @Test("A frame without a pose is undetermined, and its measurements are gone")
  func missingFrame() throws {
    var detector = try PlankDetector(.gravity)
    _ = detector.update(Replay.frame(0, of: recording))
    #expect(detector.measurement(.elbowAngle) != nil)
    let answer = detector.update(
      PoseFrame(time: Seconds(0.1), pose: nil, axes: FrameAxes(up: .unitY)))
    #expect(answer.rawPlank == nil && answer.rawForm == nil && answer.grade == nil)
    #expect(answer.plank == .high && answer.form == .pike)
    #expect(detector.measurement(.elbowAngle) == nil)
  }

  @Test("After a reset the detector is as new", arguments: [false, true])
  func reset(startsMid: Bool) throws {
    var values = try parameters(3)
    try values.set(.formFrames, to: 3)
    var detector = try PlankDetector(.gravity, parameters: values, startsMid: startsMid)
    let answers = (0..<10).map { detector.update(Replay.frame($0, of: recording)) }
    detector.reset()
    #expect(detector.pending(.plank) == nil)
    #expect((0..<10).map { detector.update(Replay.frame($0, of: recording)) } == answers)
  }

  @Test("A measurement that the rules do not need is not there")
  func unusedMeasurement() throws {
    var detector = try PlankDetector(.gravity)
    _ = detector.update(Replay.frame(0, of: recording))
    #expect(detector.measurement(.trunkRoll) == nil)
    #expect(detector.measurement(.bodyAngle) != nil)
  }
}
