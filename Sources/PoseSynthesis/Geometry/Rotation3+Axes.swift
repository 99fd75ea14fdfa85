import PoseModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Degrees {
  /// The angle in radians.
  var radians: Double { value * (Double.pi / 180) }

  /// The angle of a number of radians.
  init(radians: Double) { self.init(radians * (180 / Double.pi)) }

  /// The sum of two angles.
  static func + (a: Degrees, b: Degrees) -> Degrees { Degrees(a.value + b.value) }

  /// The angle turned the other way.
  static prefix func - (a: Degrees) -> Degrees { Degrees(-a.value) }
}

extension Rotation3 {
  /// The rotation about x: y turns toward z.
  static func aboutX(_ angle: Degrees) -> Rotation3 {
    let (c, s) = (cos(angle.radians), sin(angle.radians))
    return Rotation3(.unitX, Vector3(0, c, s), Vector3(0, -s, c))
  }

  /// The rotation about y: z turns toward x.
  static func aboutY(_ angle: Degrees) -> Rotation3 {
    let (c, s) = (cos(angle.radians), sin(angle.radians))
    return Rotation3(Vector3(c, 0, -s), .unitY, Vector3(s, 0, c))
  }

  /// The rotation about z: x turns toward y.
  static func aboutZ(_ angle: Degrees) -> Rotation3 {
    let (c, s) = (cos(angle.radians), sin(angle.radians))
    return Rotation3(Vector3(c, s, 0), Vector3(-s, c, 0), .unitZ)
  }

  /// The vector whose image a rotation has: the transposed matrix applied to `v`.
  func inverse(_ v: Vector3) -> Vector3 {
    Vector3(columns.0.dot(v), columns.1.dot(v), columns.2.dot(v))
  }

  /// The inverse of a rotation.
  var transposed: Rotation3 {
    let (a, b, c) = columns
    return Rotation3(
      Vector3(a.x, b.x, c.x), Vector3(a.y, b.y, c.y), Vector3(a.z, b.z, c.z))
  }

  /// The second rotation followed by the first.
  static func * (a: Rotation3, b: Rotation3) -> Rotation3 { a.composed(after: b) }
}
