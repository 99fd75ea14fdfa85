/// A named set of joints with parents and groups, as one pose detector puts it out.
public enum Skeleton: String, CaseIterable, Hashable, Sendable {
  /// Apple Vision's 3D body pose: 17 joints in meters, no confidence.
  case vision3d
  /// Apple Vision's 2D body pose: 19 joints, normalized, origin at the lower left.
  case vision2d
  /// PoseNet's 17 key points in pixels, origin at the top left.
  case coco17

  /// Numbers a joint has: 3 or 2.
  public var dimension: Int { self == .vision3d ? 3 : 2 }

  /// The axes in which positions of the skeleton may be written.
  public var framesOfReference: [FrameOfReference] {
    dimension == 3 ? [.camera, .world, .pelvis] : [.image, .camera]
  }

  /// The joints in the detector's own order: the SDK header's for Vision, COCO's for PoseNet.
  public var joints: [Joint] {
    switch self {
    case .vision3d: Self.vision3dJoints
    case .vision2d: Self.vision2dJoints
    case .coco17: Self.coco17Joints
    }
  }

  /// The joint that a joint hangs from.
  ///
  /// - Returns: nil for the root of the tree and for joints that the skeleton does not have.
  public func parent(of joint: Joint) -> Joint? {
    switch self {
    case .vision3d: Self.vision3dParents[joint]
    case .vision2d: Self.vision2dParents[joint]
    case .coco17: Self.coco17Parents[joint]
    }
  }

  /// The bones: every joint that has a parent, with that parent, in the order of `joints`.
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

  private static let limbParents: [Joint: Joint] = [
    .leftElbow: .leftShoulder, .leftWrist: .leftElbow,
    .rightElbow: .rightShoulder, .rightWrist: .rightElbow,
    .leftKnee: .leftHip, .leftAnkle: .leftKnee,
    .rightKnee: .rightHip, .rightAnkle: .rightKnee,
  ]

  private static let faceParents: [Joint: Joint] = [
    .leftEye: .nose, .rightEye: .nose, .leftEar: .leftEye, .rightEar: .rightEye,
  ]

  /// The Human3.6M tree, which has the same order: parents -,0,1,2,0,4,5,0,7,8,9,8,11,12,8,14,15.
  private static let vision3dParents = limbParents.merging([
    .rightHip: .root, .leftHip: .root, .spine: .root, .centerShoulder: .spine,
    .centerHead: .centerShoulder, .topHead: .centerHead,
    .leftShoulder: .centerShoulder, .rightShoulder: .centerShoulder,
  ]) { _, new in new }

  private static let vision2dParents = limbParents.merging(faceParents) { _, new in new }
    .merging([
      .nose: .neck, .leftShoulder: .neck, .rightShoulder: .neck, .neck: .root,
      .leftHip: .root, .rightHip: .root,
    ]) { _, new in new }

  /// PoseNet's tree, rooted at the nose.
  private static let coco17Parents = limbParents.merging(faceParents) { _, new in new }
    .merging([
      .leftShoulder: .nose, .rightShoulder: .nose,
      .leftHip: .leftShoulder, .rightHip: .rightShoulder,
    ]) { _, new in new }
}
