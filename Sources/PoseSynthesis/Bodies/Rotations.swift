import Platform
import PoseModel

struct Quaternion {
  var w: Double
  var v: Vector3

  func turned(to end: Quaternion, share: Double) -> Quaternion {
    var cosine = w * end.w + v.dot(end.v)
    let sign: Double = cosine < 0 ? -1 : 1
    cosine *= sign
    var (near, far) = (1 - share, share)
    if cosine < 0.9999 {
      let angle = acos(cosine)
      (near, far) = (sin(near * angle) / sin(angle), sin(far * angle) / sin(angle))
    }
    let blend = Quaternion(w: w * near + end.w * far * sign, v: v * near + end.v * (far * sign))
    let length = (blend.w * blend.w + blend.v.dot(blend.v)).squareRoot()
    return Quaternion(w: blend.w / length, v: blend.v / length)
  }

  var rotation: Rotation3 {
    func image(_ u: Vector3) -> Vector3 {
      let t = v.cross(u) * 2
      return u + t * w + v.cross(t)
    }
    return Rotation3(image(.unitX), image(.unitY), image(.unitZ))
  }
}

extension Quaternion {
  /// The quaternion of a rotation matrix, by the largest of w, x, y and z (Shepperd 1978).
  init(_ r: Rotation3) {
    let (a, b, c) = r.columns
    let trace = a.x + b.y + c.z
    if trace > 0 {
      let s = 2 * (trace + 1).squareRoot()
      self.init(w: s / 4, v: Vector3(b.z - c.y, c.x - a.z, a.y - b.x) / s)
    } else if a.x > b.y, a.x > c.z {
      let s = 2 * (1 + a.x - b.y - c.z).squareRoot()
      self.init(w: (b.z - c.y) / s, v: Vector3(s / 4, (b.x + a.y) / s, (c.x + a.z) / s))
    } else if b.y > c.z {
      let s = 2 * (1 + b.y - a.x - c.z).squareRoot()
      self.init(w: (c.x - a.z) / s, v: Vector3((b.x + a.y) / s, s / 4, (c.y + b.z) / s))
    } else {
      let s = 2 * (1 + c.z - a.x - b.y).squareRoot()
      self.init(w: (a.y - b.x) / s, v: Vector3((c.x + a.z) / s, (c.y + b.z) / s, s / 4))
    }
  }
}

extension Degrees {
  var radians: Double { value * (Double.pi / 180) }

  init(radians: Double) { self.init(radians * (180 / Double.pi)) }

  static func + (a: Degrees, b: Degrees) -> Degrees { Degrees(a.value + b.value) }

  static prefix func - (a: Degrees) -> Degrees { Degrees(-a.value) }
}

extension Rotation3 {
  init(about axis: Vector3, radians: Double) {
    self = Quaternion(w: cos(radians / 2), v: axis * sin(radians / 2)).rotation
  }

  static func aboutX(_ angle: Degrees) -> Rotation3 {
    let (c, s) = (cos(angle.radians), sin(angle.radians))
    return Rotation3(.unitX, Vector3(0, c, s), Vector3(0, -s, c))
  }

  static func aboutY(_ angle: Degrees) -> Rotation3 {
    let (c, s) = (cos(angle.radians), sin(angle.radians))
    return Rotation3(Vector3(c, 0, -s), .unitY, Vector3(s, 0, c))
  }

  static func aboutZ(_ angle: Degrees) -> Rotation3 {
    let (c, s) = (cos(angle.radians), sin(angle.radians))
    return Rotation3(Vector3(c, s, 0), Vector3(-s, c, 0), .unitZ)
  }

  /// The vector that a rotation maps to `v`: the transposed matrix applied to `v`.
  func inverse(_ v: Vector3) -> Vector3 {
    Vector3(columns.0.dot(v), columns.1.dot(v), columns.2.dot(v))
  }

  var transposed: Rotation3 {
    let (a, b, c) = columns
    return Rotation3(Vector3(a.x, b.x, c.x), Vector3(a.y, b.y, c.y), Vector3(a.z, b.z, c.z))
  }

  static func * (a: Rotation3, b: Rotation3) -> Rotation3 { a.composed(after: b) }
}

extension Vector3 {
  static let unitZ = Vector3(0, 0, 1)
  static let zero = Vector3(0, 0, 0)

  /// The vector of length one, or `fallback` for a vector shorter than a nanometer.
  func unit(or fallback: Vector3 = .unitY) -> Vector3 {
    let length = norm
    return length > 1e-9 ? self / length : fallback
  }

  func perpendicular(to direction: Vector3) -> Vector3 { self - direction * dot(direction) }

  /// A fraction of the way along the great circle.
  ///
  /// Nearly opposite directions have no unique path: the turn then goes through `hint`.
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
