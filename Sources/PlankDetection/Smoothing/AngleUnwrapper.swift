/// Makes an angle that goes around continuous: every sample is within half a turn of the last one.
struct AngleUnwrapper: Sendable {
  private var last = 0.0
  private var lastUnwrapped = 0.0
  private var lastTime = -Double.infinity

  /// The sample plus whole turns, so that it lies near the last one; a gap starts afresh.
  mutating func unwrap(_ degrees: Double, at time: Double) -> Double {
    let isAfterGap =
      !(abs(time - lastTime) <= SmoothingStrategy.largestGap + Debouncer.tolerance)
    let step = degrees - last
    let turned = step - 360 * (step / 360).rounded(.toNearestOrEven)
    lastUnwrapped = isAfterGap ? degrees : lastUnwrapped + turned
    last = degrees
    lastTime = time
    return lastUnwrapped
  }

  /// An angle brought back into a range of one turn; both ends belong to it.
  static func wrap(_ degrees: Double, to range: ClosedRange<Double>) -> Double {
    if range.contains(degrees) { return degrees }
    let turns = ((degrees - range.lowerBound) / 360).rounded(.down)
    return degrees - 360 * turns
  }
}
