import PoseModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A unit quaternion: the form of a rotation in which two can be blended.
struct Quaternion {
  var w: Double
  var v: Vector3

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

  init(w: Double, v: Vector3) {
    self.w = w
    self.v = v
  }

  /// The rotation a share of the way to another, along the shorter arc (Shoemake 1985).
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

  /// The rotation as a matrix.
  var rotation: Rotation3 {
    func image(_ u: Vector3) -> Vector3 {
      let t = v.cross(u) * 2
      return u + t * w + v.cross(t)
    }
    return Rotation3(image(.unitX), image(.unitY), image(.unitZ))
  }
}
