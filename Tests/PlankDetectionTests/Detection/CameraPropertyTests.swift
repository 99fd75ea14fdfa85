import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("One session, every camera, by property")
struct CameraPropertyTests {
  private static let azimuths = [0.0, 37, 90, 180, 251]
  private static let everywhere = azimuths.flatMap { ScriptedCamera.all(azimuth: Degrees($0)) }
  private static let gravityDetectors: [DetectorDefinition] = [
    .gravity, .scaled, .trunk, .coach,
  ]
  private let session = Sessions.full()

  /// A recording as readers hand it on: unmirrored.
  private func loaded(_ recording: Recording) throws -> Recording {
    var recording = recording
    try recording.unmirror()
    return recording
  }

  @Test("There are 32 cameras at a place, and half of them see a mirrored image")
  func cameraCount() {
    let all = ScriptedCamera.all(azimuth: Degrees(0))
    #expect(Set(all).count == 32)
    #expect(all.filter(\.isMirrored).count == 16)
  }

  @Test("The world recording is answered as it was scripted, all-fours excepted")
  func reference() throws {
    let recording = session.worldRecording()
    let truth = session.labels.truth(at: recording.times)
    let answers = try Replay.batch(recording, .gravity)
    let posed = (0..<recording.frameCount).filter { frame in
      FrameTruth.isScored(truth.plank[frame]) && answers.plank.isDetermined(at: frame)
    }
    let allFours = recording.times.last.map { $0 - 0.99 } ?? 0
    for frame in posed {
      let isAllFours = recording.times[frame] >= allFours
      let expected = isAllFours ? PlankClass.high.code : truth.plank[frame]
      #expect(answers.plank.raw[frame] == expected, "frame \(frame)")
      if FrameTruth.isScored(truth.form[frame]) {
        #expect(answers.form.raw[frame] == truth.form[frame], "frame \(frame)")
      }
    }
    #expect(posed.count > recording.frameCount / 3)
    #expect(Set(posed.map { truth.plank[$0] }).count == PlankClass.allCases.count)
  }

  @Test("Every camera gives the answers of the world recording", arguments: everywhere)
  func everyCamera(camera: ScriptedCamera) throws {
    let recording = try loaded(session.recording(camera))
    let world = session.worldRecording()
    Agreement.expect(Replay.measure(world), Replay.measure(recording))
    for definition in Self.gravityDetectors {
      let expected = try Replay.batch(world, definition)
      #expect(try Replay.batch(recording, definition) == expected)
    }
  }

  @Test("A pelvis recording gives the answers of its camera recording", arguments: everywhere)
  func everyPelvis(camera: ScriptedCamera) throws {
    let pelvis = try loaded(session.pelvisRecording(camera))
    let recording = try loaded(session.recording(camera))
    Agreement.expect(Replay.measure(recording), Replay.measure(pelvis))
    for definition in Self.gravityDetectors {
      let expected = try Replay.batch(recording, definition)
      #expect(try Replay.batch(pelvis, definition) == expected)
    }
  }

  @Test(
    "Pelvis recordings look like Vision's: hips on x, spine without z", arguments: everywhere)
  func pelvisAxes(camera: ScriptedCamera) throws {
    let pelvis = session.pelvisRecording(camera)
    for frame in 0..<pelvis.frameCount where pelvis.hasPose(at: frame) {
      let hip = try #require(pelvis.position(of: .leftHip, at: frame))
      let spine = try #require(pelvis.position(of: .spine, at: frame))
      let matrix = try #require(pelvis.camera(at: frame))
      guard pelvis.position(of: .root, at: frame) != nil else { continue }
      #expect(hip.x > 0.05 && abs(hip.y) < 1e-6 && abs(hip.z) < 1e-6)
      #expect(spine.y > 0.1 && abs(spine.z) < 1e-6)
      #expect(matrix.rotation.orthonormalityError < 1e-12)
      #expect(matrix.rotation.determinant > 0)
    }
  }

  @Test("Not undoing a mirrored image swaps the side planks")
  func mirroringMatters() throws {
    let side = ScriptedSession(
      ScriptedBody(stature: Meters(1.75)), rate: Hertz(10),
      phases: [ScriptedPhase(.sideLeft, seconds: 1)])
    let mirrored = side.recording(ScriptedCamera(isMirrored: true))
    let answers = try Replay.batch(mirrored, .gravity).plank.answers
    #expect(answers.allSatisfy { $0 == PlankClass.sideRight.code })
  }
}
