package import Statistics

/// One point of an Allan curve.
package struct AllanPoint: Hashable, Sendable {
  /// The averaging time in seconds; where frame rates differ, the mean of those of one octave.
  package let seconds: Double
  /// The deviation of one axis, in the signal's unit.
  package let deviation: Double
  /// How many differences of means it is the root mean square of.
  package let differences: Int
}

/// How the jitter of a signal is spread over frequencies and averaging times.
package struct SpectralJitter: Hashable, Sendable {
  /// Allan deviations by averaging time, doubling from a frame to a quarter of a hold.
  package let allan: [AllanPoint]
  /// The power spectral densities, one for each frame rate that occurs.
  package let spectra: [PowerSpectrum]
  /// The power from 3 Hz on over that from 0.3 Hz on; undefined for holds under 13.3 s.
  package let highFrequencyRatio: MetricValue

  /// The averaging time with the least Allan deviation: averaging longer stops helping, so no
  /// smoother of a hold needs a longer time constant.
  package var bestAveraging: MetricValue {
    let best = allan.min { ($0.deviation, $0.seconds) < ($1.deviation, $1.seconds) }
    return best.map { .value($0.seconds) } ?? .undefined(.holdTooShort)
  }

  /// Whether the deviation still falls at the longest time: averaging longer might help more.
  package var isStillFalling: Bool {
    guard let last = allan.last, allan.count > 1 else { return false }
    return bestAveraging.number == last.seconds
  }
}
