import PoseModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A plank by its contacts: the incline that puts hands or forearms and feet on the floor.
///
/// Shoulders stand above the floor by what the carrying arms reach (0.206 H on forearms, 0.362 H
/// on hands), feet by their contact. Trunk and legs follow from the form's offsets; the incline
/// then follows from both heights, and last the arms from the shoulders down.
struct PlankSolver {
  let body: Body
  let stance: PlankStance
  let placement: PlacementParameters
  let form: FormParameters
  /// What breathing adds to the spine's place, along the front of the body, in meters.
  var breathing = 0.0

  /// The shape, its root's height above the floor in meters.
  func solved() -> (shape: BodyShape, rootHeight: Double) {
    let rolled = stance.rest.rotation * Rotation3.aboutY(placement.roll)
    var directions = JointAngles.neutralDirections
    let up = rolled.inverse(.unitY)
    let chord = bendTrunk(&directions, up: up)
    bendLegs(&directions, up: up, trunkChord: chord)
    var shape = BodyShape(orientation: rolled, directions: directions)
    let joints = shape.joints(of: body)
    let base = Self.headed(rolled, joints)
    let (foot, footHeight) = stance.lowerContact(joints, stature: body.height.value)
    let reach = ArmReach(body: body, stance: stance, placement: placement)
    let incline = Incline.solving(
      span: base(stance.supportShoulder(joints) - foot), rise: reach.shoulderHeight - footHeight)
    shape.orientation = Rotation3.aboutX(-incline) * base
    let rootHeight = footHeight - shape.orientation(foot).y
    reach.placeArms(&shape, joints: joints, rootHeight: rootHeight)
    return (shape, rootHeight)
  }

  /// Turns a lying body about the vertical until the line from ankles to shoulders heads along z,
  /// so that the incline leaves what is level across that line level.
  private static func headed(_ rolled: Rotation3, _ joints: JointPositions) -> Rotation3 {
    let line = rolled(joints[.centerShoulder] - joints.middle(.leftAnkle, .rightAnkle))
    return Rotation3.aboutY(Degrees(radians: -atan2(line.x, line.z))) * rolled
  }

  /// Bends the trunk by the lumbar offset and the breath, moves the shoulders; gives the length
  /// of the straight line from hips to shoulders.
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

  /// Turns the legs by the hip's bend and splits them at the knee.
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
