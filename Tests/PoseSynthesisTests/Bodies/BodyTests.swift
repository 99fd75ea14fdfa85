import PoseModel
import Statistics
import Testing

@testable import PoseSynthesis

@Suite("Bodies") struct BodyTests {
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
      let lengths = recording.lengths(of: bone.parent, bone.child)
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
      let hip = try recording.place(.leftHip, 0)
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
    let hip = try recording.place(.leftHip, 0)
    #expect((hip.norm - 0.087 * 1.6).magnitude < 2e-4)
  }
}

@Suite("Motion") struct MotionTests {
  @Test("Sway has its spread and its correlation time at any frame rate", arguments: [8.0, 60])
  func sway(rate: Double) {
    var process = AutoregressiveProcess(count: 1, stream: RandomStream(seed: 4, purpose: "sway"))
    let values = (0..<60_000).map { _ in
      process.advance(by: 1 / rate, time: 1)
      return process.values[0]
    }
    #expect((moments(values).deviation - 1).magnitude < 0.08)
    let lag = Int(rate)
    let products = zip(values, values.dropFirst(lag)).map { $0 * $1 }
    let correlation = products.reduce(0, +) / Double(products.count)
    #expect((correlation - 0.3679).magnitude < 0.08)
  }

  @Test("Minimum jerk starts and ends at rest, halfway at half time")
  func minimumJerk() {
    #expect(MinimumJerk.share(-1) == 0 && MinimumJerk.share(0) == 0)
    #expect(MinimumJerk.share(1) == 1 && MinimumJerk.share(2) == 1)
    #expect(MinimumJerk.share(0.5) == 0.5)
    #expect(MinimumJerk.share(0.01) < 1e-5)
  }

  private func drift(_ change: (inout DriftParameters) -> Void) -> FatigueDrift {
    var parameters = DriftParameters()
    parameters.finalOffset = Meters(-0.10)
    change(&parameters)
    return FatigueDrift(
      parameters, duration: 60, stream: RandomStream(seed: 9, purpose: "recoveries"))
  }

  @Test("Without recoveries the drift follows its power from its onset to its end")
  func power() {
    let drift = drift {
      $0.recoveryMinimum = Seconds(600)
      $0.recoveryMaximum = Seconds(600)
    }
    #expect(drift.offset(at: 36) == 0)
    #expect((drift.offset(at: 48) + 0.025).magnitude < 1e-12)
    #expect((drift.offset(at: 60) + 0.10).magnitude < 1e-12)
  }

  @Test("A recovery leaves 40 to 80 percent of the drift")
  func recovery() {
    let drift = drift {
      $0.onset = 0
      $0.recoveryMinimum = Seconds(30)
      $0.recoveryMaximum = Seconds(30)
    }
    // Drift goes on during the 0.8 s of the recovery; the reference is the drift without it.
    let before = drift.offset(at: 30)
    let free = -0.10 * (30.8 / 60) * (30.8 / 60)
    let kept = (drift.offset(at: 30.8) - (free - before)) / before
    #expect((0.39...0.81).contains(kept))
  }

  @Test("Fatigue quickens the breath and makes tremor grow")
  func fatigue() {
    func size(_ fatigue: Double) -> Double {
      var parameters = MotionParameters.still
      parameters.tremor = Meters(0.0005)
      parameters.lateTremor = Meters(0.004)
      var motion = BodyMotion(parameters, seed: 3)
      let values = (0..<2000).map { _ in
        motion.advance(by: 1 / 97.0, fatigue: fatigue, cycleRate: Hertz(1)).hip
      }
      return moments(values).deviation * 2.0.squareRoot()
    }
    #expect((size(0) - 0.0005).magnitude < 5e-5)
    #expect((size(0.79) - 0.0005).magnitude < 5e-5)
    #expect((size(1) - 0.004).magnitude < 4e-4)
  }

  @Test("A forearm plank becomes a high one an arm at a time")
  func oneArmAfterTheOther() throws {
    var script = Session.still(.forearm)
    script.holds.append(Hold(.high, for: Seconds(1)))
    let recording = try Session.made(script).recording
    let middle = try #require(WorldFrame(recording, script, frame: 30 + 16))
    func bend(_ side: (Joint, Joint, Joint)) -> Double {
      (middle[side.0] - middle[side.1]).angleDegrees(to: middle[side.2] - middle[side.1])
    }
    let left = bend((.leftShoulder, .leftElbow, .leftWrist))
    let right = bend((.rightShoulder, .rightElbow, .rightWrist))
    #expect((left - right).magnitude > 20)
  }
}
