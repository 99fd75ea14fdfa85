import PoseModel
import PoseRecording
import TestSupport
import Testing

@testable import PoseDatasets

@Suite("Body lint")
struct BodyLintTests {
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
    let original = session.recording(camera)
    var header = original.header
    header.joints = header.joints.map(names)
    header.bodyHeight = height
    var recording = Recording(header: header)
    for frame in 0..<original.frameCount {
      let pose = header.joints.indices.flatMap { slot -> [Float] in
        let start = frame * original.layout.stride + 3 * slot
        let p = original.positions[start..<start + 3].map(Double.init)
        let q = change(Vector3(p[0], p[1], p[2]))
        return [Float(q.x), Float(q.y), Float(q.z)]
      }
      recording.append(time: Seconds(time(original.times[frame])), pose: pose)
    }
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
      [.high, .forearm], camera: ScriptedCamera(),
      change: {
        Vector3($0.x / 1.78, $0.y, $0.z)
      }
    )
    #expect(codes(found).contains(.boneRatios), "\(found)")
    #expect(found.first { $0.code == .boneRatios }?.remedy.contains("--aspect") == true)
  }

  @Test("Times in another unit are named once, not once more as missing labels")
  func clock() throws {
    let found = try findings(time: { $0 * 1000 })
    #expect(codes(found).contains(.clockUnit) && !codes(found).contains(.labelCoverage))
    #expect(found.first { $0.code == .clockUnit }?.message.contains("milliseconds") == true)
    let dates = try findings(time: { $0 + 1.7e9 })
    #expect(
      dates.first { $0.code == .labelCoverage }?.remedy.contains("subtract the first time") == true)
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
    #expect(down.first?.remedy.contains("y counts downward") == true)
    let upsideDown = try findings(change: { Vector3(-$0.x, -$0.y, $0.z) })
    #expect(upsideDown.first?.remedy.contains("\"buffer_rotation_deg\":180") == true)
    let upward = try findings(change: { Vector3($0.x, -$0.z, $0.y) })
    #expect(upward.first?.remedy.contains("\"up\":[0,0,1]") == true)
  }

  @Test("Swapped names are told from swapped labels of side planks")
  func sides() throws {
    let names = try findings(names: \.mirrored)
    #expect(names.map(\.code) == [.mirroredBody], "\(names)")
    let mirrored = try findings(
      change: { Vector3(-$0.x, $0.y, $0.z) }, names: \.mirrored)
    #expect(mirrored.map(\.code) == [.swappedSides], "\(mirrored)")
  }

  @Test("Without labels, bent knees show a reversed axis")
  func knees() throws {
    let session = ScriptedSession(
      ScriptedBody(stature: Meters(1.75)), rate: Hertz(10),
      jitter: ScriptedJitter(seed: 2, deviation: Meters(0.003)),
      phases: [ScriptedPhase(.allFours, seconds: 8)])
    let recording = session.recording(ScriptedCamera(azimuth: Degrees(25)))
    let sound = BodySurvey(recording)
    #expect(sound.knees.forward > 100 && sound.knees.backward == 0)
    var header = recording.header
    header.joints = header.joints.map(\.mirrored)
    var swapped = Recording(header: header)
    for frame in 0..<recording.frameCount { swapped.append(copying: recording, frame) }
    let survey = BodySurvey(swapped)
    let lint = BodyLint(path: "a", recording: swapped, survey: survey)
    #expect(lint.findings.map(\.code) == [.mirroredBody])
  }

  @Test("Under a camera that is said to be upright, whoever lies is no reason to turn anything")
  func lying() throws {
    func finding(_ buffer: ImageBuffer) throws -> LintFinding? {
      let session = ScriptedSession(
        ScriptedBody(stature: Meters(1.75)), rate: Hertz(10),
        phases: [ScriptedPhase(.standing, seconds: 4)])
      let standing = session.recording(ScriptedCamera())
      var header = standing.header
      header.buffer = buffer
      var lying = Recording(header: header)
      for frame in 0..<standing.frameCount {
        let pose = header.joints.flatMap { joint -> [Float] in
          let p = standing.position(of: joint, at: frame) ?? Vector3(0, 0, 0)
          return [Float(p.y), Float(-p.x), Float(p.z)]
        }
        lying.append(time: Seconds(standing.times[frame]), pose: pose)
      }
      let lint = BodyLint(path: "a", recording: lying, survey: BodySurvey(lying))
      return lint.findings.first { $0.code == .nobodyStands }
    }
    let fixed = try #require(try finding(.fixed))
    let upright = try #require(try finding(.upright))
    #expect(fixed.severity == .warning && fixed.remedy.contains("buffer_rotation_deg"))
    #expect(upright.severity == .note && upright.remedy.contains("there is nothing to do"))
  }
}
