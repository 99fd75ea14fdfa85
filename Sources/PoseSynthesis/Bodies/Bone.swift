import PoseModel

/// A bone of the 3D skeleton; parents come before their children.
enum Bone: Int, CaseIterable {
  case lumbar, thoracic, neck, head
  case leftHip, rightHip, leftShoulder, rightShoulder
  case leftThigh, rightThigh, leftShank, rightShank
  case leftUpperArm, rightUpperArm, leftForearm, rightForearm

  static let count = allCases.count

  /// The joint at the bone's near end.
  var parent: Joint { Self.joints[rawValue].parent }

  /// The joint at its far end.
  var child: Joint { Self.joints[rawValue].child }

  private static let joints: [(parent: Joint, child: Joint)] = [
    (.root, .spine), (.spine, .centerShoulder), (.centerShoulder, .centerHead),
    (.centerHead, .topHead), (.root, .leftHip), (.root, .rightHip),
    (.centerShoulder, .leftShoulder), (.centerShoulder, .rightShoulder),
    (.leftHip, .leftKnee), (.rightHip, .rightKnee), (.leftKnee, .leftAnkle),
    (.rightKnee, .rightAnkle), (.leftShoulder, .leftElbow), (.rightShoulder, .rightElbow),
    (.leftElbow, .leftWrist), (.rightElbow, .rightWrist),
  ]

  /// The joints at both ends as positions in a skeleton of 17, by bone.
  static let ends: [(parent: Int, child: Int)] = joints.map { ($0.parent.index, $0.child.index) }
}
