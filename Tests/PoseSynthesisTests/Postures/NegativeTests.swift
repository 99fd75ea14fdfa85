import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Postures that are no planks") struct NegativeTests {
  static let negatives = Posture.allCases.filter { !$0.isPlank }

  private func frame(_ posture: Posture, seed: UInt64 = 1) throws -> WorldFrame {
    var script = Session.still(posture)
    script.seed = seed
    if seed > 1 { script.holds[0].placement.angleSpread = Degrees(4) }
    return try Session.frames(script)[3]
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
    var raised = 0.0
    for (frame, joints) in try Session.frames(script).enumerated() {
      let floor = min(joints[.leftKnee].y, joints[.rightKnee].y) - ContactHeights.knee * 1.75
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
    let inclines = try Session.frames(script).map(\.inclineDegrees)
    let (top, bottom) = (inclines.max() ?? 0, inclines.min() ?? 0)
    #expect((18...26).contains(top), "\(top)")
    #expect((2...10).contains(bottom), "\(bottom)")
    // They rest for a fifth of the time at either end.
    let count = Double(inclines.count)
    let (high, low) = (inclines.count { $0 > top - 0.5 }, inclines.count { $0 < bottom + 0.5 })
    #expect((0.25...0.45).contains(Double(high) / count))
    #expect((0.25...0.45).contains(Double(low) / count))
  }

  @Test("A low crawl keeps belly and forearms near the floor, a bear crawl only hands and feet")
  func crawls() throws {
    for (posture, limit) in [(Posture.lowCrawl, 0.0...0.16), (.bearCrawl, 0.4...0.8)] {
      var script = Session.still(posture, seconds: 2)
      script.holds[0].placement.cycleRate = Hertz(0.5)
      for joints in try Session.frames(script) {
        let lowest = joints.all.map(\.y).min() ?? 0
        #expect(limit.contains(-lowest), "\(posture) \(-lowest)")
      }
    }
  }
}

@Suite("Planks in motion") struct ActivityTests {
  private func frames(
    _ posture: Posture, _ activity: Activity = .still, feet: FootPlacement = .apart
  ) throws -> [WorldFrame] {
    var script = Session.still(posture, seconds: 4)
    script.holds[0].placement.activity = activity
    script.holds[0].placement.feet = feet
    script.holds[0].placement.cycleRate = Hertz(0.5)
    return try Session.frames(script)
  }

  @Test("Each hand in turn touches the other shoulder while the other one carries")
  func taps() throws {
    let frames = try frames(.high, .shoulderTaps)
    for (hand, shoulder) in [(Joint.leftWrist, Joint.rightShoulder), (.rightWrist, .leftShoulder)] {
      let nearest = frames.map { ($0[hand] - $0[shoulder]).norm }.min() ?? 1
      #expect(nearest < 0.11, "\(hand)")
    }
    for frame in frames {
      let drop = max(
        (frame[.leftShoulder] - frame[.leftWrist]).y,
        (frame[.rightShoulder] - frame[.rightWrist]).y)
      #expect(drop > 0.5)
    }
  }

  @Test("Jacks spread the feet by more than a shoulder's width, lifts raise one foot at a time")
  func legs() throws {
    let widths = try frames(.forearm, .jacks).map { ($0[.leftAnkle] - $0[.rightAnkle]).norm }
    #expect((widths.max() ?? 0) > 0.6 && (widths.min() ?? 1) < 0.25)
    let rises = try frames(.forearm, .legLifts).map { $0[.leftAnkle].y - $0[.rightAnkle].y }
    #expect((rises.max() ?? 0) > 0.2 && (rises.min() ?? 0) < -0.2)
    for frame in try frames(.forearm, .legLifts) {
      #expect(frame[.leftKnee].y > -0.4 && frame[.rightKnee].y > -0.4)
    }
  }

  @Test("Mountain climbers bring each knee near the chest and are no plank")
  func climbs() throws {
    let frames = try frames(.mountainClimber)
    for knee in [Joint.leftKnee, .rightKnee] {
      let nearest = frames.map { ($0[knee] - $0[.centerShoulder]).norm }.min() ?? 9
      #expect(nearest < 0.5, "\(knee)")
    }
    for frame in frames {
      let floor = min(frame[.leftWrist].y, frame[.rightWrist].y) - ContactHeights.wrist * 1.75
      #expect((frame.all.map(\.y).min() ?? -9) > floor - 0.04)
    }
    #expect(Posture.mountainClimber.plankClass == .none)
  }

  @Test("A low crawl keeps forearms and shanks on the floor")
  func lowCrawl() throws {
    for frame in try frames(.lowCrawl) {
      let floor = frame.all.map(\.y).min() ?? 0
      for joint in [
        Joint.leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftAnkle, .rightAnkle,
      ] {
        #expect(frame[joint].y - floor < 0.1, "\(joint)")
      }
    }
  }

  @Test("Stacked feet lie one upon the other; without that the upper leg hangs in the air")
  func feet() throws {
    for posture in [Posture.sideLeftElbow, .sideRightHand] {
      let apart = try frames(posture)[0]
      let stacked = try frames(posture, feet: .stacked)[0]
      let staggered = try frames(posture, feet: .staggered)[0]
      func gap(_ frame: WorldFrame) -> Double {
        (frame[.leftAnkle] - frame[.rightAnkle]).y.magnitude
      }
      #expect(gap(apart) > 0.15 && gap(stacked) < 0.11 && gap(staggered) < 0.11)
      #expect((staggered[.leftAnkle] - staggered[.rightAnkle]).norm > 0.15)
    }
  }
}

@Suite("Plank geometry") struct PlankGeometryTests {
  private func frame(_ script: SessionScript) throws -> WorldFrame {
    try Session.frames(script)[5]
  }

  @Test(
    "At the published fractions the incline is the published one",
    arguments: [
      (Posture.forearm, 9.7), (.high, 21.6), (.reverse, 24.0), (.sideLeftElbow, 16.9),
      (.sideRightElbow, 16.9), (.sideLeftHand, 29.0), (.sideRightHand, 29.0),
    ])
  func incline(posture: Posture, degrees: Double) throws {
    #expect((try frame(Session.still(posture)).inclineDegrees - degrees).magnitude < 0.06)
  }

  @Test(
    "The hips are where the script puts them",
    arguments: Posture.allCases.filter(\.isPlank), [-0.15, -0.05, -0.01, 0.03, 0.08, 0.15])
  func scriptedOffset(posture: Posture, offset: Double) throws {
    var script = Session.still(posture)
    script.holds[0].form.hipOffset = Meters(offset)
    script.holds[0].form.kneeFlexion = Degrees(12)
    #expect((try frame(script).hipOffset - offset).magnitude < 2e-4)
  }

  @Test("Contacts rest at their heights for bodies of any proportions", arguments: 1...8)
  func contacts(seed: Int) throws {
    for posture in Posture.allCases where posture.isPlank {
      var script = Session.still(posture)
      script.subject = SubjectParameters()
      script.subject.seed = UInt64(seed)
      script.holds[0].placement.supportTilt = Degrees(6)
      script.holds[0].form.hipOffset = Meters(-0.06)
      let frame = try frame(script)
      let heights = contactHeights(posture, frame)
      let spread = (heights.max() ?? 1) - (heights.min() ?? 0)
      #expect(spread < 0.002, "\(posture): contacts \(heights) m apart from one floor")
    }
  }

  private func contactHeights(_ posture: Posture, _ frame: WorldFrame) -> [Double] {
    let stature = 1.75
    func floor(_ y: Double, _ height: Double) -> Double { y - height * stature }
    let arms: [Joint]
    switch posture {
    case .forearm: arms = [.leftElbow, .rightElbow]
    case .high, .reverse: arms = [.leftWrist, .rightWrist]
    case .sideLeftElbow: arms = [.rightElbow]
    case .sideLeftHand: arms = [.rightWrist]
    case .sideRightElbow: arms = [.leftElbow]
    default: arms = [.leftWrist]
    }
    let isElbow = arms[0] == .leftElbow || arms[0] == .rightElbow
    let hands = arms.map {
      floor(frame[$0].y, isElbow ? ContactHeights.elbow : ContactHeights.wrist)
    }
    switch posture.plankClass {
    case .sideLeft: return hands + [floor(frame[.rightAnkle].y, ContactHeights.footEdge)]
    case .sideRight: return hands + [floor(frame[.leftAnkle].y, ContactHeights.footEdge)]
    case .reverse: return hands + [floor(frame.ankles.y, ContactHeights.heel)]
    default: return hands + [floor(frame.ankles.y, ContactHeights.tuckedToes)]
    }
  }

  @Test("Carrying arms lean toward the feet by the scripted tilt", arguments: [-8.0, 0, 8])
  func tilt(degrees: Double) throws {
    for (posture, far) in [(Posture.forearm, Joint.leftElbow), (.reverse, .leftWrist)] {
      var script = Session.still(posture)
      script.holds[0].placement.supportTilt = Degrees(degrees)
      let frame = try frame(script)
      let arm = frame[far] - frame[.leftShoulder]
      #expect((atan2Degrees(-arm.z, -arm.y) - degrees).magnitude < 0.1, "\(posture)")
    }
  }

  @Test("A lumbar fault moves the spine and leaves hips, shoulders and feet in line")
  func lumbar() throws {
    var script = Session.still(.high)
    script.holds[0].form.lumbarOffset = Meters(-0.05)
    let frame = try frame(script)
    #expect(frame.hipOffset.magnitude < 2e-4)
    let trunk = frame[.centerShoulder]
    let spine = frame[.spine].perpendicular(to: trunk.unit())
    #expect((spine.norm - 0.05).magnitude < 2e-4)
    #expect(spine.y < 0)
  }

  @Test("Hips pushed back in a side plank leave the vertical plane, not the height")
  func flexion() throws {
    var script = Session.still(.sideLeftElbow)
    script.holds[0].form.flexionOffset = Meters(0.10)
    let frame = try frame(script)
    #expect(frame.hipOffset.magnitude < 2e-4)
    #expect(frame.bodyAngle < 165)
  }
}
