/// A half-open stretch of time in which somebody confirmed how straight the body was, for
/// calibration.
package struct ConfirmedHold: Hashable, Sendable {
  /// How long a hold may last.
  public static let durations = Seconds(1)...Seconds(10)
  /// Whether a hold may last so long; bounds included, with a nanosecond of slack.
  public static func allows(_ duration: Seconds) -> Bool {
    duration.value >= durations.lowerBound.value - FrameTiming.slack
      && duration.value <= durations.upperBound.value + FrameTiming.slack
  }

  /// The angles at the hips that can be confirmed.
  public static let angles = Degrees(0)...Degrees(360)

  /// The first instant.
  public var start: Seconds
  /// The first instant after it.
  public var end: Seconds
  /// The true angle at the hips: more than 180 where they are high; nil for a straight body.
  public var angle: Degrees?

  /// Makes a hold.
  ///
  /// - Precondition: the end minus the start is one of `durations`, and the angle one of `angles`.
  public init(start: Seconds, end: Seconds, angle: Degrees? = nil) {
    precondition(Self.allows(Seconds(end.value - start.value)), "a hold of 1 to 10 s")
    precondition(angle.map(Self.angles.contains) ?? true, "an angle of 0 to 360 deg")
    self.start = start
    self.end = end
    self.angle = angle
  }

  /// The frames of the hold, at strictly increasing times in seconds.
  public func frames(at times: [Double]) -> Range<Int> {
    let first = times.firstIndex { $0 >= start.value } ?? times.count
    return first..<(times[first...].firstIndex { $0 >= end.value } ?? times.count)
  }
}
