internal import CGSL

extension Description {
  /// What makes a median absolute deviation an estimate of the standard deviation.
  ///
  /// 1 / (the third quartile of the standard normal distribution), to four decimals.
  package static let normalConsistency = 1.4826

  /// The median absolute deviation about the median, scaled for normal samples.
  ///
  /// Formula: 1.4826 median |x - median x|. Half of the values may be arbitrary before it breaks.
  /// 0 where more than half of the values are equal.
  ///
  /// - Returns: nil for an empty sample and for one with a NaN or an infinity in it.
  /// - Complexity: O(n) on average.
  /// - Source: Hampel (1974), JASA 69:383; GNU Scientific Library 2.7, `gsl_stats_mad0`.
  package static func medianAbsoluteDeviation(_ values: [Double]) -> Double? {
    guard GSLRuntime.isReady, isDescribable(values) else { return nil }
    let count = values.count
    let deviation = withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { work in
      work.baseAddress.map { gsl_stats_mad0(values, 1, count, $0) }
    }
    return deviation.map { normalConsistency * $0 }
  }
}
