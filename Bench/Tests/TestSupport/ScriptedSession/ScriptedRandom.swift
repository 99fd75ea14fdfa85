internal import LibC
package import PoseModel

/// A seeded stream of random numbers: SplitMix64 (Steele, Lea, Flood 2014).
package struct ScriptedRandom: Sendable {
  private var state: UInt64

  /// Starts a stream; equal seeds give equal numbers.
  package init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number that is uniform in [0, 1).
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number that is uniform in a range, the upper bound excluded.
  package mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * unit()
  }

  /// A whole number in a range; the bias of the remainder is below 2^-50 for small ranges.
  package mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// True with a probability.
  package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// One of some elements.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[integer(0...(elements.count - 1))]
  }

  /// The elements in random order (Fisher and Yates).
  package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var result = elements
    for index in result.indices.dropFirst().reversed() {
      result.swapAt(index, integer(0...index))
    }
    return result
  }

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
