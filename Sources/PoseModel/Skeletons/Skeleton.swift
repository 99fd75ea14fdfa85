/// The joints of one pose detector, with parents and groups.
public enum Skeleton: String, CaseIterable, Hashable, Sendable {
  /// Apple Vision's 3D body pose: 17 joints in meters, no confidence.
  case vision3d
  /// Apple Vision's 2D body pose: 19 joints, normalized, origin at the lower left.
  case vision2d
  /// PoseNet's 17 key points in pixels, origin at the top left.
  case coco17

  /// The number of coordinates per joint: 3 or 2.
  public var dimension: Int { self == .vision3d ? 3 : 2 }

  /// The axes that a recording of the skeleton may have.
  public var framesOfReference: [FrameOfReference] {
    dimension == 3 ? [.camera, .world, .pelvis] : [.image, .camera]
  }

  /// The joints in the detector's order: that of Vision's header file, or COCO's for PoseNet.
  public var joints: [Joint] {
    switch self {
    case .vision3d: Self.vision3dJoints
    case .vision2d: Self.vision2dJoints
    case .coco17: Self.coco17Joints
    }
  }

  /// The parent of a joint.
  ///
  /// - Returns: nil for the root of the tree and for joints that the skeleton does not have.
  public func parent(of joint: Joint) -> Joint? {
    switch self {
    case .vision3d: Self.vision3dParents[joint]
    case .vision2d: Self.vision2dParents[joint]
    case .coco17: Self.coco17Parents[joint]
    }
  }

  /// The pairs of each joint and its parent, in the order of `joints`.
  public var bones: [(parent: Joint, child: Joint)] {
    joints.compactMap { child in parent(of: child).map { (parent: $0, child: child) } }
  }

  private static let vision3dJoints: [Joint] = [
    .root, .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .spine,
    .centerShoulder, .centerHead, .topHead, .leftShoulder, .leftElbow, .leftWrist,
    .rightShoulder, .rightElbow, .rightWrist,
  ]

  private static let vision2dJoints: [Joint] = [
    .nose, .leftEye, .rightEye, .leftEar, .rightEar, .neck, .leftShoulder, .rightShoulder,
    .leftElbow, .rightElbow, .leftWrist, .rightWrist, .root, .leftHip, .rightHip, .leftKnee,
    .rightKnee, .leftAnkle, .rightAnkle,
  ]

  private static let coco17Joints: [Joint] = [
    .nose, .leftEye, .rightEye, .leftEar, .rightEar, .leftShoulder, .rightShoulder, .leftElbow,
    .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip, .leftKnee, .rightKnee,
    .leftAnkle, .rightAnkle,
  ]

  private static let limbs: KeyValuePairs<Joint, Joint> = [
    .leftElbow: .leftShoulder, .leftWrist: .leftElbow, .rightElbow: .rightShoulder,
    .rightWrist: .rightElbow, .leftKnee: .leftHip, .leftAnkle: .leftKnee, .rightKnee: .rightHip,
    .rightAnkle: .rightKnee,
  ]

  private static let face: KeyValuePairs<Joint, Joint> = [
    .leftEye: .nose, .rightEye: .nose, .leftEar: .leftEye, .rightEar: .rightEye,
  ]

  /// The tree of Human3.6M, whose joints have the same order.
  ///
  /// Its parents are -,0,1,2,0,4,5,0,7,8,9,8,11,12,8,14,15.
  private static let vision3dParents = parents(
    limbs,
    [
      .rightHip: .root, .leftHip: .root, .spine: .root, .centerShoulder: .spine,
      .centerHead: .centerShoulder, .topHead: .centerHead,
      .leftShoulder: .centerShoulder, .rightShoulder: .centerShoulder,
    ])

  private static let vision2dParents = parents(
    limbs, face,
    [
      .nose: .neck, .leftShoulder: .neck, .rightShoulder: .neck, .neck: .root,
      .leftHip: .root, .rightHip: .root,
    ])

  private static let coco17Parents = parents(
    limbs, face,
    [
      .leftShoulder: .nose, .rightShoulder: .nose,
      .leftHip: .leftShoulder, .rightHip: .rightShoulder,
    ])

  private static func parents(_ parts: KeyValuePairs<Joint, Joint>...) -> [Joint: Joint] {
    var result: [Joint: Joint] = [:]
    for (joint, parent) in parts.joined() { result[joint] = parent }
    return result
  }
}

extension Skeleton {
  /// Vision's raw key of a joint, for example `human_left_elbow_3D`.
  ///
  /// - Returns: nil for joints that the skeleton does not have, and for `coco17`.
  public func visionKey(of joint: Joint) -> String? {
    switch self {
    case .vision3d: Self.visionKeys3D[joint]
    case .vision2d: Self.visionKeys2D[joint]
    case .coco17: nil
    }
  }

  /// Returns the joint for one of Vision's raw keys; nil for an unknown key.
  public func joint(visionKey: String) -> Joint? {
    joints.first { self.visionKey(of: $0) == visionKey }
  }

  private static let visionKeys3D: [Joint: String] = [
    .root: "human_root_3D", .rightHip: "human_right_hip_3D", .rightKnee: "human_right_knee_3D",
    .rightAnkle: "human_right_ankle_3D", .leftHip: "human_left_hip_3D",
    .leftKnee: "human_left_knee_3D", .leftAnkle: "human_left_ankle_3D", .spine: "human_spine_3D",
    .centerShoulder: "human_center_shoulder_3D", .centerHead: "human_center_head_3D",
    .topHead: "human_top_head_3D", .leftShoulder: "human_left_shoulder_3D",
    .leftElbow: "human_left_elbow_3D", .leftWrist: "human_left_wrist_3D",
    .rightShoulder: "human_right_shoulder_3D", .rightElbow: "human_right_elbow_3D",
    .rightWrist: "human_right_wrist_3D",
  ]

  private static let visionKeys2D: [Joint: String] = [
    .nose: "head_joint", .leftEye: "left_eye_joint", .rightEye: "right_eye_joint",
    .leftEar: "left_ear_joint", .rightEar: "right_ear_joint", .neck: "neck_1_joint",
    .leftShoulder: "left_shoulder_1_joint", .rightShoulder: "right_shoulder_1_joint",
    .leftElbow: "left_forearm_joint", .rightElbow: "right_forearm_joint",
    .leftWrist: "left_hand_joint", .rightWrist: "right_hand_joint", .root: "root",
    .leftHip: "left_upLeg_joint", .rightHip: "right_upLeg_joint", .leftKnee: "left_leg_joint",
    .rightKnee: "right_leg_joint", .leftAnkle: "left_foot_joint", .rightAnkle: "right_foot_joint",
  ]
}

/// A body joint of any supported skeleton; left and right are the person's own.
///
/// Case names are the names in recordings and in Vision's Swift interface; raw values are indices
/// into `allCases`.
public enum Joint: UInt8, CaseIterable, Hashable, Sendable {
  /// Between the hips.
  case root
  /// The right hip.
  case rightHip
  /// The right knee.
  case rightKnee
  /// The right ankle.
  case rightAnkle
  /// The left hip.
  case leftHip
  /// The left knee.
  case leftKnee
  /// The left ankle.
  case leftAnkle
  /// The middle of the spine.
  case spine
  /// Between the shoulders.
  case centerShoulder
  /// The center of the head.
  case centerHead
  /// The top of the head.
  case topHead
  /// The left shoulder.
  case leftShoulder
  /// The left elbow.
  case leftElbow
  /// The left wrist.
  case leftWrist
  /// The right shoulder.
  case rightShoulder
  /// The right elbow.
  case rightElbow
  /// The right wrist.
  case rightWrist
  /// The nose (2D).
  case nose
  /// The left eye (2D).
  case leftEye
  /// The right eye (2D).
  case rightEye
  /// The left ear (2D).
  case leftEar
  /// The right ear (2D).
  case rightEar
  /// The neck (2D).
  case neck

  /// The number of different joints across all skeletons.
  @inlinable public static var count: Int { Joint.neck.index + 1 }

  /// The position in `allCases`, 0..<`count`.
  @inlinable public var index: Int { Int(rawValue) }

  /// The joint's name in recordings, for example `leftShoulder`.
  public var name: String { Self.names[index] }

  /// The joint with this name, or nil if there is none; case matters.
  public init?(name: String) {
    guard let joint = Self.byName[name] else { return nil }
    self = joint
  }

  /// The joint with left and right swapped; joints on the midline stay the same.
  public var mirrored: Joint {
    for (side, other) in [("left", "right"), ("right", "left")] where name.hasPrefix(side) {
      return Joint(name: other + name.dropFirst(side.count)) ?? self
    }
    return self
  }

  /// Names by raw value, written out because Embedded Swift has no case names at run time.
  private static let names = [
    "root", "rightHip", "rightKnee", "rightAnkle", "leftHip", "leftKnee", "leftAnkle", "spine",
    "centerShoulder", "centerHead", "topHead", "leftShoulder", "leftElbow", "leftWrist",
    "rightShoulder", "rightElbow", "rightWrist", "nose", "leftEye", "rightEye", "leftEar",
    "rightEar", "neck",
  ]
  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}

/// A group of joints, as in Vision; a joint may be in several groups.
public enum JointGroup: String, CaseIterable, Hashable, Sendable {
  /// Top and center of the head (3D only).
  case head
  /// Nose, eyes and ears (2D only).
  case face
  /// Shoulders, hips and the joints between them.
  case torso
  /// Left shoulder, elbow and wrist.
  case leftArm
  /// Right shoulder, elbow and wrist.
  case rightArm
  /// Left hip, knee and ankle.
  case leftLeg
  /// Right hip, knee and ankle.
  case rightLeg
  /// Every joint.
  case all

  /// The joints of the group in a skeleton; empty if the skeleton has no such group.
  ///
  /// PoseNet defines no groups, so those of `coco17` follow Vision's 2D groups.
  public func joints(in skeleton: Skeleton) -> [Joint] {
    switch self {
    case .head: skeleton == .vision3d ? [.topHead, .centerHead] : []
    case .face: skeleton == .vision3d ? [] : [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
    case .torso: torso(of: skeleton)
    case .leftArm: [.leftShoulder, .leftElbow, .leftWrist]
    case .rightArm: [.rightShoulder, .rightElbow, .rightWrist]
    case .leftLeg: [.leftHip, .leftKnee, .leftAnkle]
    case .rightLeg: [.rightHip, .rightKnee, .rightAnkle]
    case .all: skeleton.joints
    }
  }

  /// Vision's own key for the group, or nil if Vision has none.
  public func visionKey(in skeleton: Skeleton) -> String? {
    switch skeleton {
    case .vision3d: Self.keys3D[self]
    case .vision2d: Self.keys2D[self]
    case .coco17: nil
    }
  }

  private func torso(of skeleton: Skeleton) -> [Joint] {
    switch skeleton {
    case .vision3d:
      [.leftShoulder, .rightShoulder, .centerShoulder, .spine, .leftHip, .root, .rightHip]
    case .vision2d: [.leftShoulder, .rightShoulder, .neck, .leftHip, .root, .rightHip]
    case .coco17: [.leftShoulder, .rightShoulder, .leftHip, .rightHip]
    }
  }

  private static let keys3D: [JointGroup: String] = [
    .head: "human_joint_group_head_3D", .torso: "human_joint_group_torso_3D",
    .leftArm: "human_joint_group_left_arm_3D", .rightArm: "human_joint_group_right_arm_3D",
    .leftLeg: "human_joint_group_left_leg_3D", .rightLeg: "human_joint_group_right_leg_3D",
    .all: "VNIPOAll",
  ]

  private static let keys2D: [JointGroup: String] = [
    .face: "VNBLKFACE", .torso: "VNBLKTORSO", .leftArm: "VNBLKLARM", .rightArm: "VNBLKRARM",
    .leftLeg: "VNBLKLLEG", .rightLeg: "VNBLKRLEG", .all: "VNIPOAll",
  ]
}
