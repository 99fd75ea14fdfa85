import PoseDatasets
import PoseModel
import Testing

@Suite("DeepMimic motion capture")
struct DeepMimicSourceTests {
  private func read(
    _ frames: [[Double]], options: DeepMimicOptions = DeepMimicOptions()
  ) throws -> ImportedSequence {
    try #require(
      try DeepMimicSource(options: options)
        .sequences(from: [MotionText.skeleton, MotionText.motion(frames)]).first)
  }

  private func position(
    of joint: Joint, turns: [String: [Double]] = [:]
  ) throws -> Vector3? {
    try read([MotionText.frame(turns)]).recording.position(of: joint, at: 0)
  }

  @Test(
    "Without rotations, joints are at the sums of their offsets, relative to the middle of the hips"
  )
  func restPose() throws {
    let expected: [(Joint, Vector3)] = [
      (.root, Vector3(0, 0, 0)), (.rightHip, Vector3(0, 0, 0.125)),
      (.leftAnkle, Vector3(0, -1, -0.125)), (.centerShoulder, Vector3(0, 0.5, 0)),
      (.rightWrist, Vector3(0, 0, 0.25)),
    ]
    for (joint, position) in expected {
      #expect(distance(try self.position(of: joint), position) < 1e-6, "\(joint)")
    }
  }

  @Test("An angle of a revolute joint turns what hangs below it about z, in radians")
  func revolute() throws {
    let turns = ["left_knee": [-Double.pi / 2]]
    #expect(distance(try position(of: .leftKnee, turns: turns), Vector3(0, -0.5, -0.125)) < 1e-6)
    let ankle = try position(of: .leftAnkle, turns: turns)
    #expect(distance(ankle, Vector3(-0.5, -0.5, -0.125)) < 1e-6)
  }

  @Test("A quaternion of a spherical joint is (w, x, y, z) and turns what hangs below it")
  func spherical() throws {
    let turns = ["right_shoulder": MotionText.quarterTurn(about: 0)]
    #expect(distance(try position(of: .rightElbow, turns: turns), Vector3(0, 0.5, 0)) < 1e-6)
    #expect(distance(try position(of: .rightWrist, turns: turns), Vector3(0, 0.5, -0.25)) < 1e-6)
  }

  @Test("A quaternion of another length turns as its unit one does, and is counted in a note")
  func normalized() throws {
    let half = MotionText.quarterTurn(about: 0).map { $0 / 2 }
    let long = MotionText.quarterTurn(about: 0).map { $0 * 3 }
    let turns = [
      MotionText.frame(["right_shoulder": half]),
      MotionText.frame(["right_shoulder": long, "left_hip": [0.99995, 0, 0, 0]]),
    ]
    let sequence = try read(turns)
    for frame in 0..<2 {
      let wrist = sequence.recording.position(of: .rightWrist, at: frame)
      #expect(distance(wrist, Vector3(0, 0.5, -0.25)) < 1e-6)
    }
    #expect(sequence.notes.contains { $0.hasPrefix("normalized 2 quaternions") })
    #expect(sequence.notes.contains { $0.hasSuffix("lengths range from 0.5 to 3.0") })
    let usual = try read([MotionText.frame(["right_shoulder": MotionText.quarterTurn(about: 0)])])
    #expect(!usual.notes.contains { $0.contains("normalized") })
  }

  @Test("A child's turn comes before its parent's")
  func chained() throws {
    let turns = [
      "root": MotionText.quarterTurn(about: 2), "right_hip": MotionText.quarterTurn(about: 0),
    ]
    // The hip alone: knee at (0, 0, -0.5) from it; the root's turn about z leaves z as it is.
    #expect(
      distance(try position(of: .rightKnee, turns: turns), Vector3(0, 0, 0.125 - 0.5)) < 1e-6)
    #expect(distance(try position(of: .leftKnee, turns: turns), Vector3(0.5, 0, -0.125)) < 1e-6)
  }

  @Test("Times add up the intervals before, in whole microseconds; a last interval of 0 is usual")
  func times() throws {
    let intervals = [0.0166666, 0.0166666, 0.033, 0]
    let sequence = try read(intervals.map { MotionText.frame(interval: $0) })
    #expect(sequence.recording.times == [0, 0.016667, 0.033333, 0.066333])
    #expect(sequence.labels.segments.map(\.start) == [Seconds(0)])
    #expect(sequence.labels.segments.map(\.end) == [Seconds(0.083)])
  }

  @Test("The whole clip is `none` unless a class is given")
  func label() throws {
    #expect(try read([MotionText.frame()]).labels.segments.map(\.plank) == [PlankClass.none])
    let options = DeepMimicOptions(label: try LabelTarget("high/sag"))
    let segments = try read([MotionText.frame()], options: options).labels.segments
    #expect(segments.map(\.plank) == [.high])
    #expect(segments.map(\.form) == [.sag])
  }

  @Test("The frame is the world with y up; height follows from the bones")
  func header() throws {
    let header = try read([MotionText.frame()]).recording.header
    #expect(header.frame == .world)
    #expect(header.upDirection == .known(.unitY))
    #expect(header.heightEstimation == nil)
    #expect(abs((header.bodyHeight?.value ?? 0) - 1.5 / 0.779) < 1e-12)
  }

  @Test("A rotation turns positions and up together and makes a camera recording")
  func rotation() throws {
    let options = DeepMimicOptions(rotation: try AxisRotation("z=90"))
    let recording = try read([MotionText.frame()], options: options).recording
    #expect(recording.header.frame == .camera)
    #expect(distance(recording.header.up, Vector3(-1, 0, 0)) < 1e-12)
    #expect(distance(recording.position(of: .leftAnkle, at: 0), Vector3(1, 0, -0.125)) < 1e-6)
  }

  @Test("A reflection turns x around and swaps the sides")
  func reflection() throws {
    let turns = ["left_knee": [-Double.pi / 2]]
    let plain = try read([MotionText.frame(turns)]).recording
    let options = DeepMimicOptions(isReflected: true)
    let reflected = try read([MotionText.frame(turns)], options: options).recording
    #expect(Set(reflected.header.joints) == Set(plain.header.joints))
    for joint in plain.header.joints {
      let p = try #require(plain.position(of: joint, at: 0))
      #expect(reflected.position(of: joint.mirrored, at: 0) == Vector3(-p.x, p.y, p.z))
    }
  }

  @Test("Names and tags tell clips with other options apart")
  func names() throws {
    let options = DeepMimicOptions(rotation: try AxisRotation("1,1,0=30"), isReflected: true)
    let sequence = try read([MotionText.frame()], options: options)
    #expect(sequence.name == "walk-reflected-rotated")
    #expect(
      sequence.tags == ["source": "walk", "reflected": "yes", "rotation": "1.0,1.0,0.0=30.0"])
    #expect(!sequence.startsMid)
  }

  @Test("Files tell their role by their content, in any order")
  func anyOrder() throws {
    let motions = ["b/run.txt", "a/walk.txt"].map { name in
      MotionText.motion([MotionText.frame()], name: name)
    }
    let sequences = try DeepMimicSource()
      .sequences(from: [motions[0], MotionText.skeleton, motions[1]])
    #expect(sequences.map(\.name) == ["run", "walk"])
  }
}
