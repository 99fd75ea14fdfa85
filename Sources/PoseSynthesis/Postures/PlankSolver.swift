import Platform
import PoseModel

/// Finds the shape of a body in a plank.
///
/// The shoulders' height above the floor is the reach of the carrying arms (0.206 of stature on
/// forearms, 0.362 on hands). Trunk and legs come first, from the form's offsets, then the incline,
/// and finally the arms from the shoulders down.
struct PlankSolver {
  let body: Body
  let stance: PlankStance
  let placement: PlacementParameters
  let form: FormParameters
  var breathing = 0.0

  func solved() -> (shape: BodyShape, rootHeight: Double) {
    let rolled = stance.rest.rotation * Rotation3.aboutY(placement.roll)
    var directions = JointAngles.neutralDirections
    let up = rolled.inverse(.unitY)
    let chord = bendTrunk(&directions, up: up)
    bendLegs(&directions, up: up, trunkChord: chord)
    var shape = BodyShape(orientation: rolled, directions: directions)
    let joints = shape.joints(of: body)
    let base = Self.headed(rolled, joints)
    let (foot, footHeight) = stance.lowerContact(joints, body: body)
    let reach = ArmReach(body: body, stance: stance, placement: placement)
    let incline = Incline.solving(
      span: base(stance.supportShoulder(joints) - foot), rise: reach.shoulderHeight - footHeight)
    shape.orientation = Rotation3.aboutX(-incline) * base
    let rootHeight = footHeight - shape.orientation(foot).y
    reach.placeArms(&shape, joints: joints, rootHeight: rootHeight)
    return (shape, rootHeight)
  }

  /// Turns a lying body about the vertical until the line from ankles to shoulders points along z.
  private static func headed(_ rolled: Rotation3, _ joints: JointPositions) -> Rotation3 {
    let line = rolled(joints[.centerShoulder] - joints.middle(.leftAnkle, .rightAnkle))
    return Rotation3.aboutY(Degrees(radians: -atan2(line.x, line.z))) * rolled
  }

  private func bendTrunk(_ directions: inout [Vector3], up: Vector3) -> Double {
    let half = body.length(.lumbar)
    let offset = up * form.lumbarOffset.value + Vector3.unitZ * breathing
    let along = max(half * half - offset.dot(offset), 0.01 * half * half).squareRoot()
    directions[Bone.lumbar.rawValue] = (Vector3.unitY * along + offset).unit()
    directions[Bone.thoracic.rawValue] = (Vector3.unitY * along - offset).unit()
    let width = body.length(.leftShoulder)
    let forward = min(max(form.shoulderOffset.value, -0.5 * width), 0.5 * width)
    let across = (width * width - forward * forward).squareRoot()
    directions[Bone.leftShoulder.rawValue] = Vector3(across, 0, forward).unit()
    directions[Bone.rightShoulder.rawValue] = Vector3(-across, 0, forward).unit()
    return 2 * along
  }

  private func bendLegs(_ directions: inout [Vector3], up: Vector3, trunkChord: Double) {
    let knee = stance.isOnKnees ? 0 : form.kneeFlexion.radians
    let thigh = (body.length(.leftThigh) + body.length(.rightThigh)) / 2
    let shank = (body.length(.leftShank) + body.length(.rightShank)) / 2
    let reach =
      stance.isOnKnees
      ? thigh : (thigh * thigh + shank * shank + 2 * thigh * shank * cos(knee)).squareRoot()
    let offset = up * form.hipOffset.value - Vector3.unitZ * form.flexionOffset.value
    let bend = HipOffset.bend(offset: offset.norm, upper: trunkChord, lower: reach)
    let away = offset.unit(or: up)
    let line = Vector3.unitY * -cos(bend) - away * sin(bend)
    let front = Vector3.unitZ.perpendicular(to: line).unit(or: .unitZ)
    let lead = atan2(shank * sin(knee), thigh + shank * cos(knee))
    let lag = stance.isOnKnees ? -PlankStance.kneelingFlexion.radians : lead - knee
    let near = line * cos(stance.isOnKnees ? 0 : lead) + front * sin(stance.isOnKnees ? 0 : lead)
    let far = line * cos(lag) + front * sin(lag)
    for bone in [Bone.leftThigh, .rightThigh] { directions[bone.rawValue] = near }
    for bone in [Bone.leftShank, .rightShank] { directions[bone.rawValue] = far }
  }
}

struct ArmReach {
  let shoulderHeight: Double
  private let stance: PlankStance
  private let placement: PlacementParameters
  private let contactHeight: Double
  private let body: Body

  init(body: Body, stance: PlankStance, placement: PlacementParameters) {
    self.body = body
    self.stance = stance
    self.placement = placement
    let fraction = stance.support == .forearm ? ContactHeights.elbow : ContactHeights.wrist
    contactHeight = fraction * body.height.value
    let carrying = stance.carrying.map { [$0] } ?? BodySide.allCases
    let carried = carrying.map { Self.span(of: $0, body, stance, placement) }.min() ?? 0
    shoulderHeight = contactHeight + carried * cos(placement.supportTilt.radians)
  }

  /// From the shoulder to what is on the floor.
  private static func span(
    of side: BodySide, _ body: Body, _ stance: PlankStance, _ placement: PlacementParameters
  ) -> Double {
    let (u, f) = (body.length(side.arm.upper), body.length(side.arm.lower))
    if stance.support == .forearm { return u }
    return (u * u + f * f + 2 * u * f * cos(placement.elbowFlexion.radians)).squareRoot()
  }

  func placeArms(_ shape: inout BodyShape, joints: JointPositions, rootHeight: Double) {
    for side in BodySide.allCases {
      if stance.carrying == side.other {
        placeFreeArm(&shape, side)
      } else {
        let height = rootHeight + shape.orientation(joints[side.shoulder]).y
        carry(&shape, side, from: height)
      }
    }
  }

  private func carry(_ shape: inout BodyShape, _ side: BodySide, from shoulder: Double) {
    let (upper, lower) = side.arm
    let span = Self.span(of: side, body, stance, placement)
    let tilt = placement.supportTilt.radians
    let spread = acos(min(max((shoulder - contactHeight) / (span * cos(tilt)), 0), 1))
    let outward = outwardSign(shape, side: side) * sin(spread)
    let line = Vector3(outward, -cos(spread) * cos(tilt), -cos(spread) * sin(tilt))
    var (near, far) = (line, line)
    if stance.support == .forearm {
      far = forearmOnFloor(shape, side: side)
    } else {
      (near, far) = bent(line, upper: body.length(upper), lower: body.length(lower))
    }
    shape[upper] = shape.orientation.inverse(near)
    shape[lower] = shape.orientation.inverse(far)
  }

  private func outwardSign(_ shape: BodyShape, side: BodySide) -> Double {
    if stance.carrying != nil { return 0 }
    let left = shape.orientation(.unitX).x
    return side.sign * (left >= 0 ? 1 : -1)
  }

  private func forearmOnFloor(_ shape: BodyShape, side: BodySide) -> Vector3 {
    let turn = placement.forearmTurn.radians
    if stance.carrying != nil {
      let chest = shape.orientation(.unitZ)
      let forward = Vector3(chest.x, 0, chest.z).unit(or: .unitX)
      return forward * cos(turn) + Vector3.unitZ * sin(turn)
    }
    let outward = outwardSign(shape, side: side)
    return Vector3(-outward * sin(turn), 0, cos(turn))
  }

  private func bent(_ line: Vector3, upper: Double, lower: Double) -> (Vector3, Vector3) {
    let bend = placement.elbowFlexion.radians
    let lead = atan2(lower * sin(bend), upper + lower * cos(bend))
    let away = (-Vector3.unitZ).perpendicular(to: line).unit(or: .unitX)
    return (line * cos(lead) + away * sin(lead), line * cos(bend - lead) - away * sin(bend - lead))
  }

  private func placeFreeArm(_ shape: inout BodyShape, _ free: BodySide) {
    let (upper, lower) = free.arm
    let side = free.sign
    switch placement.freeArm {
    case .atSide:
      shape[upper] = Vector3(side * 0.12, -0.99, 0.08).unit()
      shape[lower] = Vector3(side * 0.02, -0.98, 0.2).unit()
    case .onHip:
      shape[upper] = Vector3(side * 0.7, -0.7, -0.15).unit()
      shape[lower] = Vector3(side * -0.75, -0.55, 0.35).unit()
    case .up:
      shape[upper] = shape.orientation.inverse(.unitY)
      shape[lower] = shape[upper]
    }
  }
}

struct PlankStance {
  enum Support {
    case forearm
    case hand
  }

  let rest: Rest
  let support: Support
  var carrying: BodySide?
  var isOnKnees = false

  static let kneelingFlexion = Degrees(60)
}

extension PlankStance {
  init?(_ posture: Posture) {
    switch posture {
    case .forearm: self.init(rest: .prone, support: .forearm)
    case .kneeForearmPlank: self.init(rest: .prone, support: .forearm, isOnKnees: true)
    case .high, .mountainClimber: self.init(rest: .prone, support: .hand)
    case .reverse: self.init(rest: .supine, support: .hand)
    case .sideLeftElbow: self.init(rest: .leftUp, support: .forearm, carrying: .right)
    case .sideLeftHand: self.init(rest: .leftUp, support: .hand, carrying: .right)
    case .sideRightElbow: self.init(rest: .rightUp, support: .forearm, carrying: .left)
    case .sideRightHand: self.init(rest: .rightUp, support: .hand, carrying: .left)
    case .kneePlank: self.init(rest: .prone, support: .hand, isOnKnees: true)
    default: return nil
    }
  }

  func supportShoulder(_ joints: JointPositions) -> Vector3 {
    carrying.map { joints[$0.shoulder] } ?? joints.middle(.leftShoulder, .rightShoulder)
  }

  func lowerContact(_ joints: JointPositions, body: Body) -> (Vector3, Double) {
    let stature = body.height.value
    if let carrying { return (joints[carrying.ankle], ContactHeights.footEdge * stature) }
    if isOnKnees { return (joints.middle(.leftKnee, .rightKnee), ContactHeights.knee * stature) }
    let height = rest == .supine ? ContactHeights.heel : body.tuckedAnkle
    return (joints.middle(.leftAnkle, .rightAnkle), height * stature)
  }
}

/// Heights of joints' centers above the floor on which they rest, as fractions of stature.
///
/// With Winter's segments, elbow, wrist and feet give shoulder heights of 0.206 (forearms) and
/// 0.362 (straight arms) in a plank. The other heights are half the depth of the soft tissue around
/// the joint, as estimated by PlankLab: buttocks and chest are about 0.12 to 0.13 of stature deep,
/// the thigh above the knee 0.10, and the shoulder from the side 0.09.
enum ContactHeights {
  static let elbow = 0.02
  static let wrist = 0.03
  static let knee = 0.05
  static let tuckedToes = 0.075
  static let heel = 0.045
  static let flatFoot = 0.039
  static let footEdge = 0.03
  static let instep = 0.03
  /// For a body that lies on its front; in films, the hips are 0.05 to 0.09 above the lowest joint.
  static let proneHip = 0.08
  static let seatedHip = 0.06

  static let resting: [Double] = {
    var heights = Array(repeating: 0.0, count: JointPositions.count)
    for joint in Skeleton.vision3d.joints { heights[joint.index] = resting(joint) }
    return heights
  }()

  private static func resting(_ joint: Joint) -> Double {
    switch joint {
    case .leftElbow, .rightElbow: elbow
    case .leftWrist, .rightWrist: wrist
    case .leftKnee, .rightKnee: knee
    case .leftAnkle, .rightAnkle: flatFoot
    case .leftShoulder, .rightShoulder, .leftHip, .rightHip: 0.045
    case .centerHead: 0.05
    case .topHead: 0.03
    default: 0.06
    }
  }
}

enum HipOffset {
  /// Returns the bend b in radians that moves the hip off the line from shoulder to ankle.
  ///
  /// b = asin(d/L1) + asin(d/L2), with the altitude d inside the triangle; the angle at the hip
  /// between shoulder and ankle is then 180 degrees - b. Near 0, b is d (1/L1 + 1/L2): 0.554 cm per
  /// degree at 1.75 m, 6.6 cm for 12 degrees. Offsets greater than nine tenths of the shorter side
  /// are limited to that length.
  static func bend(offset: Double, upper: Double, lower: Double) -> Double {
    let altitude = min(offset.magnitude, 0.9 * min(upper, lower))
    return asin(altitude / upper) + asin(altitude / lower)
  }
}

enum Incline {
  /// Returns the angle about -x that gives a span its rise.
  ///
  /// A positive angle raises the head of a body whose head lies along +z. Turned by theta, the span
  /// (x, y, z) rises by y cos(theta) + z sin(theta). With r = sqrt(y^2 + z^2), that is r sin(theta
  /// + atan2(y, z)), so theta = asin(rise/r) - atan2(y, z). A rise greater than r is limited to r.
  static func solving(span: Vector3, rise: Double) -> Degrees {
    let reach = (span.y * span.y + span.z * span.z).squareRoot()
    guard reach > 0 else { return Degrees(0) }
    let sine = min(max(rise / reach, -1), 1)
    return Degrees(radians: asin(sine) - atan2(span.y, span.z))
  }
}
