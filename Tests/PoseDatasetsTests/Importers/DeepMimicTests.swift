import PoseDatasets
import PoseModel
import Testing

@Suite("DeepMimic motion capture") struct DeepMimicSourceTests {
  @Test("Files tell their role by their content, in any order")
  func anyOrder() throws {
    let motions = ["b/run.txt", "a/walk.txt"].map { name in
      MotionText.motion([MotionText.frame()], name: name)
    }
    let sequences = try DeepMimicSource()
      .sequences(from: [motions[0], MotionText.skeleton, motions[1]])
    #expect(sequences.map(\.name) == ["run", "walk"])
  }

  private func read(
    _ frames: [[Double]], options: DeepMimicOptions = DeepMimicOptions()
  ) throws -> ImportedSequence {
    try #require(
      try DeepMimicSource(options: options)
        .sequences(from: [MotionText.skeleton, MotionText.motion(frames)]).first)
  }

  private func position(of joint: Joint, turns: [String: [Double]] = [:]) throws -> Vector3? {
    try read([MotionText.frame(turns)]).recording.position(of: joint, at: 0)
  }

  @Test(
    "Without rotations, joints are at the sums of their offsets, relative to the middle of the hips"
  ) func restPose() throws {
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
    #expect(distance(try position(of: .rightKnee, turns: turns), Vector3(0, 0, 0.125 - 0.5)) < 1e-6)
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
}

@Suite("Faults of motion capture") struct DeepMimicErrorTests {
  private func error(
    skeleton: NamedText = MotionText.skeleton,
    motion: NamedText = MotionText.motion([MotionText.frame(), MotionText.frame()])
  ) throws -> PoseSourceError {
    try #require(throws: PoseSourceError.self) {
      try DeepMimicSource().sequences(from: [skeleton, motion])
    }
  }

  private func skeleton(replacing old: String, with new: String) -> NamedText {
    NamedText(
      name: "skeleton.txt",
      text: MotionText.skeleton.text.replacing(old, with: new, maxReplacements: 1))
  }

  private func path(of error: PoseSourceError) -> String? {
    guard case .unexpectedValue(_, let path, _, _) = error else { return nil }
    return path
  }

  @Test(
    "A text that is not motion capture is an error with its name",
    arguments: [
      "", "{", "[]", "{}", "{\"Frames\": [[1, 2, \"x\"]]}", "{\"Frames\": [[1e999]]}",
      "{\"Frames\": [[NaN]]}", "{\"Frames\": 3}", "{\"Skeleton\": {}}",
    ])
  func unreadable(text: String) throws {
    let error = try error(motion: NamedText(name: "m.txt", text: text))
    guard case .unreadableJSON(let file, let problem) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(file == "m.txt")
    #expect(!problem.isEmpty)
  }

  @Test("Exactly one skeleton and at least one motion are needed")
  func roles() throws {
    let motion = MotionText.motion([MotionText.frame()])
    #expect(throws: PoseSourceError.skeletonCount(found: [])) {
      try DeepMimicSource().sequences(from: [motion])
    }
    #expect(throws: PoseSourceError.skeletonCount(found: ["skeleton.txt", "skeleton.txt"])) {
      try DeepMimicSource().sequences(from: [MotionText.skeleton, MotionText.skeleton, motion])
    }
    #expect(throws: PoseSourceError.noMotion(skeleton: "skeleton.txt")) {
      try DeepMimicSource().sequences(from: [MotionText.skeleton])
    }
  }

  @Test("A frame of another length is an error with its number")
  func frameLength() throws {
    let short = Array(MotionText.frame().dropLast())
    let error = try error(motion: MotionText.motion([MotionText.frame(), short]))
    #expect(path(of: error) == "Frames[1]")
    #expect(error.description.contains("\(short.count) numbers"))
  }

  @Test("A motion without frames is an error")
  func noFrames() throws { #expect(path(of: try error(motion: MotionText.motion([]))) == "Frames") }

  @Test("An interval that does not move time on is an error", arguments: [0, -0.1, 1e-7])
  func interval(value: Double) throws {
    let frames = [MotionText.frame(), MotionText.frame(interval: value), MotionText.frame()]
    #expect(path(of: try error(motion: MotionText.motion(frames))) == "Frames[1][0]")
  }

  @Test("A quaternion of length zero is an error with its joint")
  func quaternion() throws {
    let frame = MotionText.frame(["chest": [0, 0, 0, 0]])
    let error = try error(motion: MotionText.motion([frame]))
    #expect(path(of: error) == "Frames[0], quaternion of chest")
  }

  @Test(
    "A skeleton that cannot be chained is an error with its joint",
    arguments: [
      ("\"spherical\"", "\"planar\"", "Skeleton.Joints[1].Type"),
      ("\"none\"", "\"fixed\"", "Skeleton.Joints[0].Type"),
      ("\"spherical\"", "\"none\"", "Skeleton.Joints[1].Type"),
      ("\"Parent\": 0", "\"Parent\": 5", "Skeleton.Joints[1].Parent"),
      ("\"ID\": 1,", "\"ID\": 0,", "Skeleton.Joints[1].ID"),
      ("\"AttachThetaY\": 0.0", "\"AttachThetaY\": 0.1", "Skeleton.Joints[0].AttachTheta"),
    ])
  func chain(old: String, new: String, path: String) throws {
    let error = try error(skeleton: skeleton(replacing: old, with: new))
    #expect(self.path(of: error) == path)
  }

  @Test("A skeleton without a joint of a recording is an error that reports it")
  func missingJoint() throws {
    #expect(
      try error(skeleton: skeleton(replacing: "left_wrist", with: "left_hand"))
        == .missingJoints(file: "skeleton.txt", ["left_wrist"]))
  }
}

@Suite("Axis rotations") struct AxisRotationTests {
  @Test(
    "A rotation is right-handed",
    arguments: [
      ("z=90", Vector3(1, 0, 0), Vector3(0, 1, 0)), ("x=90", Vector3(0, 1, 0), Vector3(0, 0, 1)),
      ("y=90", Vector3(0, 0, 1), Vector3(1, 0, 0)),
      ("0,0,2=-90", Vector3(1, 0, 0), Vector3(0, -1, 0)),
      ("1,1,0=180", Vector3(1, 0, 0), Vector3(0, 1, 0)),
    ])
  func turns(text: String, from: Vector3, to: Vector3) throws {
    #expect(distance(try AxisRotation(text).matrix(from), to) < 1e-15)
  }

  @Test("A rotation is proper", arguments: ["x=17", "y=-123", "1,2,3=45", "-1,0.5,0=720.5"])
  func proper(text: String) throws {
    let matrix = try AxisRotation(text).matrix
    #expect(matrix.orthonormalityError < 1e-15)
    #expect(abs(matrix.determinant - 1) < 1e-15)
  }

  @Test(
    "Anything but an axis and degrees is an error",
    arguments: ["", "x", "x=", "w=3", "x=3=4", "1,2=3", "0,0,0=3", "x=nan", "1,2,3,4=5", "1,a,3=4"])
  func unreadable(text: String) { #expect(throws: PoseSourceError.self) { try AxisRotation(text) } }
}

/// A hand-made skeleton and motions in DeepMimic's format.
///
/// The body stands: y up, facing x, its right side toward z. Lengths are sums of halves.
struct MotionText {
  /// Name, type, parent and offset of every joint; IDs are positions.
  static let joints: [(name: String, type: String, parent: Int, offset: SIMD3<Double>)] = [
    ("root", "none", -1, SIMD3(0, 0, 0)), ("chest", "spherical", 0, SIMD3(0, 0.25, 0)),
    ("right_hip", "spherical", 0, SIMD3(0, 0, 0.125)),
    ("right_knee", "revolute", 2, SIMD3(0, -0.5, 0)),
    ("right_ankle", "spherical", 3, SIMD3(0, -0.5, 0)),
    ("right_shoulder", "spherical", 1, SIMD3(0, 0.25, 0.25)),
    ("right_elbow", "revolute", 5, SIMD3(0, -0.25, 0)),
    ("right_wrist", "fixed", 6, SIMD3(0, -0.25, 0)),
    ("left_hip", "spherical", 0, SIMD3(0, 0, -0.125)),
    ("left_knee", "revolute", 8, SIMD3(0, -0.5, 0)),
    ("left_ankle", "spherical", 9, SIMD3(0, -0.5, 0)),
    ("left_shoulder", "spherical", 1, SIMD3(0, 0.25, -0.25)),
    ("left_elbow", "revolute", 11, SIMD3(0, -0.25, 0)),
    ("left_wrist", "fixed", 12, SIMD3(0, -0.25, 0)),
  ]

  static var skeleton: NamedText {
    let entries = joints.enumerated().map { id, joint in
      """
      {"ID": \(id), "Name": "\(joint.name)", "Type": "\(joint.type)", "Parent": \(joint.parent),
       "AttachX": \(joint.offset.x), "AttachY": \(joint.offset.y), "AttachZ": \(joint.offset.z),
       "AttachThetaX": 0, "AttachThetaY": 0.0, "AttachThetaZ": 0}
      """
    }
    return NamedText(
      name: "skeleton.txt",
      text: "{\"Skeleton\": {\"Joints\": [\(entries.joined(separator: ",\n"))]}}")
  }

  /// The numbers of a frame in which joints have the given rotations: quaternions or angles by
  /// name.
  static func frame(_ turns: [String: [Double]] = [:], interval: Double = 0.25) -> [Double] {
    let numbers = joints.flatMap { joint -> [Double] in
      let turn = turns[joint.name]
      switch joint.type {
      case "none": return [7, 8, 9] + (turn ?? [1, 0, 0, 0])
      case "spherical": return turn ?? [1, 0, 0, 0]
      case "revolute": return turn ?? [0]
      default: return []
      }
    }
    return [interval] + numbers
  }

  static func motion(_ frames: [[Double]], name: String = "motions/walk.txt") -> NamedText {
    NamedText(name: name, text: "{\"Loop\": \"wrap\", \"Frames\": \(frames)}")
  }

  /// A quarter turn about an axis (0, 1, 2) as a quaternion.
  static func quarterTurn(about axis: Int) -> [Double] {
    var quaternion = [(0.5).squareRoot(), 0, 0, 0]
    quaternion[axis + 1] = (0.5).squareRoot()
    return quaternion
  }
}
