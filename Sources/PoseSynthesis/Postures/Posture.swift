import Platform
package import PoseModel
import Statistics

package enum Posture: String, CaseIterable, Hashable, Sendable {
  case forearm, high, sideLeftElbow, sideLeftHand, sideRightElbow, sideRightHand, reverse
  case standing, armsForward, oneArmUp, sideBend, walking, tallKneel, chairSit, longSit, squat
  case allFours, crawl, downwardDog, childsPose, cobra, pushUpBottom, kneePlank
  case lyingProne, lyingProneArmsOverhead, lyingProneHandsByShoulders
  case lyingSupine, lyingSupineArmsOverhead, lyingSideLeft, lyingSideRight, crunch, gluteBridge
  case kneeForearmPlank, mountainClimber, pushUps, bearCrawl, lowCrawl, birdDog
  case sphinx, lyingProneArmsFolded, lyingProneArmsBesideHead, superman
  case sittingSideLeft, sittingSideRight, heelSit, halfKneel

  /// Push-ups, mountain climbers, downward dog and planks on the knees are `none`, too.
  package var plankClass: PlankClass {
    switch self {
    case .forearm: .forearm
    case .high: .high
    case .sideLeftElbow, .sideLeftHand: .sideLeft
    case .sideRightElbow, .sideRightHand: .sideRight
    case .reverse: .reverse
    default: .none
    }
  }

  var activity: Activity { self == .mountainClimber ? .climbs : .still }

  package var isPlank: Bool { plankClass != .none }

  package var isSidePlank: Bool { plankClass == .sideLeft || plankClass == .sideRight }

  /// Leaves out standing and walking, because people do them between exercises.
  package var isHardNegative: Bool { !isPlank && self != .standing && self != .walking }

  var isUpright: Bool {
    switch self {
    case .standing, .armsForward, .oneArmUp, .sideBend, .walking, .tallKneel, .chairSit, .squat,
      .heelSit, .halfKneel:
      true
    default: false
    }
  }

  /// Such poses were rare in the training data of pose estimators.
  var isInvertedOrLying: Bool {
    switch self {
    case .downwardDog, .childsPose, .crunch, .gluteBridge, .lyingProne, .lyingProneArmsOverhead,
      .lyingProneHandsByShoulders, .lyingSupine, .lyingSupineArmsOverhead, .lyingSideLeft,
      .lyingSideRight, .sphinx, .lyingProneArmsFolded, .lyingProneArmsBesideHead, .superman:
      true
    default: false
    }
  }
}

enum Rest {
  case upright, prone, supine, leftUp, rightUp

  var rotation: Rotation3 {
    switch self {
    case .upright: .identity
    case .prone: .aboutX(Degrees(90))
    case .supine: .aboutY(Degrees(180)) * .aboutX(Degrees(-90))
    case .leftUp: .aboutX(Degrees(90)) * .aboutY(Degrees(90))
    case .rightUp: .aboutX(Degrees(90)) * .aboutY(Degrees(-90))
    }
  }
}

package struct FormParameters: ScriptParameters {
  /// The distance of the hips from the line from shoulders to ankles; negative is sag.
  package var hipOffset = Meters(0)
  /// The distance of the spine's middle from the line from shoulders to hips; negative is downward.
  package var lumbarOffset = Meters(0)
  package var flexionOffset = Meters(0)
  package var shoulderOffset = Meters(0)
  package var kneeFlexion = Degrees(2)

  package init() {}

  package static let section = "form"

  package static let fields: [ScriptField<Self>] = [
    .init(
      "hip_offset_m", -0.20...0.25, \.hipOffset.value,
      "offset of the hips from the line from shoulders to ankles; negative is sag"),
    .init(
      "lumbar_offset_m", -0.08...0.08, \.lumbarOffset.value,
      "offset of the mid-spine from the line from shoulders to hips; negative is sag"),
    .init(
      "flexion_offset_m", 0...0.20, \.flexionOffset.value,
      "hips pushed back in a side plank, across the vertical plane"),
    .init(
      "shoulder_offset_m", -0.04...0.05, \.shoulderOffset.value,
      "shoulders in front of (positive) or behind the spine"),
    .init("knee_flexion_deg", 0...40, \.kneeFlexion.value, "bend of both knees"),
  ]
}

package enum FreeArm: String, CaseIterable, Hashable, Sendable {
  case atSide
  case onHip
  case up
}

package struct PlacementParameters: ScriptParameters {
  package var activity = Activity.still
  package var feet = FootPlacement.apart
  package var freeArm = FreeArm.atSide
  /// The lean of the supporting arms toward the feet; 0 is vertical.
  package var supportTilt = Degrees(0)
  package var elbowFlexion = Degrees(4)
  package var forearmTurn = Degrees(15)
  /// About the body's long axis; positive turns the chest toward the floor when the left side is
  /// up.
  package var roll = Degrees(0)
  package var trunkLean = Degrees(25)
  package var cycleRate = Hertz(1)
  /// The standard deviation of joint angles in postures that are not planks, drawn once per hold.
  package var angleSpread = Degrees(4)

  package init() {}

  package static let section = "placement"

  package static let words: [ScriptWord<Self>] = [
    .init("free_arm", \.freeArm, "position of the free arm in a side plank"),
    .init("activity", \.activity, "what the limbs do in a plank that is otherwise held still"),
    .init("feet", \.feet, "position of the feet in a side plank"),
  ]

  package static let fields: [ScriptField<Self>] = [
    .init(
      "support_tilt_deg", -40...25, \.supportTilt.value,
      "lean of the supporting arms toward the feet; negative if they reach forward"),
    .init("elbow_flexion_deg", 0...20, \.elbowFlexion.value, "bend of straight supporting arms"),
    .init(
      "forearm_turn_deg", -10...45, \.forearmTurn.value, "inward turn of forearms on the floor"),
    .init("roll_deg", -15...15, \.roll.value, "turn of a side plank about the body's long axis"),
    .init("trunk_lean_deg", 15...40, \.trunkLean.value, "sideways lean of a side bend"),
    .init(
      "cycle_rate_hz", 0.1...2, \.cycleRate.value,
      "strides, crawling steps or other repetitions per second"),
    .init(
      "angle_spread_deg", 0...10, \.angleSpread.value,
      "standard deviation of each joint angle outside planks, drawn once per hold"),
  ]
}

/// An orientation and the directions of a body's bones, for any bone lengths.
///
/// Directions are in the pelvis frame: x to the left, y cranial, z anterior.
struct BodyShape {
  var orientation: Rotation3
  var directions: [Vector3]

  subscript(bone: Bone) -> Vector3 {
    get { directions[bone.rawValue] }
    set { directions[bone.rawValue] = newValue }
  }

  func joints(of body: Body) -> JointPositions {
    JointPositions(directions: directions, lengths: body.lengths)
  }

  func worldJoints(of body: Body) -> JointPositions {
    JointPositions(directions: directions.map { orientation($0) }, lengths: body.lengths)
  }
}

struct JointPositions {
  /// In meters, by `Joint.index`; the first 17 joints are those of the 3D skeleton.
  var values: [Vector3]

  static let count = 17

  init(directions: [Vector3], lengths: [Double]) {
    values = Array(repeating: .zero, count: Self.count)
    for (bone, ends) in Bone.ends.enumerated() {
      values[ends.child] = values[ends.parent] + directions[bone] * lengths[bone]
    }
  }

  subscript(joint: Joint) -> Vector3 {
    get { values[joint.index] }
    set { values[joint.index] = newValue }
  }

  func middle(_ a: Joint, _ b: Joint) -> Vector3 { self[a].midpoint(self[b]) }
}

package enum Activity: String, CaseIterable, Hashable, Sendable {
  case still
  case jacks
  case shoulderTaps
  case legLifts
  case climbs
}

package enum FootPlacement: String, CaseIterable, Hashable, Sendable {
  case apart
  case stacked
  case staggered
}

struct LimbMover {
  let body: Body

  func moved(_ shape: BodyShape, _ activity: Activity, phase: Double) -> BodyShape {
    var shape = shape
    let (left, right) = (max(0, sin(phase)), max(0, -sin(phase)))
    switch activity {
    case .still: break
    case .jacks:
      let spread = Degrees(9 * (1 - cos(phase)))
      turnLeg(&shape, .left, by: .aboutZ(spread))
      turnLeg(&shape, .right, by: .aboutZ(-spread))
    case .shoulderTaps:
      tap(&shape, side: .left, share: left)
      tap(&shape, side: .right, share: right)
    case .legLifts:
      turnLeg(&shape, .left, by: .aboutX(Degrees(22 * left)))
      turnLeg(&shape, .right, by: .aboutX(Degrees(22 * right)))
    case .climbs:
      climb(&shape, .left, share: left)
      climb(&shape, .right, share: right)
    }
    return shape
  }

  func feet(_ shape: BodyShape, _ feet: FootPlacement, lower: BodySide) -> BodyShape {
    var shape = shape
    let leg = body.length(.leftThigh) + body.length(.leftShank)
    let width = body.length(.leftHip) + body.length(.rightHip)
    let gap = max(0, width - 0.05 * body.height.value)
    let upper = lower.other
    let inward = Degrees(radians: lower.sign * asin(min(0.5, gap / leg)))
    switch feet {
    case .apart: break
    case .stacked: turnLeg(&shape, upper, by: .aboutZ(inward))
    case .staggered:
      turnLeg(&shape, upper, by: .aboutX(Degrees(-9)) * .aboutZ(inward))
      turnLeg(&shape, lower, by: .aboutX(Degrees(4)))
    }
    return shape
  }

  private func turnLeg(_ shape: inout BodyShape, _ side: BodySide, by turn: Rotation3) {
    let (thigh, shank) = side.leg
    shape[thigh] = turn(shape[thigh])
    shape[shank] = turn(shape[shank])
  }

  private func climb(_ shape: inout BodyShape, _ side: BodySide, share: Double) {
    let shank = side.leg.lower
    let out = Degrees(side.sign * 55 * sin(Double.pi * share))
    turnLeg(&shape, side, by: .aboutZ(out) * .aboutX(Degrees(-130 * share)))
    let knee = Rotation3.aboutZ(out) * .aboutX(Degrees(140 * share)) * .aboutZ(-out)
    shape[shank] = knee(shape[shank])
  }

  private func tap(_ shape: inout BodyShape, side: BodySide, share: Double) {
    guard share > 0 else { return }
    let joints = shape.joints(of: body)
    let (upper, lower) = side.arm
    let (own, other) = (side.shoulder, side.other.shoulder)
    let hand = joints[lower.child]
    // The hand ends in front of the shoulder, at a distance that leaves room for hand and chest.
    let goal = joints[other] + Vector3.unitZ * (0.05 * body.height.value)
    let way = hand + (goal - hand) * MinimumJerk.share(share) - joints[own]
    let (u, f) = (body.length(upper), body.length(lower))
    let reach = min(max(way.norm, (u - f).magnitude + 1e-6), u + f - 1e-6)
    let along = way.unit()
    let cosine = (u * u + reach * reach - f * f) / (2 * u * reach)
    let outward = Vector3(side.sign, -0.5, 0).perpendicular(to: along).unit(or: .unitX)
    let elbow = along * (u * cosine) + outward * (u * max(0, 1 - cosine * cosine).squareRoot())
    shape[upper] = elbow.unit()
    shape[lower] = (along * reach - elbow).unit()
  }
}

/// Joint angles in degrees; all zero is the anatomical position with hanging arms.
///
/// Flexion turns about the body's x axis: trunk Rx(+f), thigh Rx(-f), shank Rx(+k), upper arm
/// Rx(-s) (0 hanging, 90 forward, 180 overhead), forearm Rx(-e). Abduction turns about z, away from
/// the body on both sides. A turn is about the near bone, outward, before the bend.
struct JointAngles {
  struct Limb {
    var flexion = 0.0
    var abduction = 0.0
    var bend = 0.0
    var turn = 0.0

    static func + (a: Limb, b: Limb) -> Limb {
      Limb(
        flexion: a.flexion + b.flexion, abduction: a.abduction + b.abduction,
        bend: max(0, a.bend + b.bend), turn: a.turn + b.turn)
    }
  }

  var pitch = 0.0
  var lumbar = 0.0
  var thoracic = 0.0
  var lateral = 0.0
  var head = 0.0
  var leftArm = Limb()
  var rightArm = Limb()
  var leftLeg = Limb()
  var rightLeg = Limb()

  static func + (a: JointAngles, b: JointAngles) -> JointAngles {
    JointAngles(
      pitch: a.pitch + b.pitch, lumbar: a.lumbar + b.lumbar, thoracic: a.thoracic + b.thoracic,
      lateral: a.lateral + b.lateral, head: a.head + b.head, leftArm: a.leftArm + b.leftArm,
      rightArm: a.rightArm + b.rightArm, leftLeg: a.leftLeg + b.leftLeg,
      rightLeg: a.rightLeg + b.rightLeg)
  }

  static func variation(spread: Degrees, stream: RandomStream) -> JointAngles {
    func draw(_ share: Double) -> Double {
      spread.value * share * min(max(stream.gaussian(), -2), 2)
    }
    func pair() -> (Limb, Limb) {
      let common = Limb(flexion: draw(1), abduction: draw(0.5), bend: 0)
      let bend = draw(1)
      func own() -> Limb {
        var limb = Limb(flexion: common.flexion + draw(0.33), abduction: common.abduction)
        limb.bend = bend + draw(0.33)
        return limb
      }
      return (own(), own())
    }
    let (arms, legs) = (pair(), pair())
    return JointAngles(
      pitch: draw(0.5), lumbar: draw(0.5), thoracic: draw(0.5), lateral: draw(0.25),
      leftArm: arms.0, rightArm: arms.1, leftLeg: legs.0, rightLeg: legs.1)
  }

  static let neutralDirections = JointAngles().directions()

  func directions() -> [Vector3] {
    let lean = Rotation3.aboutZ(Degrees(-lateral / 2))
    let lower = lean * .aboutX(Degrees(lumbar))
    let upper = lean * lower * .aboutX(Degrees(thoracic))
    let (cranial, left) = (upper(.unitY), upper(.unitX))
    let top = (upper * .aboutX(Degrees(head)))(.unitY)
    let (armL, foreL) = Self.limb(leftArm, side: 1, isArm: true)
    let (armR, foreR) = Self.limb(rightArm, side: -1, isArm: true)
    let (thighL, shankL) = Self.limb(leftLeg, side: 1, isArm: false)
    let (thighR, shankR) = Self.limb(rightLeg, side: -1, isArm: false)
    return [
      lower(.unitY), cranial, top, top, .unitX, -.unitX, left, -left,
      thighL, thighR, shankL, shankR, upper(armL), upper(armR), upper(foreL), upper(foreR),
    ]
  }

  private static func limb(_ limb: Limb, side: Double, isArm: Bool) -> (Vector3, Vector3) {
    let near = Rotation3.aboutZ(Degrees(side * limb.abduction)) * .aboutX(Degrees(-limb.flexion))
    let turned = near * .aboutY(Degrees(side * limb.turn))
    let far = turned * .aboutX(Degrees(isArm ? -limb.bend : limb.bend))
    return (near(-.unitY), far(-.unitY))
  }
}
