/// A stream of random numbers: SplitMix64 (Steele, Lea and Flood 2014).
struct SplitMix64 {
  private var state: UInt64

  /// Starts a stream.
  init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number from 0 up to 1.
  mutating func uniform() -> Double { Double(next() >> 11) / Double(1 << 53) }

  /// Nearly normal: the sum of twelve uniform numbers.
  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += uniform() }
    return sum
  }
}
