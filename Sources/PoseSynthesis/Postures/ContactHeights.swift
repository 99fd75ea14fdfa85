import PoseModel

/// How high a joint's center stays above the floor, as fractions of stature.
///
/// Elbow, wrist and feet give the shoulder heights 0.206 (forearms) and 0.362 (straight arms) of
/// the plank geometry with Winter's segments. The others are half the depth of the soft tissue
/// around the joint (ours: buttock and chest about 0.12 to 0.13 of stature deep, thigh above the
/// knee 0.10, shoulder from the side 0.09).
enum ContactHeights {
  static let elbow = 0.02
  static let wrist = 0.03
  static let knee = 0.05
  static let tuckedToes = 0.075
  static let heel = 0.045
  static let flatFoot = 0.039
  static let footEdge = 0.03

  /// The lowest a joint can be when the body is put down on the floor.
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
