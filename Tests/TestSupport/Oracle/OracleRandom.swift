import Foundation

/// The draws that the oracle's generator needs.
extension SplitMix64 {
  /// Three independent normal numbers of a standard deviation.
  package mutating func normal(_ deviation: Double) -> SIMD3<Double> {
    func one(_ random: inout SplitMix64) -> Double {
      let radius = (-2 * log(1 - random.unit())).squareRoot()
      return deviation * radius * cos(2 * Double.pi * random.unit())
    }
    return SIMD3(one(&self), one(&self), one(&self))
  }

  /// A direction, uniform on the sphere.
  package mutating func direction() -> SIMD3<Double> {
    let v = normal(1)
    let norm = (v * v).sum().squareRoot()
    return norm > 1e-6 ? v / norm : SIMD3(0, 0, 1)
  }

  /// A rotation that takes the y axis to the unit vector `up`, turned at random about it.
  package mutating func rotation(up: SIMD3<Double>) -> OracleRotation {
    var side = SIMD3<Double>(0, 0, 0)
    repeat {
      let trial = direction()
      side = trial - up * (trial * up).sum()
    } while (side * side).sum() < 0.01
    let x = side / (side * side).sum().squareRoot()
    let z = SIMD3(
      x.y * up.z - x.z * up.y, x.z * up.x - x.x * up.z, x.x * up.y - x.y * up.x)
    return OracleRotation(x, up, z)
  }
}
