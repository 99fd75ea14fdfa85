package import PoseModel

extension SmootherDelay {
  /// The lag alone, for a search that asks thousands of times.
  ///
  /// - Parameter entries: the lag on a dataset's own transitions; a reference movement stands in
  ///   where it is undefined.
  package init(lagOnly entries: MetricValue, rate: Hertz, _ filter: SignalFilter) {
    let rest = MetricValue.undefined(.notMeasured)
    self.init(
      entries: entries,
      movement: entries.number == nil ? ReferenceMovement.lag(rate: rate, filter) : rest,
      halfTime: rest, ninetyTime: rest, overshoot: rest, ramps: [rest, rest, rest],
      groupDelay: rest, whiteGain: rest, coloredGain: rest)
  }

  /// Tries a smoother on signals without a dataset, at a frame rate.
  ///
  /// - Parameters:
  ///   - entries: the lag on a dataset's own transitions.
  ///   - noise: the standard deviation of the noise it is tried on, in the signal's unit.
  package init(
    entries: MetricValue, rate: Hertz, noise: Double, _ filter: @escaping SignalFilter
  ) {
    let step = StepResponse(rate: rate, height: ReferenceMovement.distance, filter)
    let linear = LinearResponse(rate: rate, memory: Seconds(10), filter)
    self.init(
      entries: entries, movement: ReferenceMovement.lag(rate: rate, filter),
      halfTime: step.halfTime, ninetyTime: step.ninetyTime, overshoot: step.overshoot,
      ramps: [0.05, 0.3, 1.5].map { RampLag.measure(rate: rate, speed: $0, filter) },
      groupDelay: linear.map { .value($0.groupDelay.value) } ?? .undefined(.notLinear),
      whiteGain: linear.map { .value($0.noiseGain) }
        ?? NoiseGain.measure(rate: rate, correlation: 0, deviation: noise, filter),
      coloredGain: NoiseGain.measure(
        rate: rate, correlation: 0.95, deviation: noise, filter))
  }
}
