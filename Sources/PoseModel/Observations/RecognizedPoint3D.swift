/// A joint of an observation with its place on the body.
///
/// It has no confidence: Vision gives none for joints in 3D, and none is made up here.
public struct RecognizedPoint3D: Hashable, Sendable {
  /// Which joint it is.
  public let joint: Joint
  /// The position relative to the root, in meters, as Vision gives it.
  public let position: Matrix4x4
  /// The joint that this one hangs from; the root's is the root itself.
  public let parentJoint: Joint
  /// The position relative to the parent, in meters: the inverse of the parent's times `position`.
  ///
  /// Vision's positions do not turn, so that this is the difference of the two translations.
  public let localPosition: Matrix4x4

  /// Vision's own key of the joint, for example `human_left_elbow_3D`.
  public var identifier: String { Skeleton.vision3d.visionKey(of: joint) ?? joint.name }

  /// The translation of `position`.
  public var vector: Vector3 { position.translation }

  /// The translation of `localPosition`.
  public var localVector: Vector3 { localPosition.translation }

  /// The angle to the parent as Apple's sample code computes it.
  public var angleToParent: ParentAngles {
    let column = localPosition.columns.3
    return ParentAngles(localPosition: SIMD3(column.x, column.y, column.z))
  }

  /// The direction from the parent, computed soundly; nil for the root.
  public var directionFromParent: BoneDirection? { BoneDirection(localPosition: localVector) }

  /// Makes the point of a joint whose parent has a position too.
  init(joint: Joint, position: Matrix4x4, parentJoint: Joint, parentPosition: Matrix4x4) {
    self.joint = joint
    self.position = position
    self.parentJoint = parentJoint
    localPosition = Self.inverse(parentPosition) * position
  }

  private static func inverse(_ matrix: Matrix4x4) -> Matrix4x4 {
    CameraMatrix(matrix).rigidInverse.matrix
  }
}
