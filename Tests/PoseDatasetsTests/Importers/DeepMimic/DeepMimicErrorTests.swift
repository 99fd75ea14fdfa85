import PoseDatasets
import PoseModel
import Testing

@Suite("Faults of motion capture")
struct DeepMimicErrorTests {
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

  @Test("A wrong type of number is an error with its place")
  func place() throws {
    let error = try error(motion: NamedText(name: "m.txt", text: "{\"Frames\": [[1, \"x\"]]}"))
    #expect(error.description.contains("Frames[0][1]"))
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
  func noFrames() throws {
    #expect(path(of: try error(motion: MotionText.motion([]))) == "Frames")
  }

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
