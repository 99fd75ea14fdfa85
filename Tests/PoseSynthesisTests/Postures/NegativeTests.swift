import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Postures that are no planks")
struct NegativeTests {
  static let negatives = Posture.allCases.filter { !$0.isPlank }

  private func frame(_ posture: Posture, seed: UInt64 = 1) throws -> WorldFrame {
    var script = Session.still(posture)
    script.seed = seed
    if seed > 1 { script.holds[0].placement.angleSpread = Degrees(4) }
    let recording = try Session.made(script).recording
    return try #require(WorldFrame(recording, script, frame: 3))
  }

  @Test("Every negative is labeled none, and all but standing and walking are hard")
  func labels() {
    #expect(Self.negatives.count == 39)
    for posture in Self.negatives {
      let isEasy = posture == .standing || posture == .walking
      #expect(posture.isHardNegative != isEasy)
    }
  }

  @Test("Two contacts share one floor", arguments: [1, 2, 3] as [UInt64])
  func contacts(seed: UInt64) throws {
    for (posture, foot, height) in [
      (Posture.allFours, Joint.leftKnee, ContactHeights.knee),
      (.pushUpBottom, .leftAnkle, ContactHeights.tuckedToes),
      (.downwardDog, .leftAnkle, ContactHeights.tuckedToes),
    ] {
      let frame = try frame(posture, seed: seed)
      let other: Joint = foot.mirrored
      let hands = frame.middle(.leftWrist, .rightWrist).y - ContactHeights.wrist * 1.75
      let feet = frame.middle(foot, other).y - height * 1.75
      #expect((hands - feet).magnitude < 1e-3, "\(posture)")
    }
  }

  @Test("No joint is below the floor by more than 4 cm", arguments: negatives)
  func aboveTheFloor(posture: Posture) throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      var script = Session.still(posture)
      script.seed = seed
      script.holds[0].placement.angleSpread = Degrees(4)
      let synthesizer = try SessionSynthesizer(script)
      let timeline = Timeline(synthesizer.script)
      let poser = BodyPoser(body: Body(script.subject), timeline: timeline, seed: seed)
      var hint = 0
      let posed = poser.posed(timeline.moment(at: 0.5, hint: &hint), motion: BodyMotion.Moment())
      let lowest = posed.shape.worldJoints(of: poser.body).values.map(\.y).min() ?? 0
      #expect(posed.rootHeight + lowest > -0.04)
    }
  }

  @Test(
    "Inclines lie where people's do",
    arguments: [
      (Posture.standing, 88.0...90), (.pushUpBottom, 5...10), (.lyingProne, 0...2),
      (.allFours, 25...40), (.longSit, 25...35), (.downwardDog, 12...28),
    ])
  func inclines(posture: Posture, range: ClosedRange<Double>) throws {
    #expect(range.contains(try frame(posture).inclineDegrees))
  }

  static let restingOnTheFloor: [Posture] = [
    .sphinx, .lyingProneArmsFolded, .lyingProneArmsBesideHead, .sittingSideLeft, .sittingSideRight,
  ]

  @Test(
    "Hips that rest on the floor are 0.05 to 0.09 body heights above the lowest joint, as in films",
    arguments: restingOnTheFloor)
  func hipsDown(posture: Posture) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let frame = try frame(posture, seed: seed)
      let lowest = frame.all.map(\.y).min() ?? 0
      #expect((0.045...0.09).contains(-lowest / 1.75), "\(-lowest / 1.75)")
    }
  }

  @Test(
    "Limbs that lie on the floor rest on it, whatever the person and the deviation",
    arguments: restingOnTheFloor + [.superman])
  func limbsOnTheFloor(posture: Posture) throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      var script = Session.still(posture)
      script.subject.seed = seed
      script.subject.proportionSpread = 0.05
      script.subject.upperArm = 0.15
      script.holds[0].placement.angleSpread = Degrees(5)
      let timeline = Timeline(script)
      let poser = BodyPoser(body: Body(script.subject), timeline: timeline, seed: seed)
      var hint = 0
      let posed = poser.posed(timeline.moment(at: 0.5, hint: &hint), motion: BodyMotion.Moment())
      let joints = posed.shape.worldJoints(of: poser.body)
      for joint in Skeleton.vision3d.joints {
        #expect(posed.rootHeight + joints[joint].y > 0.01, "\(joint)")
      }
    }
  }

  @Test(
    "Knees, elbows and hips bend no further than people's",
    arguments: restingOnTheFloor + [.superman, .heelSit, .halfKneel, .pushUps])
  func jointLimits(posture: Posture) throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      let frame = try frame(posture, seed: seed)
      func angle(_ a: Joint, _ b: Joint, _ c: Joint) -> Double {
        (frame[a] - frame[b]).angleDegrees(to: frame[c] - frame[b])
      }
      for (shoulder, hip) in [(Joint.leftShoulder, Joint.leftHip), (.rightShoulder, .rightHip)] {
        let isLeft = hip == .leftHip
        let (knee, ankle): (Joint, Joint) =
          isLeft ? (.leftKnee, .leftAnkle) : (.rightKnee, .rightAnkle)
        let (elbow, wrist): (Joint, Joint) =
          isLeft ? (.leftElbow, .leftWrist) : (.rightElbow, .rightWrist)
        #expect(angle(hip, knee, ankle) > 18)
        #expect(angle(shoulder, elbow, wrist) > 30)
        #expect(angle(shoulder, hip, knee) > 60)
      }
    }
  }

  @Test("Who sits on one hip has the named side up and the other hand on the floor")
  func sittingOnTheSide() throws {
    for (posture, upper, hand) in [
      (Posture.sittingSideLeft, Joint.leftShoulder, Joint.rightWrist),
      (.sittingSideRight, .rightShoulder, .leftWrist),
    ] {
      let frame = try frame(posture)
      #expect(frame[upper].y - frame[upper.mirrored].y > 0.1)
      let floor = frame.all.map(\.y).min() ?? 0
      #expect(frame[hand].y - floor < 0.02)
      #expect(frame[hand.mirrored].y - frame[hand].y > 0.15)
    }
  }

  @Test("Two limbs of a bird dog carry on one floor at every moment of its cycle")
  func birdDog() throws {
    var script = Session.still(.birdDog, seconds: 8)
    script.holds[0].placement.cycleRate = Hertz(0.2)
    let recording = try Session.made(script).recording
    var raised = 0.0
    for frame in 0..<recording.frameCount {
      let joints = try #require(WorldFrame(recording, script, frame: frame))
      let floor =
        min(
          joints[.leftKnee].y, joints[.rightKnee].y) - ContactHeights.knee * 1.75
      let hand = min(joints[.leftWrist].y, joints[.rightWrist].y) - ContactHeights.wrist * 1.75
      #expect((hand - floor).magnitude < 0.04, "\(frame)")
      raised = max(raised, (joints[.leftWrist].y - joints[.rightWrist].y).magnitude)
    }
    #expect(raised > 0.35)
  }

  @Test("Push-ups go from a high plank to the floor and back")
  func pushUps() throws {
    var script = Session.still(.pushUps, seconds: 4)
    script.holds[0].placement.cycleRate = Hertz(0.5)
    let recording = try Session.made(script).recording
    let inclines = (0..<recording.frameCount).compactMap {
      WorldFrame(recording, script, frame: $0)?.inclineDegrees
    }
    let (top, bottom) = (inclines.max() ?? 0, inclines.min() ?? 0)
    #expect((18...26).contains(top), "\(top)")
    #expect((2...10).contains(bottom), "\(bottom)")
    // They rest for a fifth of the time at either end.
    let count = Double(inclines.count)
    let (high, low) = (
      inclines.count { $0 > top - 0.5 }, inclines.count { $0 < bottom + 0.5 }
    )
    #expect((0.25...0.45).contains(Double(high) / count))
    #expect((0.25...0.45).contains(Double(low) / count))
  }

  @Test("A low crawl keeps belly and forearms near the floor, a bear crawl only hands and feet")
  func crawls() throws {
    for (posture, limit) in [(Posture.lowCrawl, 0.0...0.16), (.bearCrawl, 0.4...0.8)] {
      var script = Session.still(posture, seconds: 2)
      script.holds[0].placement.cycleRate = Hertz(0.5)
      let recording = try Session.made(script).recording
      for frame in 0..<recording.frameCount {
        let joints = try #require(WorldFrame(recording, script, frame: frame))
        let lowest = joints.all.map(\.y).min() ?? 0
        #expect(limit.contains(-lowest), "\(posture) \(-lowest)")
      }
    }
  }

  @Test("Walking alternates: the legs' angle changes its sign")
  func walking() throws {
    var script = Session.still(.walking, seconds: 2)
    script.holds[0].placement.cycleRate = Hertz(1)
    let recording = try Session.made(script).recording
    let swings = (0..<recording.frameCount).compactMap { frame -> Double? in
      WorldFrame(recording, script, frame: frame).map { $0[.leftKnee].z - $0[.rightKnee].z }
    }
    #expect((swings.max() ?? 0) > 0.1)
    #expect((swings.min() ?? 0) < -0.1)
  }
}
