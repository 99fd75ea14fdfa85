package import PoseModel

/// A movement without noise that every smoother is tried on: from rest to rest, as smooth as can be.
///
/// x(s) = 10 s^3 - 15 s^4 + 6 s^5 of the way, the path of least jerk (Flash and Hogan 1985,
/// J Neurosci 5(7):1688).
package enum ReferenceMovement {
  /// How far it goes, in the signal's unit: as far as a shoulder on the way down.
  package static let distance = 0.3
  /// How long it takes, in seconds.
  package static let duration = 1.0
  /// How long it rests before and after, in seconds.
  static let rest = 4.0

  /// The lag of a smoother behind it.
  package static func lag(rate: Hertz, _ filter: SignalFilter) -> MetricValue {
    let count = Int(((2 * rest + duration) * rate.value).rounded(.up))
    let times = (0..<count).map { Double($0) / rate.value }
    let input = times.map { position(at: $0 - rest) }
    let estimate = LagEstimate(
      input: input, output: filter(times, input), interval: Seconds(1 / rate.value))
    guard let estimate else { return .undefined(.neverReached) }
    return estimate.isAtLimit ? .undefined(.beyondSearch) : .value(estimate.lag.value)
  }

  /// Where it is some seconds after its start.
  package static func position(at time: Double) -> Double {
    let s = min(1, max(0, time / duration))
    return distance * s * s * s * (10 + s * (6 * s - 15))
  }
}
