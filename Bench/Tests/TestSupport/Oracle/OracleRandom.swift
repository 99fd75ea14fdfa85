import Foundation

/// SplitMix64 (Steele, Lea, Flood 2014) with the draws that the generator needs.
package struct OracleRandom: Sendable {
  private var state: UInt64

  /// Starts a stream.
  package init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Uniform in [0, 1).
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Uniform in [low, high).
  package mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * unit()
  }

  /// Uniform in low...high.
  package mutating func integer(_ low: Int, _ high: Int) -> Int {
    low + Int(next() % UInt64(high - low + 1))
  }

  /// True with the given probability.
  package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// One element.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[integer(0, elements.count - 1)]
  }

  /// The elements in random order.
  package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var result = elements
    for index in result.indices.dropFirst().reversed() {
      result.swapAt(index, integer(0, index))
    }
    return result
  }

  /// Three independent normal numbers of a standard deviation.
  package mutating func normal(_ deviation: Double) -> SIMD3<Double> {
    func one(_ random: inout OracleRandom) -> Double {
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
