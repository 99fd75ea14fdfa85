import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Batch detector")
struct BatchDetectorTests {
  private let recording = Sessions.full().recording(ScriptedCamera())

  @Test("It measures what the rules mention, and the body angle for the grade")
  func measurements() throws {
    let detector = try BatchDetector(.gravity)
    #expect(
      detector.measurements.members == [
        .verticalRatio, .shoulderRise, .wristHipCosine, .elbowAngle, .bodyAngle, .hipDeviation,
      ])
    let columns = detector.measure(recording, also: MeasurementSet([.trunkRoll]))
    #expect(columns.measurements.contains(.trunkRoll))
  }

  @Test("Columns that are more than needed change nothing")
  func moreColumns() throws {
    let detector = try BatchDetector(.gravity)
    let answers = detector.detect(
      detector.measure(recording, also: .all), times: recording.times, startsMid: false)
    #expect(answers == (try Replay.batch(recording, .gravity)))
  }

  @Test("A column that is missing leaves its stream undetermined, and the other one alone")
  func missingColumn() throws {
    let detector = try BatchDetector(.gravity)
    let columns = MeasurementColumns(
      recording, MeasurementSet([.hipDeviation]), reading: .gravity)
    let answers = detector.detect(columns, times: recording.times, startsMid: false)
    #expect(answers.plank.raw.allSatisfy { $0 == Debouncer.undetermined })
    #expect(answers.plank.answers.allSatisfy { $0 == 0 })
    #expect(answers.form == (try Replay.batch(recording, .gravity)).form)
  }

  @Test("An undefined measurement leaves only the lists undetermined that mention it")
  func undefinedMeasurement() throws {
    // Without a wrist neither cosine nor elbow angle exist, but the hips' line does.
    let recording = ScriptedSession(
      ScriptedBody(stature: Meters(1.7)), rate: Hertz(10),
      dropouts: [ScriptedDropout(from: 0.5, to: 5, of: [.rightWrist])],
      phases: [ScriptedPhase(.high, seconds: 1.5)]
    ).recording(ScriptedCamera())
    let answers = try Replay.batch(recording, .gravity)
    #expect((0..<15).map { answers.plank.isDetermined(at: $0) } == (0..<15).map { $0 < 5 })
    #expect((0..<15).allSatisfy { answers.form.isDetermined(at: $0) })
    #expect(answers.plank.isHeld == (0..<15).map { (5...9).contains($0) })
    #expect(answers.plank.answers == (0..<15).map { $0 <= 9 ? 2 : 0 })
  }

  @Test("Going forward in steps gives what going at once gives", arguments: [1, 64, 1000])
  func steps(size: Int) throws {
    let detector = try BatchDetector(.trunk)
    let columns = detector.measure(recording)
    var run = DetectionRun(detector, times: recording.times, startsMid: true)
    for start in stride(from: 0, to: recording.frameCount, by: size) {
      run.advance(to: min(start + size, recording.frameCount), columns)
    }
    #expect(
      run.result == detector.detect(columns, times: recording.times, startsMid: true))
  }
}
