#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(EmbeddedMath)
  import EmbeddedMath
#endif

/// A joint of an observation with its place on the body.
///
/// It has no confidence: Vision gives none for 3D joints, and none is made up here.
public struct RecognizedPoint3D: Hashable, Sendable {
  /// The joint.
  public let joint: Joint
  /// The position relative to the root, in meters, as Vision gives it.
  public let position: Matrix4x4
  /// The parent of the joint; the root's is the root itself.
  public let parentJoint: Joint
  /// The position relative to the parent, in meters: the inverse of the parent's times `position`.
  ///
  /// Vision's positions have no rotation, so this is the difference of the two translations.
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

  /// The direction from the parent, computed accurately; nil for the root.
  public var directionFromParent: BoneDirection? { BoneDirection(localPosition: localVector) }

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

/// The angle of a joint relative to its parent as Apple's sample code computes it.
///
/// It is meant for the Euler angles of a SceneKit node that represents the bone. It is computed in
/// single precision by the arc cosine, which loses half of its digits near 0 and pi, and is NaN if
/// joint and parent coincide, as for the root. `BoneDirection` is the accurate form.
public struct ParentAngles: Hashable, Sendable {
  /// The rotation around x: always pi/2, which turns a node that hangs down along its bone.
  public let pitchRadians: Float
  /// The rotation around y: arccos(z / length), 0...pi.
  public let yawRadians: Float
  /// The rotation around z: atan2(y, x), -pi...pi.
  public let rollRadians: Float

  /// Computes the angles of a position relative to the parent, in meters.
  public init(localPosition: SIMD3<Float>) {
    let length = (localPosition * localPosition).sum().squareRoot()
    pitchRadians = Float.pi / 2
    yawRadians = acosf(localPosition.z / length)
    rollRadians = atan2f(localPosition.y, localPosition.x)
  }
}

/// The position of a joint as seen from its parent.
///
/// Polar and azimuth equal yaw and roll of `ParentAngles` in degrees, but are computed by atan2 in
/// double precision: they are accurate for bones along the axis too, and an angle that does not
/// exist is nil instead of NaN or an arbitrary number.
public struct BoneDirection: Hashable, Sendable {
  /// The length of the bone.
  public let length: Meters
  /// The angle from the z axis, 0...180.
  public let polar: Degrees
  /// The angle around the z axis from x toward y, -180...180; nil if the bone is along z.
  public let azimuth: Degrees?

  /// Bones shorter than this have no direction.
  public static let shortestBone = Meters(0.001)
  /// The sine of the polar angle below which a bone counts as along z: about a hundredth of a
  /// degree.
  private static let alongAxis = 2e-4

  /// Computes the direction of a position relative to the parent, in meters.
  ///
  /// - Returns: nil for a bone shorter than 1 mm and for numbers that are not finite.
  public init?(localPosition: Vector3) {
    let norm = localPosition.norm
    guard norm.isFinite, norm >= Self.shortestBone.value else { return nil }
    let across = (localPosition.x * localPosition.x + localPosition.y * localPosition.y)
      .squareRoot()
    length = Meters(norm)
    polar = Degrees(atan2Degrees(across, localPosition.z))
    azimuth =
      across < Self.alongAxis * norm
      ? nil : Degrees(atan2Degrees(localPosition.y, localPosition.x))
  }
}
