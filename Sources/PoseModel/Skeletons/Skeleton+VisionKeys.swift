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

  /// The joint of one of Vision's raw keys, or nil for an unknown key.
  public func joint(visionKey: String) -> Joint? {
    joints.first { self.visionKey(of: $0) == visionKey }
  }

  private static let visionKeys3D: [Joint: String] = [
    .root: "human_root_3D",
    .rightHip: "human_right_hip_3D", .rightKnee: "human_right_knee_3D",
    .rightAnkle: "human_right_ankle_3D",
    .leftHip: "human_left_hip_3D", .leftKnee: "human_left_knee_3D",
    .leftAnkle: "human_left_ankle_3D",
    .spine: "human_spine_3D", .centerShoulder: "human_center_shoulder_3D",
    .centerHead: "human_center_head_3D", .topHead: "human_top_head_3D",
    .leftShoulder: "human_left_shoulder_3D", .leftElbow: "human_left_elbow_3D",
    .leftWrist: "human_left_wrist_3D",
    .rightShoulder: "human_right_shoulder_3D", .rightElbow: "human_right_elbow_3D",
    .rightWrist: "human_right_wrist_3D",
  ]

  private static let visionKeys2D: [Joint: String] = [
    .nose: "head_joint", .leftEye: "left_eye_joint", .rightEye: "right_eye_joint",
    .leftEar: "left_ear_joint", .rightEar: "right_ear_joint", .neck: "neck_1_joint",
    .leftShoulder: "left_shoulder_1_joint", .rightShoulder: "right_shoulder_1_joint",
    .leftElbow: "left_forearm_joint", .rightElbow: "right_forearm_joint",
    .leftWrist: "left_hand_joint", .rightWrist: "right_hand_joint", .root: "root",
    .leftHip: "left_upLeg_joint", .rightHip: "right_upLeg_joint",
    .leftKnee: "left_leg_joint", .rightKnee: "right_leg_joint",
    .leftAnkle: "left_foot_joint", .rightAnkle: "right_foot_joint",
  ]
}
