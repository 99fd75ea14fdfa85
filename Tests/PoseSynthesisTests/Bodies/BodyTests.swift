import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Bodies")
struct BodyTests {
  @Test(
    "Segments have the published fractions of stature",
    arguments: [
      (Joint.leftShoulder, Joint.leftElbow, 0.186), (.leftElbow, .leftWrist, 0.146),
      (.leftHip, .leftKnee, 0.245), (.leftKnee, .leftAnkle, 0.246),
      (.root, .centerShoulder, 0.288), (.leftShoulder, .rightShoulder, 0.210),
      (.leftHip, .rightHip, 0.105), (.centerShoulder, .topHead, 0.182),
    ])
  func fractions(a: Joint, b: Joint, fraction: Double) throws {
    let script = Session.still(.forearm)
    let recording = try Session.made(script).recording
    let frame = try #require(WorldFrame(recording, script, frame: 0))
    #expect(((frame[a] - frame[b]).norm / 1.75 - fraction).magnitude < 2e-4)
  }

  @Test("Segments keep their lengths through every movement, to the rounding")
  func rigid() throws {
    var script = Session.still(.standing)
    script.holds += [Hold(.forearm, for: Seconds(2)), Hold(.sideLeftHand, for: Seconds(2))]
    script.motion = MotionParameters()
    let recording = try Session.made(script).recording
    for bone in Skeleton.vision3d.bones {
      let lengths = (0..<recording.frameCount).compactMap { frame -> Double? in
        guard let a = recording.position(of: bone.parent, at: frame),
          let b = recording.position(of: bone.child, at: frame)
        else { return nil }
        return (a - b).norm
      }
      #expect((lengths.max() ?? 1) - (lengths.min() ?? 0) < 4e-4, "\(bone.child)")
    }
  }

  @Test("Subjects spread about the table as asked, left against right too")
  func spread() {
    var ratios: [Double] = []
    var differences: [Double] = []
    for seed in 0..<400 as Range<UInt64> {
      var subject = SubjectParameters()
      subject.seed = seed
      let body = Body(subject)
      let (left, right) = (body.length(.leftThigh), body.length(.rightThigh))
      ratios.append((left + right) / 2 / (0.245 * 1.75))
      differences.append((left - right) / right)
    }
    #expect((moments(ratios).mean - 1).magnitude < 0.005)
    #expect((0.027...0.033).contains(moments(ratios).deviation))
    #expect((0.009...0.011).contains(moments(differences).deviation))
  }

  @Test("A subject's own upper arm, hips and tucked toes carry the body")
  func ownProportions() throws {
    var script = Session.still(.forearm)
    script.subject.upperArm = 0.15
    script.subject.hipWidth = 0.13
    script.subject.tuckedAnkle = 0.1
    let recording = try Session.made(script).recording
    let frame = try #require(WorldFrame(recording, script, frame: 3))
    let elbows = frame.middle(.leftElbow, .rightElbow).y
    #expect((frame[.centerShoulder].y - elbows - 0.15 * 1.75).magnitude < 1e-3)
    #expect(((frame[.leftHip] - frame[.rightHip]).norm - 0.13 * 1.75).magnitude < 1e-3)
    #expect((frame.ankles.y - elbows - (0.1 - ContactHeights.elbow) * 1.75).magnitude < 1e-3)
  }

  @Test("The template is the same for everyone, 1.8 m tall with hips 0.1565 m to each side")
  func template() throws {
    for height in [1.5, 1.9] {
      var script = Session.still(.high, height: Meters(height))
      script.output = OutputParameters()
      let recording = try Session.made(script).recording
      let hip = try #require(recording.position(of: .leftHip, at: 0))
      #expect((hip.norm - 0.1565).magnitude < 2e-4)
      #expect(recording.header.bodyHeight == Meters(1.8))
      #expect(recording.header.heightEstimation == .reference)
    }
  }

  @Test("A measured height scales the skeleton")
  func measured() throws {
    var script = Session.still(.standing, height: Meters(1.6))
    script.output.skeleton = .template
    let recording = try Session.made(script).recording
    #expect(recording.header.bodyHeight == Meters(1.6))
    let hip = try #require(recording.position(of: .leftHip, at: 0))
    #expect((hip.norm - 0.087 * 1.6).magnitude < 2e-4)
  }
}
