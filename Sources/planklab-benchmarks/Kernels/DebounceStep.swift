/// How the runs of equal labels that a debounce length needs come from two levels.
///
/// N frames in a row are N - 1 that equal the frame before: a level of 2^j of them, and the same
/// level moved up by what is left.
struct DebounceStep {
  /// The level.
  let level: Int
  /// Whole words that the level is moved up by a second time.
  let whole: Int
  /// Bits beyond those words.
  let part: UInt64

  /// The step of a length in frames.
  init(frames: UInt32) {
    guard frames > 1 else {
      (level, whole, part) = (0, 0, 0)
      return
    }
    let needed = frames - 1
    level = 31 - needed.leadingZeroBitCount
    let shift = needed - 1 << UInt32(level)
    whole = Int(shift >> 6)
    part = UInt64(shift & 63)
  }
}
