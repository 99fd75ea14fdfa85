/// A 3 x 3 matrix kept by columns, used as the rotation from a body's frame to the camera's.
public struct Rotation3: Hashable, Sendable {
  /// The images of the x, y and z axes.
  public var columns: (Vector3, Vector3, Vector3)

  /// Makes a matrix from its columns.
  @inlinable public init(_ first: Vector3, _ second: Vector3, _ third: Vector3) {
    columns = (first, second, third)
  }

  /// The matrix that changes nothing.
  public static let identity = Rotation3(Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))

  /// The image of a vector.
  @inlinable public func callAsFunction(_ v: Vector3) -> Vector3 {
    columns.0 * v.x + columns.1 * v.y + columns.2 * v.z
  }

  /// The matrix that applies `other` first and this one second.
  public func composed(after other: Rotation3) -> Rotation3 {
    Rotation3(self(other.columns.0), self(other.columns.1), self(other.columns.2))
  }

  /// The same rotation as seen in a mirror that flips x: F M F with F = diag(-1, 1, 1).
  ///
  /// Proper rotations stay proper. Applying it twice changes nothing.
  public var mirrored: Rotation3 {
    let (a, b, c) = columns
    return Rotation3(
      Vector3(a.x, -a.y, -a.z), Vector3(-b.x, b.y, b.z), Vector3(-c.x, c.y, c.z))
  }

  /// The largest absolute entry of MᵀM - 1: zero for a rotation or a reflection.
  public var orthonormalityError: Double {
    let (a, b, c) = columns
    let entries = [
      a.dot(a) - 1, b.dot(b) - 1, c.dot(c) - 1, a.dot(b), b.dot(c), c.dot(a),
    ]
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
