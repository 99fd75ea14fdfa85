package import PoseModel

/// How far a smoother stays behind a steady movement.
package enum RampLag {
  /// The error at the end of a long ramp over its speed, in seconds.
  ///
  /// - Parameters:
  ///   - speed: the signal's unit a second, not 0; smoothers that are not linear depend on it.
  ///   - duration: how long the ramp lasts; long against the smoother's memory.
  package static func measure(
    rate: Hertz, speed: Double, duration: Seconds = Seconds(8), _ filter: SignalFilter
  ) -> MetricValue {
    let count = Int((duration.value * rate.value).rounded(.up)) + 1
    let times = (0..<count).map { Double($0) / rate.value }
    let input = times.map { speed * $0 }
    guard let output = filter(times, input).last, let output, let last = input.last else {
      return .undefined(.neverReached)
    }
    return .value((last - output) / speed)
  }
}
