import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Streaming detector") struct PlankDetectorTests {
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
    let standing = ScriptedSession([.standing: 0.5], stature: 1.7).recording(ScriptedCamera())
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
}

@Suite("Streaming and batch, by property") struct StreamingPropertyTests {
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
}

@Suite("Batch detector") struct BatchDetectorTests {
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
      [.high: 1.5], stature: 1.7, dropouts: [ScriptedDropout(from: 0.5, to: 5, of: [.rightWrist])]
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

@Suite("Detector definitions") struct DetectorDefinitionTests {
  private let gravity = DetectorDefinition.gravity
  private static let bend = ParameterKey("bend")

  private func define(
    plank: DecisionList? = nil, form: DecisionList? = nil, custom: [ParameterDefinition] = []
  ) throws -> DetectorDefinition {
    try DetectorDefinition(
      name: "mine", summary: "", axes: .gravity, plank: plank ?? gravity.plank,
      form: form ?? gravity.form, custom: custom)
  }

  private func bentList() throws -> DecisionList {
    try DecisionList(
      .plank,
      [Rule(.plank(.high), when: [Predicate(.bodyAngle, .less, Self.bend)]), Rule(.plank(.none))])
  }

  private func bendDefinition(_ value: Double = 150) throws -> ParameterDefinition {
    try ParameterDefinition(
      Self.bend, unit: .degrees, default: value, range: 0...180, meaning: "bent")
  }

  @Test("Detectors are equal whatever the order of their own measurements, not without one of them")
  func orderOfExpressions() throws {
    func coach(_ expressions: [Measurement]) throws -> DetectorDefinition {
      let own = DetectorDefinition.coach
      return try DetectorDefinition(
        name: own.name, summary: own.summary, axes: own.axes, plank: own.plank, form: own.form,
        expressions: expressions)
    }
    let own = DetectorDefinition.coach.expressions
    #expect(try coach(own.reversed()).expressions != own)
    #expect(try coach(own.reversed()) == .coach)
    #expect(try coach(own.reversed()).hashValue == DetectorDefinition.coach.hashValue)
    let unused = try #require(own.first { $0.name == "lowerKnee" })
    #expect(try coach(own.filter { $0 != unused }) != .coach)
  }

  @Test("Lists must be in their own stream's place")
  func swappedLists() {
    #expect(throws: DetectorError.wrongStream(.plank)) { try define(plank: gravity.form) }
    #expect(throws: DetectorError.wrongStream(.form)) { try define(form: gravity.plank) }
  }

  @Test("A key that neither the catalogue nor the detector defines is an error")
  func undefinedKey() throws {
    let error = #expect(throws: DetectorError.self) { try define(plank: try bentList()) }
    guard case .undefinedParameter(Self.bend, let available) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(available.contains(.sag))
    let detector = try define(plank: try bentList(), custom: [try bendDefinition()])
    #expect(detector.defaults[Self.bend] == 150)
  }

  @Test("A key is defined once")
  func repeatedKey() throws {
    let twice = [try bendDefinition(), try bendDefinition(160)]
    #expect(throws: DetectorError.repeatedParameter(Self.bend)) {
      try define(plank: try bentList(), custom: twice)
    }
  }

  @Test("A definition of the detector's own replaces the built-in one of that key")
  func replacedKey() throws {
    let sag = try ParameterDefinition(
      .sag, unit: .meters, default: 0.02, range: 0...0.1, meaning: "strict")
    let detector = try define(custom: [sag])
    #expect(detector.defaults[.sag] == 0.02 && detector.defaults[.pike] == 0.05)
  }

  @Test("A rule compares in one unit")
  func unitMismatch() throws {
    let predicate = Predicate(.bodyAngle, .less, .sag)
    let list = try DecisionList(
      .plank, [Rule(.plank(.forearm), when: [predicate]), Rule(.plank(.none))])
    #expect(
      throws: DetectorError.unitMismatch(predicate, measurement: .degrees, parameter: .meters)
    ) { try define(plank: list) }
  }

  @Test("Parameters of another detector do not run")
  func foreignParameters() {
    let foreign = DetectorDefinition.scaled.defaults
    #expect(throws: DetectorError.self) { try BatchDetector(gravity, parameters: foreign) }
    #expect(throws: DetectorError.self) { try PlankDetector(gravity, parameters: foreign) }
  }
}
