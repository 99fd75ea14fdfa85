/// How long a condition has held, in time between frames that follow one another.
struct StretchTimer: Hashable, Sendable {
  private(set) var start: Double?
  private(set) var elapsed = 0.0

  /// Counts a frame on which the condition holds.
  ///
  /// - Parameter interval: the time since the frame before, 0 after a dropout.
  mutating func count(_ time: Double, _ interval: Double) {
    if start == nil {
      start = time
      elapsed = 0
    } else {
      elapsed += interval
    }
  }

  /// Whether the condition has held for some time, bound included; not before its first frame.
  func hasReached(_ seconds: Double) -> Bool {
    start != nil && elapsed >= seconds - Debouncer.tolerance
  }

  /// The condition does not hold.
  mutating func reset() { start = nil }
}
