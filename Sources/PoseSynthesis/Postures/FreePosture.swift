import Platform
import PoseModel

struct FreePosture {
  enum Settling {
    case drop
    case contacts(upper: Contact, lower: Contact)
  }

  struct Contact {
    let joints: (Joint, Joint)
    /// As a fraction of stature; nil means the body's ankle height with tucked toes.
    let height: Double?

    static let wrists = Contact(joints: (.leftWrist, .rightWrist), height: ContactHeights.wrist)
    static func wrist(_ joint: Joint) -> Contact {
      Contact(joints: (joint, joint), height: ContactHeights.wrist)
    }
    static func knee(_ joint: Joint) -> Contact {
      Contact(joints: (joint, joint), height: ContactHeights.knee)
    }
    static let knees = Contact(joints: (.leftKnee, .rightKnee), height: ContactHeights.knee)
    static let toes = Contact(joints: (.leftAnkle, .rightAnkle), height: nil)
    static let feet = Contact(joints: (.leftAnkle, .rightAnkle), height: ContactHeights.flatFoot)
    static let shoulders = Contact(joints: (.leftShoulder, .rightShoulder), height: 0.06)
    static let elbows = Contact(joints: (.leftElbow, .rightElbow), height: ContactHeights.elbow)
    static let hips = Contact(joints: (.leftHip, .rightHip), height: ContactHeights.proneHip)
    static func hip(_ joint: Joint) -> Contact {
      Contact(joints: (joint, joint), height: ContactHeights.seatedHip)
    }
    static func proneShoulders(_ height: Double) -> Contact {
      Contact(joints: (.leftShoulder, .rightShoulder), height: height)
    }

    func height(on body: Body) -> Double { (height ?? body.tuckedAnkle) * body.height.value }
  }

  let rest: Rest
  var angles: JointAngles
  var settling = Settling.drop
  var laid: [LaidLimb] = []

  static func onHands(_ angles: JointAngles, lower: Contact) -> FreePosture {
    FreePosture(rest: .prone, angles: angles, settling: .contacts(upper: .wrists, lower: lower))
  }

  /// Returns the height of the root above the floor in meters.
  func settled(body: Body, extraPitch: Degrees, extraRoll: Degrees) -> (BodyShape, Double) {
    let base = rest.rotation * Rotation3.aboutY(extraRoll)
    let turn = Rotation3.aboutX(Degrees(angles.pitch) + extraPitch)
    var shape = BodyShape(orientation: turn * base, directions: angles.directions())
    guard case .contacts(let upper, let lower) = settling else {
      return (shape, Self.droppedHeight(shape, body: body))
    }
    let joints = shape.joints(of: body)
    let near = joints.middle(lower.joints.0, lower.joints.1)
    let incline = Incline.solving(
      span: base(joints.middle(upper.joints.0, upper.joints.1) - near),
      rise: upper.height(on: body) - lower.height(on: body))
    shape.orientation = Rotation3.aboutX(-incline) * base
    let height = lower.height(on: body) - shape.orientation(near).y
    for limb in laid { limb.lay(&shape, angles: angles, body: body, rootHeight: height) }
    return (shape, height)
  }

  static func droppedHeight(_ shape: BodyShape, body: Body) -> Double {
    let joints = shape.worldJoints(of: body)
    var height = -Double.infinity
    for (joint, resting) in zip(joints.values, ContactHeights.resting) {
      height = max(height, resting * body.height.value - joint.y)
    }
    return height
  }
}

extension Posture {
  /// Planks lie prone here, because `PlankSolver` gives them their shape; the phase is in radians.
  func free(phase: Double, lean: Degrees) -> FreePosture {
    if isUpright { return upright(phase: phase, lean: lean) }
    switch self {
    case .sphinx, .lyingProneArmsFolded, .lyingProneArmsBesideHead, .superman:
      return proneBetweenPlanks(phase: phase)
    case .sittingSideLeft, .sittingSideRight: return sittingOnTheSide
    case .lyingProne, .lyingProneArmsOverhead, .lyingProneHandsByShoulders, .lyingSupine,
      .lyingSupineArmsOverhead, .lyingSideLeft, .lyingSideRight, .crunch, .gluteBridge, .longSit:
      return lying
    default: return onHands(phase: phase)
    }
  }

  private typealias Limb = JointAngles.Limb

  private func upright(phase: Double, lean: Degrees) -> FreePosture {
    var angles = JointAngles.both(arms: Limb(flexion: 0, abduction: 8, bend: 10), legs: Limb())
    switch self {
    case .armsForward: angles = .both(arms: Limb(flexion: 90), legs: Limb())
    case .oneArmUp:
      angles.leftArm = Limb(flexion: 175, abduction: 0, bend: 5)
      angles.lateral = 12
    case .sideBend: angles.lateral = lean.value
    case .walking:
      angles.leftLeg = Limb(flexion: 5 + 20 * sin(phase), bend: 22.5 + 12.5 * cos(phase))
      angles.rightLeg = Limb(flexion: 5 - 20 * sin(phase), bend: 22.5 - 12.5 * cos(phase))
      angles.leftArm.flexion = -20 * sin(phase)
      angles.rightArm.flexion = 20 * sin(phase)
    case .tallKneel:
      angles = .both(arms: Limb(flexion: 0, abduction: 8, bend: 10), legs: Limb(bend: 90))
    case .chairSit:
      angles = .both(arms: Limb(flexion: 20, bend: 60), legs: Limb(flexion: 90, bend: 90))
    case .squat:
      angles = .both(arms: Limb(flexion: 80), legs: Limb(flexion: 105, bend: 115))
      angles.pitch = 35
    case .heelSit:
      // With knees bent to 153 degrees, the hips rest on the heels, at 0.14 of stature, and the
      // hands rest on the thighs.
      angles = .both(
        arms: Limb(flexion: 24, abduction: 6, bend: 35), legs: Limb(flexion: 67, bend: 153))
      angles.pitch = 3
    case .halfKneel:
      angles = .both(arms: Limb(flexion: 15, abduction: 6, bend: 25), legs: Limb(bend: 92))
      angles.leftLeg = Limb(flexion: 88, bend: 88)
    default: break
    }
    return FreePosture(rest: .upright, angles: angles)
  }

  private func onHands(phase: Double) -> FreePosture {
    switch self {
    case .allFours:
      // Arms are longer than thighs, so the trunk rises by 13 degrees, and flexions of 77 degrees
      // make arms and thighs vertical.
      let angles = JointAngles.both(arms: Limb(flexion: 77), legs: Limb(flexion: 77, bend: 90))
      return .onHands(angles, lower: .knees)
    case .crawl: return FreePosture(rest: .prone, angles: .crawling(phase: phase))
    case .downwardDog:
      var angles = JointAngles.both(arms: Limb(flexion: 178), legs: Limb(flexion: 95))
      angles.pitch = 40
      return .onHands(angles, lower: .toes)
    case .childsPose:
      // With flat shanks and knees bent to 153 degrees, the hips are at 0.16 of stature; the trunk
      // falls to shoulders at 0.09.
      var angles = JointAngles.both(arms: Limb(flexion: 184), legs: Limb(flexion: 167, bend: 153))
      angles.pitch = 14
      return FreePosture(rest: .prone, angles: angles)
    case .cobra:
      var angles = JointAngles.both(arms: Limb(flexion: 60, bend: 20), legs: Limb())
      (angles.pitch, angles.lumbar, angles.thoracic) = (-5, -25, -25)
      return .onHands(angles, lower: .knees)
    case .pushUpBottom:
      // The upper arms lie along the trunk, so the forearms are upright, and the body is inclined
      // by 8 degrees.
      var angles = JointAngles.both(arms: Limb(flexion: -4, abduction: 35, bend: 95), legs: Limb())
      angles.pitch = -6
      return .onHands(angles, lower: .toes)
    case .pushUps, .bearCrawl, .lowCrawl, .birdDog: return exercise(phase: phase)
    default: return FreePosture(rest: .prone, angles: .both(arms: Limb(), legs: Limb()))
    }
  }

  private func exercise(phase: Double) -> FreePosture {
    let swing = sin(phase)
    var angles = JointAngles.both(arms: Limb(flexion: 77), legs: Limb(flexion: 77, bend: 90))
    switch self {
    case .pushUps:
      let down = PushUpTempo.depth(phase: phase)
      let arm = Limb(flexion: 68 - 72 * down, abduction: 8 + 27 * down, bend: 5 + 90 * down)
      angles = .both(arms: arm, legs: Limb())
      angles.pitch = -6
      return .onHands(angles, lower: .toes)
    case .bearCrawl:
      (angles.leftLeg, angles.rightLeg) = (
        Limb(flexion: 95 + 15 * swing, bend: 70), Limb(flexion: 95 - 15 * swing, bend: 70)
      )
      angles.leftArm.flexion -= 10 * swing
      angles.rightArm.flexion += 10 * swing
      return .onHands(angles, lower: .toes)
    case .lowCrawl:
      func leg(_ share: Double) -> Limb { Limb(abduction: 60 * share, bend: 75 * share, turn: 90) }
      (angles.leftLeg, angles.rightLeg) = (leg(max(0, swing)), leg(max(0, -swing)))
      // With the trunk raised by 20 degrees, an arm flexed by 160 degrees is level, and 130 degrees
      // put the elbows on the floor.
      angles.leftArm = Limb(flexion: 132 - 6 * swing, abduction: 25, bend: 28 + 6 * swing)
      angles.rightArm = Limb(flexion: 132 + 6 * swing, abduction: 25, bend: 28 - 6 * swing)
      (angles.lumbar, angles.thoracic, angles.head) = (-8, -12, -20)
      return FreePosture(rest: .prone, angles: angles)
    default: return birdDog(swing: swing)
    }
  }

  private func birdDog(swing: Double) -> FreePosture {
    var angles = JointAngles.both(arms: Limb(flexion: 77), legs: Limb(flexion: 77, bend: 90))
    let isLeftArm = swing > 0
    let share = MinimumJerk.share(min(1, 1.5 * swing.magnitude))
    let arm = Limb(flexion: 77 + 95 * share)
    let leg = Limb(flexion: 77 - 87 * share, bend: 90 - 85 * share)
    if isLeftArm { (angles.leftArm, angles.rightLeg) = (arm, leg) }
    if !isLeftArm { (angles.rightArm, angles.leftLeg) = (arm, leg) }
    return FreePosture(
      rest: .prone, angles: angles,
      settling: .contacts(
        upper: .wrist(isLeftArm ? .rightWrist : .leftWrist),
        lower: .knee(isLeftArm ? .leftKnee : .rightKnee)))
  }

  private var lying: FreePosture {
    switch self {
    case .lyingSideLeft, .lyingSideRight: return lyingOnTheSide
    case .lyingProneArmsOverhead, .lyingSupineArmsOverhead:
      let angles = JointAngles.both(arms: Limb(flexion: 175, bend: 5), legs: Limb())
      return FreePosture(rest: self == .lyingSupineArmsOverhead ? .supine : .prone, angles: angles)
    case .lyingProneHandsByShoulders:
      return FreePosture(
        rest: .prone,
        angles: .both(arms: Limb(flexion: -40, abduction: 10, bend: 130), legs: Limb()))
    case .crunch:
      var angles = JointAngles.both(
        arms: Limb(flexion: 40, bend: 120), legs: Limb(flexion: 50, bend: 95))
      (angles.lumbar, angles.thoracic, angles.head) = (15, 20, 10)
      return FreePosture(rest: .supine, angles: angles)
    case .gluteBridge:
      var angles = JointAngles.both(arms: Limb(flexion: -22, abduction: 12), legs: Limb(bend: 85))
      angles.head = 22
      return FreePosture(
        rest: .supine, angles: angles, settling: .contacts(upper: .shoulders, lower: .feet))
    case .longSit:
      return FreePosture(
        rest: .upright, angles: .both(arms: Limb(flexion: -20, bend: 5), legs: Limb(flexion: 90)))
    default:
      return FreePosture(
        rest: self == .lyingSupine ? .supine : .prone,
        angles: .both(arms: Limb(abduction: 10), legs: Limb()))
    }
  }

  private var lyingOnTheSide: FreePosture {
    var angles = JointAngles.both(
      arms: Limb(flexion: 10, bend: 15), legs: Limb(flexion: 20, bend: 25))
    let lower = Limb(flexion: 130, abduction: 0, bend: 30)
    if self == .lyingSideLeft { angles.rightArm = lower } else { angles.leftArm = lower }
    return FreePosture(rest: self == .lyingSideLeft ? .leftUp : .rightUp, angles: angles)
  }
}

extension Posture {
  private func proneBetweenPlanks(phase: Double) -> FreePosture {
    let legs = Limb(flexion: 174, bend: 3)
    var angles = JointAngles.both(arms: Limb(), legs: legs)
    var laid = LaidLimb.legs
    var upper = FreePosture.Contact.proneShoulders(0.085)
    switch self {
    case .sphinx:
      angles = .both(arms: Limb(flexion: 60, bend: 90, turn: 8), legs: legs)
      (angles.lumbar, angles.thoracic, angles.head) = (-12, -20, -5)
      (upper, laid) = (.elbows, laid + LaidLimb.forearms)
    case .lyingProneArmsFolded:
      angles = .both(arms: Limb(flexion: 60, bend: 130), legs: legs)
      laid += LaidLimb.arms
    case .lyingProneArmsBesideHead:
      angles = .both(arms: Limb(flexion: 115, bend: 100), legs: legs)
      laid += LaidLimb.arms
    default:
      let lift = 0.1 + 0.9 * PushUpTempo.depth(phase: phase)
      angles = .both(arms: Limb(flexion: 12, bend: 10), legs: legs)
      (angles.lumbar, angles.thoracic, angles.head) = (-10 * lift, -12 * lift, -8 * lift)
      upper = .proneShoulders(0.085 + 0.06 * lift)
      laid = (LaidLimb.legs + LaidLimb.arms).map { $0.lifted(by: 0.13 * lift) }
    }
    return FreePosture(
      rest: .prone, angles: angles, settling: .contacts(upper: upper, lower: .hips), laid: laid)
  }

  private var sittingOnTheSide: FreePosture {
    let isLeftUp = self == .sittingSideLeft
    var angles = JointAngles()
    let (carrying, free) = (
      Limb(flexion: 12, abduction: 42, bend: 14), Limb(flexion: 35, abduction: 8, bend: 35)
    )
    let (lower, upper) = (Limb(flexion: 110, bend: 100), Limb(flexion: 130, bend: 95))
    (angles.leftArm, angles.rightArm) = isLeftUp ? (free, carrying) : (carrying, free)
    (angles.leftLeg, angles.rightLeg) = isLeftUp ? (upper, lower) : (lower, upper)
    angles.lateral = isLeftUp ? 16 : -16
    return FreePosture(
      rest: isLeftUp ? .leftUp : .rightUp, angles: angles,
      settling: .contacts(
        upper: .wrist(isLeftUp ? .rightWrist : .leftWrist),
        lower: .hip(isLeftUp ? .rightHip : .leftHip)), laid: LaidLimb.legs)
  }
}

enum PushUpTempo {
  /// Returns how far down a body is, from 0 to 1, at a phase in radians.
  ///
  /// A fifth of the cycle is at the top, three tenths on the way down, a fifth at the bottom and
  /// three tenths on the way up. In films of push-ups, people stay 0.3 to 2 s at either end and
  /// move for 0.2 to 0.5 s.
  static func depth(phase: Double) -> Double {
    let cycles = phase / (2 * Double.pi)
    let place = cycles - cycles.rounded(.down)
    return MinimumJerk.share((0.4 - (place - 0.5).magnitude) / 0.3)
  }
}

extension JointAngles {
  func limb(_ side: BodySide, isArm: Bool) -> Limb {
    switch side {
    case .left: isArm ? leftArm : leftLeg
    case .right: isArm ? rightArm : rightLeg
    }
  }

  static func both(arms: Limb, legs: Limb) -> JointAngles {
    JointAngles(leftArm: arms, rightArm: arms, leftLeg: legs, rightLeg: legs)
  }

  /// The knees bend by 10 degrees more than with a level trunk, because the trunk rises by 10
  /// degrees.
  static func crawling(phase: Double) -> JointAngles {
    func leg(_ swing: Double) -> Limb { Limb(flexion: 90 + 20 * swing, bend: 100 + 10 * swing) }
    var angles = JointAngles.both(arms: Limb(flexion: 90), legs: Limb())
    (angles.leftLeg, angles.rightLeg) = (leg(sin(phase)), leg(-sin(phase)))
    angles.leftArm.flexion -= 15 * sin(phase)
    angles.rightArm.flexion += 15 * sin(phase)
    angles.pitch = -10
    return angles
  }
}

/// A limb that lies on the floor, so its angles turn in the plane of the floor.
///
/// Flexion is the direction of the near bone, counted from that of the head; it is positive
/// outward, or toward the front for a body on its side. The bend of a knee turns the shank further,
/// and the bend of an elbow turns the forearm back.
struct LaidLimb {
  private let side: BodySide
  private let isArm: Bool
  private var isFarOnly = false
  private var lift = 0.0

  static let arms = BodySide.allCases.map { LaidLimb(side: $0, isArm: true) }
  static let legs = BodySide.allCases.map { LaidLimb(side: $0, isArm: false) }
  /// The forearms alone, for bodies that rest on their elbows with upright upper arms.
  static let forearms = arms.map {
    var forearm = $0
    forearm.isFarOnly = true
    return forearm
  }

  func lifted(by lift: Double) -> LaidLimb {
    var limb = self
    limb.lift = lift
    return limb
  }

  func lay(_ shape: inout BodyShape, angles: JointAngles, body: Body, rootHeight: Double) {
    let (near, far) = isArm ? side.arm : side.leg
    let limb = angles.limb(side, isArm: isArm)
    let stature = body.height.value
    let joints = shape.joints(of: body)
    let heights: (Double, Double) =
      isArm
      ? (ContactHeights.elbow, ContactHeights.wrist) : (ContactHeights.knee, ContactHeights.instep)
    let start = rootHeight + shape.orientation(joints[near.parent]).y
    let middle = rootHeight + shape.orientation(joints[near.child]).y
    var reached = middle
    if !isFarOnly {
      let end = (heights.1 + lift) * stature
      reached = max(heights.0 * stature, lift > 0 ? (start + end) / 2 : 0)
      let direction = self.direction(
        shape, heading: limb.flexion, rise: (reached - start) / body.length(near))
      shape[near] = shape.orientation.inverse(direction)
      reached = start + direction.y * body.length(near)
    }
    let heading =
      isFarOnly ? -limb.turn : limb.flexion + (isArm ? -limb.bend : limb.bend)
    let direction = self.direction(
      shape, heading: heading, rise: ((heights.1 + lift) * stature - reached) / body.length(far))
    shape[far] = shape.orientation.inverse(direction)
  }

  /// Returns a direction in the world; `heading` is in degrees, and `rise` is the sine of the angle
  /// to the floor.
  private func direction(_ shape: BodyShape, heading: Double, rise: Double) -> Vector3 {
    let left = shape.orientation(.unitX).x
    let isOnSide = left.magnitude < 0.5
    let outward = isOnSide ? shape.orientation(.unitZ).x : side.sign * left
    let angle = Degrees(heading).radians
    let rise = min(max(rise, -1), 1)
    let flat = Vector3(outward < 0 ? -sin(angle) : sin(angle), 0, cos(angle))
    return flat * (1 - rise * rise).squareRoot() + Vector3.unitY * rise
  }
}
