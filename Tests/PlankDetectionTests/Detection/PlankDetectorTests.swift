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
    let first = try detector.update(recording.poseFrames[0])
    #expect(first.rawPlank == .high && first.plank == .none && first.grade == nil)
    #expect(first.rawForm == .pike && first.form == .pike)
    #expect(detector.pending(.plank)?.label == .plank(.high))
    #expect(detector.pending(.plank)?.run == 1)
    let second = try detector.update(recording.poseFrames[1])
    #expect(second.plank == .high && second.grade == .warning)
  }

  @Test("A frame without a pose is undetermined, and its measurements are gone")
  func missingFrame() throws {
    var detector = try PlankDetector(.gravity)
    _ = try detector.update(recording.poseFrames[0])
    #expect(detector.measurement(.elbowAngle) != nil)
    let answer = try detector.update(
      PoseFrame(time: Seconds(0.1), pose: nil, axes: FrameAxes(up: .unitY)))
    #expect(answer.rawPlank == nil && answer.rawForm == nil && answer.grade == nil)
    #expect(answer.plank == .high && answer.form == .pike)
    #expect(detector.measurement(.elbowAngle) == nil)
  }

  @Test("A standing body is `none` by the first rule, though its hips have no signed angle")
  func standingIsDetermined() throws {
    let bend = ParameterKey("bend")
    let definition = try DetectorDefinition(
      name: "signed", summary: "", axes: .gravity,
      plank: DecisionList(
        .plank,
        [
          Rule(.plank(.none), when: [Predicate(.verticalRatio, .greaterOrEqual, .horizontalRatio)]),
          Rule(.plank(.high), when: [Predicate(.signedHipAngle, .greater, bend)]),
          Rule(.plank(.forearm)),
        ]),
      form: DecisionList(
        .form,
        [
          Rule(.form(.pike), when: [Predicate(.signedHipAngle, .less, bend)]),
          Rule(.form(.aligned)),
        ]),
      custom: [
        try ParameterDefinition(bend, unit: .degrees, default: 180, range: 0...360, meaning: "")
      ])
    let standing = ScriptedSession(
      ScriptedBody(stature: Meters(1.7)), rate: Hertz(10),
      phases: [ScriptedPhase(.standing, seconds: 0.5)]
    ).recording(ScriptedCamera())
    var detector = try PlankDetector(definition)
    let answer = try detector.update(standing.poseFrames[0])
    #expect(answer.rawPlank == PlankClass.none && answer.rawForm == .aligned)
    #expect(detector.measured(.signedHipAngle) == .inapplicable)
    let batch = try Replay.batch(standing, definition)
    #expect(batch.plank.isDetermined(at: 0) && batch.form.isDetermined(at: 0))
  }

  @Test("After a reset the detector is as new", arguments: [false, true])
  func reset(startsMid: Bool) throws {
    var values = try parameters(3)
    try values.set(.formFrames, to: 3)
    var detector = try PlankDetector(.gravity, parameters: values, startsMid: startsMid)
    let answers = try (0..<10).map { try detector.update(recording.poseFrames[$0]) }
    detector.reset()
    #expect(detector.pending(.plank) == nil)
    #expect(try (0..<10).map { try detector.update(recording.poseFrames[$0]) } == answers)
  }

  @Test("A measurement that the rules do not need is not there")
  func unusedMeasurement() throws {
    var detector = try PlankDetector(.gravity)
    _ = try detector.update(recording.poseFrames[0])
    #expect(detector.measurement(.trunkRoll) == nil)
    #expect(detector.measurement(.bodyAngle) != nil)
  }
}

@Suite("Streaming and batch, by property")
struct StreamingPropertyTests {
  private func expectEqual(
    _ recording: Recording, _ definition: DetectorDefinition, seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let parameters = try RandomParameters.make(definition, &random)
    let startsMid = random.chance(0.5)
    let batch = try Replay.batch(recording, definition, parameters, startsMid: startsMid)
    let stream = try Replay.stream(recording, definition, parameters, startsMid: startsMid)
    let angles = Replay.measure(recording, definition.axes)
    #expect(stream.map(\.plank.code) == batch.plank.answers)
    #expect(stream.map(\.form.code) == batch.form.answers)
    #expect(stream.map { $0.rawPlank?.code ?? Debouncer.undetermined } == batch.plank.raw)
    #expect(stream.map { $0.rawForm?.code ?? Debouncer.undetermined } == batch.form.raw)
    let grades = stream.indices.map { frame in
      FormGrade(
        bodyAngle: angles.value(of: .bodyAngle, at: frame), answer: stream[frame].plank,
        GradeBands(parameters))
    }
    #expect(stream.map(\.grade) == grades)
  }

  @Test(
    "The streaming detector answers like the batch detector on nonsense",
    arguments: DetectorDefinition.builtIn.map(\.name), Draws.seeds(40 as UInt64))
  func randomRecordings(name: String, seed: UInt64) throws {
    let definition = try #require(DetectorDefinition.builtIn(named: name))
    let recording = RandomRecording.make(seed: seed, frames: 300, holdSeconds: 0.5)
    try expectEqual(recording.fitting(definition), definition, seed: seed + 1000)
  }

  @Test(
    "The streaming detector answers like the batch detector on scripted sessions",
    arguments: DetectorDefinition.builtIn.map(\.name), 0..<10 as Range<UInt64>)
  func scriptedSessions(name: String, seed: UInt64) throws {
    let definition = try #require(DetectorDefinition.builtIn(named: name))
    let session = Sessions.full(rate: [8, 15, 30, 60][Int(seed % 4)], deviation: 0.01, seed: seed)
    let recording = session.recording(ScriptedCamera())
    try expectEqual(recording.fitting(definition), definition, seed: seed)
    try expectEqual(session.pelvisRecording(ScriptedCamera()), definition, seed: seed + 1)
  }
}

@Suite("Causality, by property")
struct CausalityPropertyTests {
  @Test(
    "An answer never depends on later frames",
    arguments: DetectorDefinition.builtIn.map(\.name), 0..<12 as Range<UInt64>)
  func prefix(name: String, seed: UInt64) throws {
    let definition = try #require(DetectorDefinition.builtIn(named: name))
    var random = SplitMix64(seed: seed)
    let parameters = try RandomParameters.make(definition, &random)
    let startsMid = random.chance(0.5)
    let recording = RandomRecording.make(seed: seed, frames: 200, holdSeconds: 0.5)
    let whole = try Replay.batch(recording, definition, parameters, startsMid: startsMid)
    for _ in 0..<10 {
      let count = random.integer(0...200)
      for other in [recording.prefix(count), recording.losingPoses(from: count)] {
        let part = try Replay.batch(other, definition, parameters, startsMid: startsMid)
        for stream in AnswerStream.allCases {
          #expect(part[stream].answers.prefix(count) == whole[stream].answers.prefix(count))
          #expect(part[stream].raw.prefix(count) == whole[stream].raw.prefix(count))
          #expect(part[stream].isHeld.prefix(count) == whole[stream].isHeld.prefix(count))
        }
      }
    }
  }
}
