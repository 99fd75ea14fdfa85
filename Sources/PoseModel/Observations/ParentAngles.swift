#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The angle of a joint to its parent as Apple's sample code computes it.
///
/// Made for the Euler angles of a SceneKit node that stands for the bone. In single precision, by
/// the arc cosine, which loses half of its digits near 0 and pi; NaN where joint and parent
/// coincide, as for the root. `BoneDirection` says the same soundly.
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
    yawRadians = acos(localPosition.z / length)
    rollRadians = atan2(localPosition.y, localPosition.x)
  }
}

/// Where a joint lies as seen from its parent.
///
/// Polar and azimuth equal yaw and roll of `ParentAngles` in degrees, but come from atan2 in
/// double precision: they are accurate for bones along the axis too, and an angle that does not
/// exist is nil instead of NaN or an arbitrary number.
public struct BoneDirection: Hashable, Sendable {
  /// The length of the bone.
  public let length: Meters
  /// The angle from the z axis, 0...180.
  public let polar: Degrees
  /// The angle around the z axis from x toward y, -180...180; nil where the bone lies along z.
  public let azimuth: Degrees?

  /// Bones shorter than this have no direction.
  public static let shortestBone = Meters(0.001)
  /// The sine of the polar angle below which a bone lies along z: a hundredth of a degree or so.
  private static let alongAxis = 2e-4

  /// Computes the direction of a position relative to the parent, in meters.
  ///
  /// - Returns: nil for a bone under 1 mm and for numbers that are not finite.
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
