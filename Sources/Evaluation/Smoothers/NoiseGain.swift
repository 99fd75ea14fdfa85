package import PoseModel
internal import Statistics

/// What a smoother leaves of noise.
package enum NoiseGain {
  /// How many samples of noise it is tried on.
  static let samples = 20_000

  /// The standard deviation behind a smoother over that before.
  ///
  /// The noise is x_k = c x_(k-1) + sqrt(1 - c^2) e_k with seeded normal e_k.
  ///
  /// - Parameters:
  ///   - correlation: c, the lag-one correlation: 0 for white noise.
  ///   - deviation: the standard deviation, in the signal's unit.
  package static func measure(
    rate: Hertz, correlation: Double, deviation: Double, _ filter: SignalFilter
  ) -> MetricValue {
    let stream = RandomStream(seed: 1, purpose: "smoothers.noise")
    let fresh = (1 - correlation * correlation).squareRoot()
    var state = stream.gaussian()
    let times = (0..<samples).map { Double($0) / rate.value }
    let input = times.map { _ -> Double in
      state = correlation * state + fresh * stream.gaussian()
      return deviation * state
    }
    let output = filter(times, input).dropFirst(samples / 20).compactMap(\.self)
    guard output.count > 2 else { return .undefined(.neverReached) }
    return .value(spread(output) / spread(Array(input.dropFirst(samples / 20))))
  }

  private static func spread(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
  }
}
