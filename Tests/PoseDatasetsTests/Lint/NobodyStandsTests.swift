import PoseDatasets
import PoseModel
import PoseRecording
import TestSupport
import Testing

@Suite("Recordings in which no one stands")
struct StandingCheckTests {
  /// A scripted session as a camera sees it whose buffers are turned clockwise.
  private func recording(
    _ phases: [ScriptedPosture], turned: Int, says: BufferRotation? = nil
  ) -> Recording {
    let upright = ScriptedSession(
      ScriptedBody(stature: Meters(1.75)), rate: Hertz(10),
      phases: phases.map { ScriptedPhase($0, seconds: 3) }
    ).recording(ScriptedCamera(azimuth: Degrees(25)))
    var header = upright.header
    header.bufferRotation = says
    var recording = Recording(header: header)
    let turn = BufferRotation(quarterTurns: turned)
    for frame in 0..<upright.frameCount {
      let numbers = header.joints.flatMap { joint -> [Float] in
        guard let position = upright.position(of: joint, at: frame) else {
          return [.nan, .nan, .nan]
        }
        let turned = turn(position)
        return [Float(turned.x), Float(turned.y), Float(turned.z)]
      }
      recording.append(
        time: Seconds(upright.times[frame]), pose: upright.hasPose(at: frame) ? numbers : nil)
    }
    return recording
  }

  private func findings(_ recording: Recording) throws -> [LintFinding] {
    let folder = try TemporaryFolder()
    let path = try folder.write(try PoseRecordingText.bytes(of: recording), to: "a.poses.jsonl")
    return try DatasetLint.findings(recordingAt: path).filter { $0.code == .nobodyStands }
  }

  @Test("Turned buffers are named with the rotation that makes people stand", arguments: 1...3)
  func turned(quarters: Int) throws {
    let found = try findings(recording([.standing, .forearm, .standing], turned: quarters))
    #expect(found.count == 1)
    let degrees = quarters * 90
    #expect(found.first?.remedy.contains("\"buffer_rotation_deg\":\(degrees)") == true, "\(found)")
    #expect(found.first?.line == 1)
  }

  @Test("The header's own rotation is taken into account", arguments: 0...3)
  func said(quarters: Int) throws {
    let rotation = BufferRotation(quarterTurns: quarters)
    let right = recording([.standing, .high], turned: quarters, says: rotation)
    #expect(try findings(right).isEmpty)
    let wrong = BufferRotation(quarterTurns: quarters + 1)
    let remedy = try findings(recording([.standing], turned: quarters, says: wrong)).first?.remedy
    #expect(remedy?.contains("\"buffer_rotation_deg\":\(quarters * 90)") == true)
  }

  @Test(
    "Planks alone are not taken for people who stand in a turned image",
    arguments: [ScriptedPosture.forearm, .high, .sideLeft, .sideRight, .reverse, .allFours])
  func planksAlone(posture: ScriptedPosture) throws {
    #expect(try findings(recording([posture], turned: 0)).isEmpty)
  }

  @Test(
    "Where others stand upright before the same camera, whoever lies needs no advice",
    arguments: [false, true])
  func lying(isSameCamera: Bool) throws {
    let folder = try TemporaryFolder()
    let standing = recording([.standing], turned: 0)
    // Somebody who lies looks like somebody who stands before a camera that lies on its side.
    var header = standing.header
    if !isSameCamera { header.orientation = .portraitUpsideDown }
    let lying = recording([.standing], turned: 1)
    var other = Recording(header: header)
    let stride = lying.layout.stride
    for frame in 0..<lying.frameCount {
      let pose = Array(lying.positions[frame * stride..<(frame + 1) * stride])
      other.append(time: Seconds(lying.times[frame]), pose: pose)
    }
    try folder.write(try PoseRecordingText.bytes(of: standing), to: "a.poses.jsonl")
    try folder.write(try PoseRecordingText.bytes(of: other), to: "b.poses.jsonl")
    try folder.write(
      "sequences: [{poses: a.poses.jsonl}, {poses: b.poses.jsonl}]\n", to: "dataset.yaml")
    let found = try DatasetLint.findings(datasetAt: folder.path).filter { $0.code == .nobodyStands }
    #expect(found.map(\.severity) == [isSameCamera ? .note : .warning])
    #expect(found.first?.remedy.contains("buffer_rotation_deg") == !isSameCamera)
  }

  @Test("An up vector of the header is to be turned")
  func ownUp() throws {
    let upright = recording([.standing], turned: 0)
    var header = upright.header
    header.up = Vector3(1, 0, 0)
    var sideways = Recording(header: header)
    let stride = upright.layout.stride
    for frame in 0..<upright.frameCount {
      let pose = Array(upright.positions[frame * stride..<(frame + 1) * stride])
      sideways.append(time: Seconds(upright.times[frame]), pose: pose)
    }
    #expect(try findings(sideways).first?.remedy == "turn `up` by that angle")
  }
}
