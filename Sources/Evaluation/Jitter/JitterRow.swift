package struct JitterRow: Codable, Hashable, Sendable {
  package let signal: JitterSignal
  /// sqrt(mean |x(i+1) - x(i)|^2) over the pairs, in the signal's unit.
  ///
  /// White noise of standard deviation s per axis in d axes gives s sqrt(2 d).
  package let rmsStep: MetricValue
  /// sqrt(mean |x(i+1) - x(i)|^2 / dt^2) over the pairs, in the signal's unit per s.
  package let rmsSpeed: MetricValue
  /// The standard deviation per axis of the white noise that would give these steps: rmsStep /
  /// sqrt(2 d).
  ///
  /// Colored noise is larger; see `lagOneCorrelation`.
  package let noise: MetricValue
  /// 1.4826 times the median distance from each hold's median, pooled over holds, in the signal's
  /// unit; for joints, the root of the sum of squares over the axes.
  package let robustSpread: MetricValue
  /// The mean |second difference| over the triples, in the signal's unit per s^2.
  ///
  /// On uneven time 2 ((x3 - x2)/(t3 - t2) - (x2 - x1)/(t2 - t1)) / (t3 - t1), which is
  /// (x3 - 2 x2 + x1)/h^2 on even time.
  package let acceleration: MetricValue
  /// sqrt(mean |third difference|^2), in the signal's unit per s^3; divided differences times 6.
  package let jerk: MetricValue
  /// The correlation of neighbors about each hold's mean: 0 for white noise, near 1 for sway and
  /// colored noise, against which no causal smoother helps.
  package let lagOneCorrelation: MetricValue
  package internal(set) var spectral: SpectralJitter?
  /// The mean of movements; nil unless asked for.
  ///
  /// Not for gates.
  package let spectralArcLength: MetricValue?
  /// The mean of movements; nil unless asked for.
  ///
  /// Not for gates.
  package let logDimensionlessJerk: MetricValue?
  package let frames: Int
  /// How many pairs of consecutive valid frames at most 0.5 s apart there are.
  package let pairs: Int
  package let triples: Int
  package let holds: Int

  private enum CodingKeys: String, CodingKey {
    case signal
    case rmsStep = "rms_step"
    case rmsSpeed = "rms_speed"
    case noise
    case robustSpread = "robust_spread"
    case acceleration, jerk
    case lagOneCorrelation = "lag_one_correlation"
    case spectral
    case spectralArcLength = "spectral_arc_length"
    case logDimensionlessJerk = "log_dimensionless_jerk"
    case frames, pairs, triples, holds
  }

  package var accelerationUnit: String { unit(over: "s^2") }

  package func unit(over time: String) -> String {
    (signal.unit == "-" ? "1" : signal.unit) + "/" + time
  }
}

package struct JitterSignal: Codable, Hashable, Sendable {
  package enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
    case measurement
    case joint
  }

  package let kind: Kind
  package let name: String
  package let unit: String

  static let degrees = "deg"

  var period: Double? { kind == .measurement && unit == Self.degrees ? 360 : nil }
}
