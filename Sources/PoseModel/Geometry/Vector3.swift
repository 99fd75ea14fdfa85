#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A vector of three `Double`s, in the unit of its context (joints: meters).
public struct Vector3: Hashable, Sendable {
  /// The first component.
  public var x: Double
  /// The second component.
  public var y: Double
  /// The third component.
  public var z: Double

  /// Makes a vector from its components.
  @inlinable public init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The unit vector along x.
  public static let unitX = Vector3(1, 0, 0)
  /// The unit vector along y.
  public static let unitY = Vector3(0, 1, 0)

  /// The sum of two vectors.
  @inlinable public static func + (a: Vector3, b: Vector3) -> Vector3 {
    Vector3(a.x + b.x, a.y + b.y, a.z + b.z)
  }

  /// The difference of two vectors.
  @inlinable public static func - (a: Vector3, b: Vector3) -> Vector3 {
    Vector3(a.x - b.x, a.y - b.y, a.z - b.z)
  }

  /// The vector that points the other way.
  @inlinable public static prefix func - (a: Vector3) -> Vector3 { Vector3(-a.x, -a.y, -a.z) }

  /// The vector stretched by a factor.
  @inlinable public static func * (a: Vector3, factor: Double) -> Vector3 {
    Vector3(a.x * factor, a.y * factor, a.z * factor)
  }

  /// The vector divided by a number.
  @inlinable public static func / (a: Vector3, divisor: Double) -> Vector3 {
    Vector3(a.x / divisor, a.y / divisor, a.z / divisor)
  }

  /// The dot product.
  @inlinable public func dot(_ other: Vector3) -> Double {
    x * other.x + y * other.y + z * other.z
  }

  /// The cross product, right-handed.
  @inlinable public func cross(_ other: Vector3) -> Vector3 {
    Vector3(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// The Euclidean length.
  @inlinable public var norm: Double { dot(self).squareRoot() }

  /// Whether all three components are finite.
  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

  /// The point halfway between two points.
  @inlinable public func midpoint(_ other: Vector3) -> Vector3 { (self + other) * 0.5 }

  /// The angle between two vectors in degrees, 0...180, by atan2 of cross and dot.
  ///
  /// Accurate near 0 and 180 degrees, where the arc cosine loses half of its digits.
  /// Two vectors of length zero give 0; callers decide beforehand what such an angle means.
  public func angleDegrees(to other: Vector3) -> Double {
    atan2Degrees(cross(other).norm, dot(other))
  }
}

/// The angle of the point (x, y) from the positive x axis in degrees, -180...180.
public func atan2Degrees(_ y: Double, _ x: Double) -> Double { atan2(y, x) * (180 / Double.pi) }
