import PoseModel
import TestSupport
import Testing

@Suite("Observations in recordings")
struct ObservationRecordingTests {
  @Test("An observation comes back from a recording as it was", arguments: 1...10)
  func roundTrip(seed: Int) throws {
    let observation = try Bodies.random(seed: UInt64(seed))
    let answer = DeviceAnswer(plank: .high, form: .sag)
    var recording = Recording(header: .observations)
    recording.append(time: Seconds(0), pose: nil)
    recording.append(
      time: Seconds(0.1), pose: numbers(observation),
      extras: observation.extras(up: .unitX, answer: answer))
    #expect(try recording.observation(at: 0) == nil)
    #expect(try recording.observation(at: 1) == observation)
    #expect(recording.answer(at: 1) == answer)
    #expect(recording.ownUp(at: 1) == .unitX)
  }

  @Test("A scripted session's frames are judged alike from pelvis and from camera axes")
  func pelvisAndCamera() throws {
    let session = ScriptedSession(
      ScriptedBody(stature: Meters(1.75)), rate: Hertz(10),
      phases: [ScriptedPhase(.standing, seconds: 1), ScriptedPhase(.sideLeft, seconds: 1)])
    let camera = ScriptedCamera(azimuth: Degrees(25))
    let pelvis = session.pelvisRecording(camera)
    let direct = session.recording(camera)
    for frame in 0..<pelvis.frameCount {
      let observation = try #require(try pelvis.observation(at: frame))
      for joint in Skeleton.vision3d.joints {
        let turned = try observation.positionInCameraAxes(joint)
        let seen = try #require(direct.position(of: joint, at: frame))
        #expect(Bodies.distance(turned, seen) < 1e-6)
      }
    }
  }

  @Test("Other axes, a missing matrix and missing joints are told apart")
  func refusals() throws {
    let observation = try Bodies.random(seed: 2)
    var header = RecordingHeader.observations
    header.frame = .camera
    let camera = Recording(header: header)
    #expect(throws: ObservationError.notPelvisAxes(.camera)) { try camera.observation(at: 0) }
    var pelvis = Recording(header: .observations)
    pelvis.append(time: Seconds(0), pose: numbers(observation))
    #expect(throws: ObservationError.noCameraMatrix(frame: 0)) { try pelvis.observation(at: 0) }
    var partial = numbers(observation)
    partial.replaceSubrange(0..<3, with: [.nan, .nan, .nan])
    pelvis.append(time: Seconds(1), pose: partial, extras: observation.extras())
    #expect(throws: ObservationError.missingJoints([.root])) { try pelvis.observation(at: 1) }
  }

  @Test("The header's height stands in for a frame's, as everywhere")
  func headerHeight() throws {
    let observation = try Bodies.random(seed: 3, bodyHeight: nil)
    var header = RecordingHeader.observations
    header.bodyHeight = Meters(1.7)
    var recording = Recording(header: header)
    recording.append(
      time: Seconds(0), pose: numbers(observation), extras: observation.extras())
    #expect(try recording.observation(at: 0)?.bodyHeight == Meters(1.7))
  }

  private func numbers(_ observation: BodyPose3DObservation) -> [Float] {
    let pose = observation.pose
    return Skeleton.vision3d.joints.flatMap { pose.positions[3 * $0.index..<3 * $0.index + 3] }
  }
}
