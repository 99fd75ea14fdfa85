#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(EmbeddedMath)
  import EmbeddedMath
#endif

/// A vector of three `Double`s; 3D positions of joints are in meters.
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

  /// The opposite vector.
  @inlinable public static prefix func - (a: Vector3) -> Vector3 { Vector3(-a.x, -a.y, -a.z) }

  /// The vector multiplied by a number.
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
    Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// The Euclidean length.
  @inlinable public var norm: Double { dot(self).squareRoot() }

  /// Whether all three components are finite.
  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

  /// The point halfway between two points.
  @inlinable public func midpoint(_ other: Vector3) -> Vector3 { (self + other) * 0.5 }

  /// Returns the angle between two vectors in degrees, 0...180, using atan2 of the cross and dot
  /// products.
  ///
  /// The angle is accurate near 0 and 180 degrees, where the arc cosine loses half of its digits.
  /// If either vector has length zero, the angle is 0; callers must handle that case themselves.
  public func angleDegrees(to other: Vector3) -> Double {
    atan2Degrees(cross(other).norm, dot(other))
  }
}

/// Returns the angle of the point (x, y) from the positive x axis in degrees, -180...180.
public func atan2Degrees(_ y: Double, _ x: Double) -> Double { atan2(y, x) * (180 / Double.pi) }

/// A 3 x 3 matrix stored by columns; a camera matrix uses it for its rotation.
public struct Rotation3: Hashable, Sendable {
  /// The images of the x, y and z axes.
  public var columns: (Vector3, Vector3, Vector3)

  /// Makes a matrix from its columns.
  @inlinable public init(_ first: Vector3, _ second: Vector3, _ third: Vector3) {
    columns = (first, second, third)
  }

  /// The identity matrix.
  public static let identity = Rotation3(Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))

  /// The image of a vector.
  @inlinable public func callAsFunction(_ v: Vector3) -> Vector3 {
    columns.0 * v.x + columns.1 * v.y + columns.2 * v.z
  }

  /// Returns the matrix that applies `other` first and then this matrix.
  public func composed(after other: Rotation3) -> Rotation3 {
    Rotation3(self(other.columns.0), self(other.columns.1), self(other.columns.2))
  }

  /// The matrix with rows and columns exchanged, the inverse of a rotation.
  package var transposed: Rotation3 {
    let (a, b, c) = columns
    return Rotation3(Vector3(a.x, b.x, c.x), Vector3(a.y, b.y, c.y), Vector3(a.z, b.z, c.z))
  }

  /// The same rotation seen in a mirror that flips x: F M F with F = diag(-1, 1, 1).
  ///
  /// The mirror image of a rotation is a rotation. Mirroring twice gives the original matrix.
  public var mirrored: Rotation3 {
    let (a, b, c) = columns
    return Rotation3(Vector3(a.x, -a.y, -a.z), Vector3(-b.x, b.y, b.z), Vector3(-c.x, c.y, c.z))
  }

  /// The largest absolute entry of MᵀM - I, which is zero for a rotation or a reflection.
  public var orthonormalityError: Double {
    let (a, b, c) = columns
    let entries = [a.dot(a) - 1, b.dot(b) - 1, c.dot(c) - 1, a.dot(b), b.dot(c), c.dot(a)]
    return entries.reduce(0) { Swift.max($0, $1.magnitude) }
  }

  /// The determinant: 1 for a rotation, -1 for a reflection.
  public var determinant: Double { columns.0.dot(columns.1.cross(columns.2)) }

  /// Whether two matrices have equal entries.
  public static func == (left: Rotation3, right: Rotation3) -> Bool {
    left.columns == right.columns
  }

  /// Feeds the nine entries into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(columns.0)
    hasher.combine(columns.1)
    hasher.combine(columns.2)
  }
}

/// The conversion of image points to image heights, with x to the right and y up.
///
/// Normalized coordinates divide x by the width and y by the height, so angles between them are
/// wrong in an image that is not square. Pixels have one scale, but their y points down.
public struct ImageScale: Hashable, Sendable {
  /// The number of image heights per recorded unit of x, which points right.
  public let right: Double
  /// The number of image heights per recorded unit of y; negative if the recorded y points down.
  public let up: Double

  /// Makes the scale for a 2D skeleton's points in an image of a given size in pixels.
  ///
  /// - Returns: nil for a 3D skeleton, and for a size that is not positive.
  public init?(_ skeleton: Skeleton, widthPixels: Int, heightPixels: Int) {
    guard skeleton.dimension == 2, widthPixels > 0, heightPixels > 0 else { return nil }
    if skeleton == .coco17 {
      right = 1 / Double(heightPixels)
      up = -right
    } else {
      right = Double(widthPixels) / Double(heightPixels)
      up = 1
    }
  }

  /// Converts a recorded point to image heights; the origin stays where it is.
  @inlinable public func callAsFunction(_ point: Vector3) -> Vector3 {
    Vector3(point.x * right, point.y * up, 0)
  }
}

extension RecordingHeader {
  /// The scale of the recording's image points; nil in 3D, or if the image's size is unknown.
  public var imageScale: ImageScale? {
    guard let imageWidth, let imageHeight else { return nil }
    return ImageScale(skeleton, widthPixels: imageWidth, heightPixels: imageHeight)
  }
}
