internal import Platform
package import PoseModel

/// The draws that scripted sessions need.
extension SplitMix64 {
  /// A standard normal number (Box and Muller 1958, the cosine branch).
  package mutating func normal() -> Double {
    let radius = (-2 * log(1 - unit())).squareRoot()
    return radius * cos(2 * Double.pi * unit())
  }

  /// Three independent normal numbers of a standard deviation.
  package mutating func normalVector(_ deviation: Double) -> Vector3 {
    let (x, y, z) = (normal(), normal(), normal())
    return Vector3(x, y, z) * deviation
  }

  /// A rotation, uniform over all: a random unit quaternion.
  package mutating func rotation() -> Rotation3 {
    let (w, x, y, z) = (normal(), normal(), normal(), normal())
    let s = 2 / (w * w + x * x + y * y + z * z)
    return Rotation3(
      Vector3(1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
      Vector3(s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)),
      Vector3(s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)))
  }
}
