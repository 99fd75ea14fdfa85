import PoseModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Vector3 {
  /// The unit vector along z.
  static let unitZ = Vector3(0, 0, 1)
  /// The vector of length zero.
  static let zero = Vector3(0, 0, 0)

  /// The vector of length one, or `fallback` for a vector shorter than a nanometer.
  func unit(or fallback: Vector3 = .unitY) -> Vector3 {
    let length = norm
    return length > 1e-9 ? self / length : fallback
  }

  /// The part that is perpendicular to a unit vector.
  func perpendicular(to direction: Vector3) -> Vector3 { self - direction * dot(direction) }

  /// The unit vector a share of the way to another, along the great circle.
  ///
  /// Nearly opposite directions have no single way: the turn then goes through `hint`.
  func turned(to end: Vector3, share: Double, through hint: Vector3) -> Vector3 {
    if share <= 0 { return self }
    if share >= 1 { return end }
    var side = end.perpendicular(to: self)
    if side.norm < 1e-6 {
      if dot(end) > 0 { return self }
      side = hint.perpendicular(to: self)
    }
    let angle = atan2(end.perpendicular(to: self).norm, dot(end)) * share
    return self * cos(angle) + side.unit(or: .unitX) * sin(angle)
  }
}
