/// How much calmer measurements are on holds: each a geometric mean, over the measurements, of the
/// smoothed number over the raw one.
package struct SmootherCalm: Hashable, Sendable {
  /// Of the RMS step from frame to frame: the fast part.
  package let step: MetricValue
  /// Of the robust spread about each hold's median: colored noise and sway too.
  package let spread: MetricValue
  /// Of the mean acceleration.
  package let acceleration: MetricValue

  /// Makes the ratios.
  package init(step: MetricValue, spread: MetricValue, acceleration: MetricValue) {
    self.step = step
    self.spread = spread
    self.acceleration = acceleration
  }

  /// Compares rows of smoothed measurements with those of raw ones, signal by signal.
  ///
  /// Signals without a positive number on both sides are left out.
  package init(smoothed: [JitterRow], raw: [JitterRow]) {
    func ratio(_ number: (JitterRow) -> MetricValue) -> MetricValue {
      let pairs = smoothed.compactMap { row -> Double? in
        guard let other = raw.first(where: { $0.signal == row.signal }),
          let above = number(row).number, let below = number(other).number, above > 0, below > 0
        else { return nil }
        return above / below
      }
      guard !pairs.isEmpty else { return .undefined(.noValidPair) }
      return .value(GeometricMean.of(pairs))
    }
    self.init(
      step: ratio(\.rmsStep), spread: ratio(\.robustSpread), acceleration: ratio(\.acceleration))
  }
}
