/// SplitMix64 (Steele, Lea and Flood 2014): seeded numbers that never change between versions.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var state: UInt64

  /// Starts a stream; equal seeds give equal numbers.
  package init(seed: UInt64) { state = seed }

  package init(spread seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* Self.increment }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= Self.increment
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Uniform in [0, 1).
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  package mutating func uniform(_ low: Double = 0, _ high: Double = 1) -> Double {
    low + (high - low) * unit()
  }

  package mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    uniform(range.lowerBound, range.upperBound)
  }

  /// Uniform in 0..<count; the bias of the remainder is below 2^-50 for small counts.
  package mutating func index(below count: Int) -> Int { Int(next() % UInt64(count)) }

  package mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + index(below: range.count)
  }

  package mutating func integer(_ low: Int, _ high: Int) -> Int { integer(low...high) }

  package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[index(below: elements.count)]
  }

  /// The elements in random order (Fisher and Yates).
  package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var result = elements
    for index in result.indices.dropFirst().reversed() {
      result.swapAt(index, self.index(below: index + 1))
    }
    return result
  }

  /// A sum of twelve uniform numbers, which is nearly a standard normal one.
  package mutating func nearlyNormal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + unit() }
  }
}
