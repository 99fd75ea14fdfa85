package import PoseModel

package struct SmootherDelay: Hashable, Sendable, Codable {
  package let lag: MetricValue
  /// Behind the measurements where planks start, end and change; undefined without such places.
  package let entries: MetricValue
  /// Behind a smooth movement of 0.3 units within a second, without noise.
  package let movement: MetricValue
  package let halfTime: MetricValue
  package let ninetyTime: MetricValue
  package let overshoot: MetricValue
  package let ramps: [MetricValue]
  /// The group delay for slow movements, in theory; undefined if the smoother is not linear.
  package let groupDelay: MetricValue
  /// The share of white noise that it leaves: in theory if linear, otherwise measured over 20,000
  /// samples.
  package let whiteGain: MetricValue
  /// The share of noise with a lag-one correlation of 0.95 that it leaves, over 20,000 samples.
  package let coloredGain: MetricValue

  private enum CodingKeys: String, CodingKey {
    case lag = "lag_s"
    case entries = "lag_at_entries_s"
    case movement = "lag_of_movement_s"
    case halfTime = "step_t50_s"
    case ninetyTime = "step_t90_s"
    case overshoot
    case ramps = "ramps_s"
    case groupDelay = "group_delay_s"
    case whiteGain = "white_gain"
    case coloredGain = "colored_gain"
  }

  package init(
    entries: MetricValue, movement: MetricValue, halfTime: MetricValue, ninetyTime: MetricValue,
    overshoot: MetricValue, ramps: [MetricValue], groupDelay: MetricValue,
    whiteGain: MetricValue, coloredGain: MetricValue
  ) {
    lag = entries.number == nil ? movement : entries
    self.entries = entries
    self.movement = movement
    self.halfTime = halfTime
    self.ninetyTime = ninetyTime
    self.overshoot = overshoot
    self.ramps = ramps
    self.groupDelay = groupDelay
    self.whiteGain = whiteGain
    self.coloredGain = coloredGain
  }
}

extension SmootherDelay {
  package static let rampSpeeds = [0.05, 0.3, 1.5]

  /// Only the lag, for a search that needs it thousands of times; if `entries` is undefined, a
  /// reference movement is used.
  package init(lagOnly entries: MetricValue, rate: Hertz, _ filter: SignalFilter) {
    let rest = MetricValue.undefined(.notMeasured)
    self.init(
      entries: entries,
      movement: entries.number == nil ? ReferenceMovement.lag(rate: rate, filter) : rest,
      halfTime: rest, ninetyTime: rest, overshoot: rest, ramps: Self.rampSpeeds.map { _ in rest },
      groupDelay: rest, whiteGain: rest, coloredGain: rest)
  }

  /// `entries` is the lag on a dataset's own transitions; `noise` is the standard deviation of the
  /// test noise, in the signal's unit.
  package init(
    entries: MetricValue, rate: Hertz, noise: Double, _ filter: @escaping SignalFilter
  ) {
    let step = StepResponse(rate: rate, height: ReferenceMovement.distance, filter)
    let linear = LinearResponse(rate: rate, memory: Seconds(10), filter)
    self.init(
      entries: entries, movement: ReferenceMovement.lag(rate: rate, filter),
      halfTime: step.halfTime, ninetyTime: step.ninetyTime, overshoot: step.overshoot,
      ramps: Self.rampSpeeds.map { RampLag.measure(rate: rate, speed: $0, filter) },
      groupDelay: linear.map { .value($0.groupDelay.value) } ?? .undefined(.notLinear),
      whiteGain: linear.map { .value($0.noiseGain) }
        ?? NoiseGain.measure(rate: rate, correlation: 0, deviation: noise, filter),
      coloredGain: NoiseGain.measure(
        rate: rate, correlation: 0.95, deviation: noise, filter))
  }
}

/// A movement without noise for testing smoothers: from rest to rest, as smooth as possible.
///
/// x(s) = 10 s^3 - 15 s^4 + 6 s^5 of the way, the minimum-jerk path (Flash and Hogan 1985, J
/// Neurosci 5(7):1688).
package enum ReferenceMovement {
  package static let distance = 0.3
  package static let duration = 1.0
  static let rest = 4.0

  package static func lag(rate: Hertz, _ filter: SignalFilter) -> MetricValue {
    let count = Int(((2 * rest + duration) * rate.value).rounded(.up))
    let times = (0..<count).map { Double($0) / rate.value }
    let input = times.map { position(at: $0 - rest) }
    let estimate = LagEstimate(
      input: input, output: filter(times, input), interval: Seconds(1 / rate.value))
    guard let estimate else { return .undefined(.neverReached) }
    return estimate.isAtLimit ? .undefined(.beyondSearch) : .value(estimate.lag.value)
  }

  package static func position(at time: Double) -> Double {
    let s = min(1, max(0, time / duration))
    return distance * s * s * s * (10 + s * (6 * s - 15))
  }
}
