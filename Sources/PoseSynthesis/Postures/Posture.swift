package import PoseModel

package enum Posture: String, CaseIterable, Hashable, Sendable {
  // Planks.
  case forearm, high, sideLeftElbow, sideLeftHand, sideRightElbow, sideRightHand, reverse
  // Upright.
  case standing, armsForward, oneArmUp, sideBend, walking, tallKneel, chairSit, longSit, squat
  // On hands and knees or feet.
  case allFours, crawl, downwardDog, childsPose, cobra, pushUpBottom, kneePlank
  // Lying.
  case lyingProne, lyingProneArmsOverhead, lyingProneHandsByShoulders
  case lyingSupine, lyingSupineArmsOverhead, lyingSideLeft, lyingSideRight, crunch, gluteBridge
  // Exercises that pass through planks or look like them.
  case kneeForearmPlank, mountainClimber, pushUps, bearCrawl, lowCrawl, birdDog
  // Between planks: on the elbows with the hips down, face down, seated on one hip, kneeling.
  case sphinx, lyingProneArmsFolded, lyingProneArmsBesideHead, superman
  case sittingSideLeft, sittingSideRight, heelSit, halfKneel

  /// The class of the posture; everything that is not a plank is `none`.
  ///
  /// Push-ups, mountain climbers, downward dog and planks on the knees are `none` too: none of them
  /// is the exercise that is held. They are tagged as hard negatives, so that a reader who counts
  /// them as planks of bad form can separate them.
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

  /// Not a plank but may be confused with one: everything except standing and walking, which people
  /// do between exercises.
  package var isHardNegative: Bool {
    !isPlank && self != .standing && self != .walking
  }

  var isUpright: Bool {
    switch self {
    case .standing, .armsForward, .oneArmUp, .sideBend, .walking, .tallKneel, .chairSit, .squat,
      .heelSit, .halfKneel:
      true
    default: false
    }
  }

  /// Whether the body lies, or hangs head down: such poses were rare in the training of pose
  /// estimators.
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

  /// From the pelvis frame to the world, with the head along +z unless upright.
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
  /// Distance of the hips from the line from shoulders to ankles, in the vertical plane; negative
  /// is sag.
  ///
  /// In a side plank this is the dropped or raised hip.
  package var hipOffset = Meters(0)
  /// Distance of the spine's middle from the line from shoulders to hips; negative is toward the
  /// floor.
  package var lumbarOffset = Meters(0)
  /// Hips pushed back in a side plank: across the vertical plane, without a hip drop.
  package var flexionOffset = Meters(0)
  /// Shoulders relative to the spine: positive pushes the trunk away from the floor.
  package var shoulderOffset = Meters(0)
  /// Bend of both knees; hips keep their offset.
  package var kneeFlexion = Degrees(2)

  package init() {}

  package static let section = "form"

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "hip_offset_m", "m", -0.20...0.25, \.hipOffset.value,
      "offset of the hips from the line from shoulders to ankles; negative is sag"),
    ScriptField(
      "lumbar_offset_m", "m", -0.08...0.08, \.lumbarOffset.value,
      "offset of the mid-spine from the line from shoulders to hips; negative is sag"),
    ScriptField(
      "flexion_offset_m", "m", 0...0.20, \.flexionOffset.value,
      "hips pushed back in a side plank, across the vertical plane"),
    ScriptField(
      "shoulder_offset_m", "m", -0.04...0.05, \.shoulderOffset.value,
      "shoulders in front of (positive) or behind the spine"),
    ScriptField("knee_flexion_deg", "deg", 0...40, \.kneeFlexion.value, "bend of both knees"),
  ]

  func blended(to other: FormParameters, share: Double) -> FormParameters {
    var result = self
    for field in Self.fields {
      let (a, b) = (self[keyPath: field.path], other[keyPath: field.path])
      result[keyPath: field.path] = a + (b - a) * share
    }
    return result
  }
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
  /// Lean of the supporting arms toward the feet; 0 is vertical.
  package var supportTilt = Degrees(0)
  package var elbowFlexion = Degrees(4)
  package var forearmTurn = Degrees(15)
  /// Turn of a side plank about the body's length; positive turns the chest toward the floor when
  /// the left side is up.
  package var roll = Degrees(0)
  package var trunkLean = Degrees(25)
  package var cycleRate = Hertz(1)
  /// Standard deviation of every joint angle of postures that are not planks, drawn once per hold.
  package var angleSpread = Degrees(4)

  package init() {}

  package static let section = "placement"

  package static let words: [ScriptWord<Self>] = [
    ScriptWord("free_arm", \.freeArm, "position of the free arm in a side plank"),
    ScriptWord("activity", \.activity, "what the limbs do in a plank that is otherwise held still"),
    ScriptWord("feet", \.feet, "position of the feet in a side plank"),
  ]

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "support_tilt_deg", "deg", -40...25, \.supportTilt.value,
      "lean of the supporting arms toward the feet; negative if they reach forward"),
    ScriptField(
      "elbow_flexion_deg", "deg", 0...20, \.elbowFlexion.value, "bend of straight supporting arms"),
    ScriptField(
      "forearm_turn_deg", "deg", -10...45, \.forearmTurn.value,
      "inward turn of forearms on the floor"),
    ScriptField(
      "roll_deg", "deg", -15...15, \.roll.value,
      "turn of a side plank about the body's long axis"),
    ScriptField(
      "trunk_lean_deg", "deg", 15...40, \.trunkLean.value, "sideways lean of a side bend"),
    ScriptField(
      "cycle_rate_hz", "Hz", 0.1...2, \.cycleRate.value,
      "strides, crawling steps or other repetitions per second"),
    ScriptField(
      "angle_spread_deg", "deg", 0...10, \.angleSpread.value,
      "standard deviation of each joint angle in negatives, drawn once per hold"),
  ]

  func blended(to other: PlacementParameters, share: Double) -> PlacementParameters {
    var result = share < 0.5 ? self : other
    for field in Self.fields {
      let (a, b) = (self[keyPath: field.path], other[keyPath: field.path])
      result[keyPath: field.path] = a + (b - a) * share
    }
    return result
  }
}

/// The pelvis frame is x to the left, y cranial, z anterior; directions are given in that frame, so
/// that a shape fits bodies with any bone lengths.
struct BodyShape {
  /// From the pelvis frame to the world (y up, the body's heading along +z).
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
  /// Positions in meters by `Joint.index`; the first 17 joints are the 3D skeleton's.
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
