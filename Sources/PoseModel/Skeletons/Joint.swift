/// A body joint of any of the supported skeletons; left and right are the person's own.
///
/// Case names are the names used in recordings and in Vision's Swift interface; raw values are
/// positions in `allCases`.
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

  /// How many joints there are over all skeletons.
  @inlinable public static var count: Int { Joint.neck.index + 1 }

  /// The position in `allCases`, 0..<`count`.
  @inlinable public var index: Int { Int(rawValue) }

  /// The joint's name in recordings, for example `leftShoulder`.
  public var name: String { Self.names[index] }

  /// The joint of a name, or nil if there is none; case matters.
  public init?(name: String) {
    guard let joint = Self.byName[name] else { return nil }
    self = joint
  }

  /// The joint that this one becomes when left and right are swapped; itself on the midline.
  public var mirrored: Joint {
    for (side, other) in [("left", "right"), ("right", "left")] where name.hasPrefix(side) {
      return Joint(name: other + name.dropFirst(side.count)) ?? self
    }
    return self
  }

  /// The names by raw value, written out because Embedded Swift does not know them.
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
  /// PoseNet defines no groups; ours for `coco17` follow Vision's 2D groups.
  public func joints(in skeleton: Skeleton) -> [Joint] {
    switch self {
    case .head: skeleton == .vision3d ? [.topHead, .centerHead] : []
    case .face:
      skeleton == .vision3d ? [] : [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
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
