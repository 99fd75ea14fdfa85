/// What the kernel does with words of several cells at once.
extension SwiftSweepKernel.Lanes {
  /// The first frame of every lane.
  @inline(__always)
  static var one: Self { Self(repeating: 1) }

  /// The words of consecutive rows.
  @inline(__always)
  init(_ rows: UnsafePointer<UnsafePointer<UInt64>>, word: Int) {
    self.init(rows[0][word], rows[1][word], rows[2][word], rows[3][word])
  }

  /// Bits moved up by less than 64, filled from the word before.
  @inline(__always)
  static func moved(_ now: Self, _ before: Self, by bits: UInt64) -> Self {
    bits == 0
      ? now : now &<< Self(repeating: bits) | before &>> Self(repeating: 64 &- bits)
  }

  /// A latch as the carry chain of an addition: both operands set it, neither clears it.
  @inline(__always)
  static func latch(_ raw: Self, _ set: Self, _ carry: Self) -> Self {
    let (both, either) = (set & raw, raw | ~set)
    return both | (either & ~(both &+ either &+ carry))
  }

  /// One column of a carry-save adder: the sum stays, the carry is returned.
  @inline(__always)
  static func saveCarry(_ sum: inout Self, _ first: Self, _ second: Self) -> Self {
    let half = sum ^ first
    let carry = (sum & first) | (half & second)
    sum = half ^ second
    return carry
  }
}
