import Platform
import PoseModel

/// The shoulders' height above the floor is the reach of the carrying arms (0.206 H on forearms,
/// 0.362 H on hands), the feet's that of their contact.
///
/// Trunk and legs follow from the form's offsets, then the incline from both heights, and finally
/// the arms from the shoulders down.
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

  /// Turns a lying body about the vertical until the line from ankles to shoulders points along z,
  /// so that the incline keeps level what is level across that line.
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
  /// Distance from shoulder to contact of each arm, and the contact's height, in meters.
  private let spans: (left: Double, right: Double)
  private let contactHeight: Double
  private let body: Body

  /// Measures both arms; the shorter carrying arm sets the height.
  init(body: Body, stance: PlankStance, placement: PlacementParameters) {
    self.body = body
    self.stance = stance
    self.placement = placement
    let bend = placement.elbowFlexion.radians
    func span(_ upper: Bone, _ lower: Bone) -> Double {
      let (u, f) = (body.length(upper), body.length(lower))
      if stance.support == .forearm { return u }
      return (u * u + f * f + 2 * u * f * cos(bend)).squareRoot()
    }
    spans = (span(.leftUpperArm, .leftForearm), span(.rightUpperArm, .rightForearm))
    let fraction =
      stance.support == .forearm ? ContactHeights.elbow : ContactHeights.wrist
    contactHeight = fraction * body.height.value
    let carried: Double
    switch stance.carrying {
    case .left: carried = spans.left
    case .right: carried = spans.right
    case nil: carried = min(spans.left, spans.right)
    }
    shoulderHeight = contactHeight + carried * cos(placement.supportTilt.radians)
  }

  func placeArms(_ shape: inout BodyShape, joints: JointPositions, rootHeight: Double) {
    if stance.carrying != .right {
      let height = rootHeight + shape.orientation(joints[.leftShoulder]).y
      carry(&shape, .leftUpperArm, .leftForearm, span: spans.left, from: height, side: .left)
    }
    if stance.carrying != .left {
      let height = rootHeight + shape.orientation(joints[.rightShoulder]).y
      carry(&shape, .rightUpperArm, .rightForearm, span: spans.right, from: height, side: .right)
    }
    if stance.carrying == .right { placeFreeArm(&shape, side: 1) }
    if stance.carrying == .left { placeFreeArm(&shape, side: -1) }
  }

  private func carry(
    _ shape: inout BodyShape, _ upper: Bone, _ lower: Bone, span: Double,
    from shoulder: Double, side: PlankStance.Side
  ) {
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

  private func outwardSign(_ shape: BodyShape, side: PlankStance.Side) -> Double {
    if stance.carrying != nil { return 0 }
    let left = shape.orientation(.unitX).x
    return (side == .left ? 1 : -1) * (left >= 0 ? 1 : -1)
  }

  private func forearmOnFloor(_ shape: BodyShape, side: PlankStance.Side) -> Vector3 {
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
    return (
      line * cos(lead) + away * sin(lead), line * cos(bend - lead) - away * sin(bend - lead)
    )
  }

  private func placeFreeArm(_ shape: inout BodyShape, side: Double) {
    let (upper, lower): (Bone, Bone) =
      side > 0 ? (.leftUpperArm, .leftForearm) : (.rightUpperArm, .rightForearm)
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
