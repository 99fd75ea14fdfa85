import PoseModel
import PoseRecording
import TestSupport
import Testing

@testable import PoseDatasets

@Suite("Body lint") struct BodyLintTests {
  /// A labeled session with every position and time changed, as a dataset.
  private func findings(
    _ phases: [ScriptedPosture] = [.standing, .forearm, .sideLeft, .high],
    camera: ScriptedCamera = ScriptedCamera(azimuth: Degrees(25)),
    change: (Vector3) -> Vector3 = { $0 }, time: (Double) -> Double = { $0 },
    names: (Joint) -> Joint = { $0 }, height: Meters? = Meters(1.75)
  ) throws -> [LintFinding] {
    let session = ScriptedSession(
      ScriptedBody(stature: Meters(1.75)), rate: Hertz(10),
      jitter: ScriptedJitter(seed: 1, deviation: Meters(0.003)), subject: "s",
      phases: phases.map { ScriptedPhase($0, seconds: 3) })
    let recording = session.recording(camera).changed(
      header: {
        $0.joints = $0.joints.map(names)
        $0.bodyHeight = height
      }, time: time, position: change)
    let folder = try TemporaryFolder()
    try folder.write(try PoseRecordingText.bytes(of: recording), to: "a.poses.jsonl")
    try folder.write(LabelsWriter.text(of: session.labels), to: "a.labels.csv")
    try folder.write(
      "sequences: [{poses: a.poses.jsonl, labels: a.labels.csv, subject: s}]\n", to: "dataset.yaml")
    return try DatasetLint.findings(datasetAt: folder.path)
  }

  private func codes(_ findings: [LintFinding]) -> Set<LintCode> { Set(findings.map(\.code)) }

  @Test("A sound recording has no warning; without a height there is a note on 1.8 m")
  func sound() throws {
    #expect(try findings().isEmpty)
    let without = try findings(height: nil)
    #expect(without.map(\.code) == [.missingHeight] && without.map(\.severity) == [.note])
    #expect(without.first?.message.contains("1.8 m") == true)
  }

  @Test(
    "Sound planks from every camera confirm up and sides",
    arguments: ScriptedCamera.all(azimuth: Degrees(40)))
  func cameras(camera: ScriptedCamera) throws {
    let found = try findings(camera: camera)
    #expect(found.isEmpty, "\(found)")
  }

  @Test("Another unit of length is named with the factor")
  func size() throws {
    let found = try findings(change: { $0 * 100 })
    #expect(found.map(\.code) == [.bodySize])
    #expect(found.first?.message.contains("centimeters") == true)
    #expect(found.first?.remedy.contains("by 0.01") == true)
    let pixels = try findings(change: { $0 * 300 })
    #expect(pixels.first?.message.contains("in pixels") == true)
  }

  @Test("A stretched axis is named with the option that sets the aspect ratio")
  func stretched() throws {
    let found = try findings(
      [.high, .forearm], camera: ScriptedCamera(), change: { Vector3($0.x / 1.78, $0.y, $0.z) })
    #expect(codes(found).contains(.boneRatios), "\(found)")
    #expect(found.first { $0.code == .boneRatios }?.remedy.contains("--image-size") == true)
  }

  @Test("Times in another unit are named once, not once more as missing labels")
  func clock() throws {
    let found = try findings(time: { $0 * 1000 })
    #expect(codes(found).contains(.clockUnit) && !codes(found).contains(.labelCoverage))
    #expect(found.first { $0.code == .clockUnit }?.message.contains("milliseconds") == true)
    let dates = try findings(time: { $0 + 1.7e9 })
    #expect(
      dates.first { $0.code == .labelCoverage }?.remedy.contains(
        "subtract the recording's first time") == true)
  }

  @Test(
    "A quarter turn is named with the rotation, whether somebody stands or not",
    arguments: [[ScriptedPosture.standing, .forearm, .high], [.forearm, .high, .sideRight]], [1, 3])
  func turned(phases: [ScriptedPosture], quarters: Int) throws {
    let turn = BufferRotation(quarterTurns: quarters)
    let found = try findings(phases, camera: ScriptedCamera(), change: { turn($0) })
    #expect(found.map(\.code) == [.plankPosture], "\(found)")
    #expect(found.first?.remedy.contains("\"buffer_rotation_deg\":\(turn.degrees)") == true)
  }

  @Test("y downward and z upward are told from turned images")
  func axes() throws {
    let down = try findings(change: { Vector3($0.x, -$0.y, $0.z) })
    #expect(down.map(\.code) == [.plankPosture])
    #expect(down.first?.remedy.contains("y points down") == true)
    let upsideDown = try findings(change: { Vector3(-$0.x, -$0.y, $0.z) })
    #expect(upsideDown.first?.remedy.contains("\"buffer_rotation_deg\":180") == true)
    let upward = try findings(change: { Vector3($0.x, -$0.z, $0.y) })
    #expect(upward.first?.remedy.contains("\"up\":[0,0,1]") == true)
  }

  @Test("Swapped names are told from swapped labels of side planks")
  func sides() throws {
    let names = try findings(names: \.mirrored)
    #expect(names.map(\.code) == [.mirroredBody], "\(names)")
    let mirrored = try findings(change: { Vector3(-$0.x, $0.y, $0.z) }, names: \.mirrored)
    #expect(mirrored.map(\.code) == [.swappedSides], "\(mirrored)")
  }

  @Test("Without labels, bent knees show a reversed axis")
  func knees() throws {
    let session = ScriptedSession(
      [.allFours: 8], jitter: ScriptedJitter(seed: 2, deviation: Meters(0.003)))
    let recording = session.recording(ScriptedCamera(azimuth: Degrees(25)))
    let sound = BodySurvey(recording)
    #expect(sound.knees.forward > 100 && sound.knees.backward == 0)
    let swapped = recording.changed(header: { $0.joints = $0.joints.map(\.mirrored) })
    let survey = BodySurvey(swapped)
    let lint = BodyLint(path: "a", recording: swapped, survey: survey)
    #expect(lint.findings.map(\.code) == [.mirroredBody])
  }

  @Test("Under a camera that is said to be upright, whoever lies is no reason to turn anything")
  func lying() throws {
    func finding(_ buffer: ImageBuffer) throws -> LintFinding? {
      let session = ScriptedSession([.standing: 4])
      let lying = session.recording(ScriptedCamera()).changed(
        header: { $0.buffer = buffer }, position: { Vector3($0.y, -$0.x, $0.z) })
      let lint = BodyLint(path: "a", recording: lying, survey: BodySurvey(lying))
      return lint.findings.first { $0.code == .nobodyStands }
    }
    let fixed = try #require(try finding(.fixed))
    let upright = try #require(try finding(.upright))
    #expect(fixed.severity == .warning && fixed.remedy.contains("buffer_rotation_deg"))
    #expect(upright.severity == .note && upright.remedy.contains("there is nothing to do"))
  }
}

@Suite("Jumps of bodies in 3D") struct BodyJumpsTests {
  /// Someone who stands (1) or lies (0), 10 times per second.
  private func finding(_ poses: [Int]) -> LintFinding? {
    let heights: [(Joint, Double)] = [
      (.leftHip, 0), (.rightHip, 0), (.leftShoulder, 0.5), (.rightShoulder, 0.5),
      (.leftElbow, 0.25), (.rightElbow, 0.25), (.leftWrist, 0), (.rightWrist, 0),
      (.leftKnee, -0.4), (.rightKnee, -0.4), (.leftAnkle, -0.8), (.rightAnkle, -0.8),
    ]
    var recording = Recording(
      header: RecordingHeader(skeleton: .vision3d, joints: heights.map(\.0), frame: .camera))
    for (index, kind) in poses.enumerated() {
      let pose = heights.flatMap { _, height -> [Float] in
        switch kind {
        case 1: [0, Float(height), 0]
        case 2: [0.45 * Float(height), 0, 0]
        default: [Float(height), 0, 0]
        }
      }
      recording.append(time: Seconds(Double(index) / 10), pose: pose)
    }
    return BodyJumps(path: "a", recording: recording).finding
  }

  @Test("Two people who take turns are found; who lies down once is not")
  func turns() {
    #expect(finding((0..<30).map { $0 % 4 == 0 ? 1 : 0 })?.code == .personJumps)
    #expect(finding((0..<30).map { $0 < 15 ? 1 : 0 }) == nil)
  }

  @Test("A smaller body in every ninth frame is found; a single one is not")
  func sizes() {
    #expect(finding((0..<54).map { $0 % 9 == 8 ? 2 : 0 })?.code == .personJumps)
    #expect(finding((0..<54).map { $0 == 8 ? 2 : 0 }) == nil)
  }
}

@Suite("Body survey") struct BodySurveyTests {
  private static let session = ScriptedSession(
    [.standing: 2, .forearm: 3, .sideLeft: 3], stature: 1.7)

  /// The session seen obliquely, with every position and time changed.
  private static func recording(
    _ change: (Vector3) -> Vector3 = { $0 }, time: (Double) -> Double = { $0 },
    names: (Joint) -> Joint = { $0 }
  ) -> Recording {
    session.recording(ScriptedCamera(azimuth: Degrees(25)))
      .changed(header: { $0.joints = $0.joints.map(names) }, time: time, position: change)
  }

  private static let labels = session.labels

  @Test(
    "The unit of lengths is the one in which the body is as tall as people are",
    arguments: LengthUnit.allCases)
  func lengthUnit(unit: LengthUnit) {
    let survey = BodySurvey(Self.recording { $0 / unit.meters }, labels: Self.labels)
    #expect(survey.lengthUnit == unit)
    #expect(survey.planksConfirmUp == true)
  }

  @Test("A body of no person's size has no unit", arguments: [0.01, 0.4, 10])
  func noUnit(factor: Double) {
    #expect(BodySurvey(Self.recording { $0 * factor }).lengthUnit == nil)
  }

  @Test(
    "Labeled planks and people who stand show which way is up",
    arguments: [UpCandidate.turned90, .turned180, .turned270])
  func turned(direction: UpCandidate) throws {
    let turn = try #require(direction.rotation)
    let turned = Self.recording { turn($0) }
    #expect(BodySurvey(turned, labels: Self.labels).upByPlanks == direction)
    // A fifth of the poses stands, which may be somebody who lies, but nobody hangs head down.
    let unlabeled = BodySurvey(turned)
    #expect(unlabeled.upByPlanks == nil)
    #expect(unlabeled.upByStanding == (direction == .turned180 ? direction : nil))
  }

  @Test("Labeled planks show that z is up")
  func upward() {
    let survey = BodySurvey(Self.recording { Vector3($0.x, -$0.z, $0.y) }, labels: Self.labels)
    #expect(survey.upByPlanks == .towardCamera)
    #expect(survey[.towardCamera].facing == survey[.towardCamera].judgedFacing)
  }

  @Test("A reversed axis or swapped names make bodies face the wrong way")
  func reflected() {
    let swapped = BodySurvey(Self.recording(names: \.mirrored), labels: Self.labels)
    #expect(swapped.planksConfirmUp == true && swapped[.up].facing == 0)
    let down = BodySurvey(Self.recording { Vector3($0.x, -$0.y, $0.z) }, labels: Self.labels)
    #expect(down.upByPlanks == .turned180 && down[.turned180].facing == 0)
  }

  @Test("Joints at the origin are counted and not used")
  func origin() {
    var count = 0
    let zeroed = Self.recording { position in
      count += 1
      return count % 20 == 1 && position.norm > 0 ? Vector3(0, 0, 0) : position
    }
    let survey = BodySurvey(zeroed, labels: Self.labels)
    #expect(survey.fillers.atOrigin > 50 && survey.fillers.firstAtOrigin != nil)
    #expect(survey.lengthUnit == .meters && survey.planksConfirmUp == true)
  }

  @Test("A joint that never moves while others do is found, a body that rests is not")
  func frozen() {
    var seen = 0
    let joints = Self.session.recording(ScriptedCamera()).header.joints.count
    let stuck = Self.recording { position in
      defer { seen += 1 }
      return seen % joints == joints - 1 ? Vector3(0.25, 0.5, 0) : position
    }
    let fillers = BodySurvey(stuck).fillers
    #expect(fillers.frozenSteps == fillers.movingSteps && fillers.movingSteps > 10)
    #expect(
      fillers.frozenJoint == Self.session.recording(ScriptedCamera()).header.joints.last?.name)
  }

  @Test("Where times are milliseconds or dates, labels are still those of the same moments")
  func times() {
    let thousandths = BodySurvey(Self.recording(time: { $0 * 1000 }), labels: Self.labels)
    #expect(thousandths.clock.unit == .milliseconds)
    #expect(
      thousandths.labeledPlanks == BodySurvey(Self.recording(), labels: Self.labels).labeledPlanks)
    let dates = BodySurvey(Self.recording(time: { $0 + 1.7e9 }), labels: Self.labels)
    #expect(dates.clock.isDate && dates.planksConfirmUp == true)
  }

  @Test("A recording without a pose has nothing to say")
  func empty() {
    let header = RecordingHeader(
      skeleton: .vision3d, joints: Skeleton.vision3d.joints, frame: .camera)
    let survey = BodySurvey(Recording(header: header), labels: Self.labels)
    #expect(survey.poses == 0 && survey.stature == nil && survey.lengthUnit == nil)
    #expect(survey.planksConfirmUp == nil && survey.upByStanding == nil && !survey.isUpConfirmed)
  }
}

@Suite("Clock survey") struct ClockSurveyTests {
  private func times(step: Double, count: Int = 40, from start: Double = 0) -> [Double] {
    (0..<count).map { start + Double($0) * step }
  }

  @Test(
    "The unit is the one in which frames come at a camera's rate",
    arguments: [
      (1.0 / 240, TimeUnit.seconds), (1.0 / 30, .seconds), (1.4, .seconds), (4.2, .milliseconds),
      (33.3, .milliseconds), (1000, .milliseconds), (33_333, .microseconds),
      (33_333_333, .nanoseconds),
    ])
  func units(step: Double, unit: TimeUnit) { #expect(ClockSurvey(times(step: step)).unit == unit) }

  @Test("Steps between those of cameras say nothing", arguments: [3.0, 3000, 1e12])
  func unknown(step: Double) {
    let survey = ClockSurvey(times(step: step))
    #expect(survey.unit == nil && survey.isInSeconds)
  }

  @Test("Whole numbers 1 apart count frames, unless they are few or not all whole")
  func numbers() {
    #expect(ClockSurvey(times(step: 1)).unit == .frames)
    #expect(ClockSurvey(times(step: 1, count: 29)).unit == .seconds)
    #expect(ClockSurvey(times(step: 1, from: 0.5)).unit == .seconds)
    #expect(ClockSurvey(times(step: 33, count: 9)).unit == nil)
  }

  @Test("Times since 1970 are dates in any unit")
  func dates() {
    #expect(ClockSurvey(times(step: 0.1, from: 1.7e9)).isDate)
    #expect(ClockSurvey(times(step: 100, from: 1.7e12)).isDate)
    #expect(!ClockSurvey(times(step: 0.1, from: 1e6)).isDate)
    let corrected = ClockSurvey(times(step: 100, from: 1.7e12)).corrected([1.7e12, 1.7e12 + 100])
    #expect(corrected == [0, 0.1])
  }

  @Test("Repeated and backward times of other programs are counted")
  func disorder() {
    let survey = ClockSurvey([0, 0.1, 0.1, 0.3, 0.2])
    #expect(survey.repeated == 1 && survey.backward == 1)
    #expect(ClockSurvey([]).medianStep == nil && ClockSurvey([]).start == nil)
  }
}

@Suite("Lint of 2D recordings") struct ImageLintTests {
  /// Someone who stands, `height` of the image high, with the feet at a place.
  private func body(
    at x: Double = 0.5, height: Double = 0.5, without missing: Set<Joint> = []
  ) -> [Float] {
    let rows: [Joint: Double] = [
      .nose: 1, .neck: 0.85, .root: 0.5, .leftAnkle: 0, .rightAnkle: 0, .leftKnee: 0.25,
      .rightKnee: 0.25, .leftHip: 0.5, .rightHip: 0.5, .leftShoulder: 0.85, .rightShoulder: 0.85,
      .leftElbow: 0.7, .rightElbow: 0.7, .leftWrist: 0.5, .rightWrist: 0.5,
    ]
    return Skeleton.vision2d.joints.flatMap { joint -> [Float] in
      guard let row = rows[joint], !missing.contains(joint) else { return [.nan, .nan] }
      return [Float(x), Float(0.2 + row * height)]
    }
  }

  private func findings(
    _ poses: [[Float]?], size: ImageSize? = ImageSize(width: 1080, height: 1920),
    confidences: [Float]? = nil
  ) -> [LintFinding] {
    var header = RecordingHeader(
      skeleton: .vision2d, joints: Skeleton.vision2d.joints, frame: .image)
    header.imageSize = size
    var recording = Recording(header: header)
    for (index, pose) in poses.enumerated() {
      let time = Double(index) / 10
      guard let pose else {
        recording.append(time: Seconds(time), pose: nil)
        continue
      }
      pose.withUnsafeBufferPointer { pose in
        (confidences ?? []).withUnsafeBufferPointer {
          recording.append(time: time, pose: pose, confidences: confidences == nil ? nil : $0)
        }
      }
    }
    return ImageLint(path: "a.poses.jsonl", recording: recording).findings
  }

  @Test("A whole body of a third of the image's height has no findings; 3D has none of these")
  func sound() {
    #expect(findings(Array(repeating: body(height: 0.334), count: 3)).isEmpty)
    let header = RecordingHeader(skeleton: .vision3d, joints: [.root], frame: .camera)
    var recording = Recording(header: header)
    recording.append(time: Seconds(0), pose: [0, 0, 0])
    #expect(ImageLint(path: "a", recording: recording).findings.isEmpty)
  }

  @Test("A body under a third of the image's height in a tenth of the poses is a warning")
  func small() throws {
    let large = Array(repeating: body(), count: 9)
    let finding = try #require(findings([nil] + large + [body(height: 0.33)]).first)
    #expect(finding.code == .smallBody && finding.severity == .warning && finding.line == 12)
    #expect(finding.message.contains("1 of 10 poses") && finding.message.contains("median 0.5"))
    #expect(finding.remedy.contains("closer"))
    #expect(findings(large + [body(), body(height: 0.33)]).isEmpty)
  }

  @Test("A body that lies is as large as it is wide, in heights of the image")
  func lying() {
    /// Along x, so that a width of 0.6 is 0.6 * 1080 / 1920 = 0.3375 of the image's height.
    func lying(_ width: Float) -> [Float] {
      stride(from: 0, to: 38, by: 2).flatMap { index -> [Float] in
        let joint = body()[index...(index + 1)]
        return joint.first?.isNaN == true
          ? [.nan, .nan] : [0.2 + (joint[index + 1] - 0.2) * 2 * width, 0.1]
      }
    }
    #expect(findings([lying(0.6)]).isEmpty)
    #expect(findings([lying(0.59)]).map(\.code) == [.smallBody])
  }

  @Test("Joints that are missing or have no confidence leave regions out; one leg is enough")
  func regions() throws {
    let legs: Set<Joint> = [.leftKnee, .leftAnkle, .rightKnee, .rightAnkle]
    let finding = try #require(findings([body(height: 0.9, without: legs)]).first)
    #expect(finding.code == .missingRegions && finding.line == 2)
    #expect(finding.message.contains("missing in some of 1 pose: both legs in 1"))
    #expect(findings([body(height: 0.9, without: [.leftKnee, .leftAnkle])]).isEmpty)
    let invalid = Skeleton.vision2d.joints.map { legs.contains($0) ? Float(0) : 1 }
    #expect(findings([body(height: 0.9)], confidences: invalid).map(\.code) == [.missingRegions])
  }

  @Test("A step of more than a quarter of the body is a jump, unless there was a longer gap")
  func jumps() throws {
    let (near, far) = (body(at: 0.3), body(at: 0.6))  // 0.3 * 1080 / 1920 is 0.34 of 0.5
    let finding = try #require(findings([near, far, far, near]).first)
    #expect(finding.code == .personJumps && finding.line == 3)
    #expect(finding.message.contains("2 times, first at 0.1 s"))
    #expect(findings([near] + Array(repeating: nil, count: 4) + [far]).count == 1)
    #expect(findings([near] + Array(repeating: nil, count: 5) + [far]).isEmpty)
    #expect(findings([near, body(at: 0.52)]).isEmpty)
  }

  @Test("Without the image's size nothing can be measured, and that is the warning")
  func size() {
    #expect(findings([body(height: 0.1)], size: nil).map(\.code) == [.unknownImageSize])
    #expect(findings([nil], size: nil).isEmpty)
  }

  @Test(
    "Other people in the way, as an import found them, are a warning about the sequence",
    arguments: [("none", 0), ("apart", 0), ("overlapping", 1), ("crowd", 1), ("many", 0)])
  func others(tag: String, count: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "sequences:\n  - {poses: a.poses.jsonl, subject: s, tags: {other_people: \(tag)}}\n",
      to: "dataset.yaml")
    try folder.write(SampleText.text(SampleText.header, SampleText.frame("0")), to: "a.poses.jsonl")
    let findings = try DatasetLint.findings(datasetAt: folder.path)
      .filter { $0.code == .otherPeople }
    #expect(findings.count == count)
    #expect(findings.allSatisfy { $0.line == 2 && $0.remedy.contains("one person at a time") })
  }
}
