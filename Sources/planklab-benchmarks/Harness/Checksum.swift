/// A checksum of answers: FNV-1a over 64-bit words.
struct Checksum {
  /// The sum so far.
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Takes in a word.
  mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01b3 }

  /// Takes in a time.
  mutating func add(_ number: Double) { add(number.bitPattern) }

  /// Takes in a position; every missing one counts the same.
  mutating func add(_ number: Float) {
    add(UInt64(number.isNaN ? Float.nan.bitPattern : number.bitPattern))
  }
}
