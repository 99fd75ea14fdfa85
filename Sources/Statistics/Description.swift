internal import CGSL

/// Numbers that describe a sample: mean, median, quantiles, spread.
///
/// Every function returns nil for an empty sample and for one with a NaN or an infinity: such a
/// sample has no such number. The unit of a result is that of the values.
package enum Description {
  /// The arithmetic mean.
  ///
  /// Formula: sum of x over n, by the recurrence m_k = m_(k-1) + (x_k - m_(k-1)) / k.
  ///
  /// - Complexity: O(n).
  /// - Source: GNU Scientific Library 2.7, `gsl_stats_mean`.
  package static func mean(_ values: [Double]) -> Double? {
    guard GSLRuntime.isReady, isDescribable(values) else { return nil }
    return gsl_stats_mean(values, 1, values.count)
  }

  /// The median: the middle value, or the mean of the two middle ones.
  ///
  /// - Complexity: O(n) on average, with a copy of the values.
  /// - Source: GNU Scientific Library 2.7, `gsl_stats_select` (quickselect).
  package static func median(_ values: [Double]) -> Double? {
    var copy = values
    return median(reordering: &copy)
  }

  /// The median, found in place.
  ///
  /// - Parameter values: the sample; its order is lost.
  /// - Complexity: O(n) on average, without allocation.
  package static func median(reordering values: inout [Double]) -> Double? {
    values.withUnsafeMutableBufferPointer { median(reordering: $0) }
  }

  /// The same, of a part of something.
  package static func median(reordering values: UnsafeMutableBufferPointer<Double>) -> Double? {
    guard GSLRuntime.isReady, isDescribable(values), let start = values.baseAddress else {
      return nil
    }
    let middle = (values.count - 1) / 2
    let lower = gsl_stats_select(start, 1, values.count, middle)
    guard values.count.isMultiple(of: 2) else { return lower }
    // Everything behind the selected value is at least as great. `gsl_stats_median` would select again.
    var upper = values[middle + 1]
    for value in values[(middle + 2)...] where value < upper { upper = value }
    return 0.5 * (lower + upper)
  }

  /// The value of a rank, found in place.
  ///
  /// - Parameters:
  ///   - rank: how many values come before it in ascending order; less than there are.
  ///   - values: the sample; its order is lost.
  /// - Complexity: O(n) on average, without allocation.
  /// - Source: GNU Scientific Library 2.7, `gsl_stats_select` (quickselect).
  package static func value(ranked rank: Int, reordering values: inout [Double]) -> Double? {
    guard GSLRuntime.isReady, isDescribable(values) else { return nil }
    precondition(values.indices.contains(rank), "a rank of the sample")
    return gsl_stats_select(&values, 1, values.count, rank)
  }

  /// The quantile of a fraction, by linear interpolation between order statistics.
  ///
  /// Formula: with h = (n - 1) f and sorted values x_0...x_(n-1),
  /// q = x_floor(h) + (h - floor(h)) (x_(floor(h)+1) - x_floor(h)): type 7 of Hyndman and Fan
  /// (1996, The American Statistician 50(4):361), the default of R and numpy.
  ///
  /// - Parameter fraction: 0...1; 0 is the lowest value, 1 the greatest.
  /// - Complexity: O(n log n).
  package static func quantile(_ values: [Double], at fraction: Double) -> Double? {
    quantiles(values, at: [fraction])?.first
  }

  /// Several quantiles of one sample; see `quantile`.
  ///
  /// - Parameter fractions: each 0...1.
  /// - Returns: one quantile per fraction, in the order of the fractions.
  /// - Complexity: O(n log n), sorted once.
  package static func quantiles(_ values: [Double], at fractions: [Double]) -> [Double]? {
    precondition(fractions.allSatisfy { (0...1).contains($0) }, "a fraction is within 0...1")
    guard GSLRuntime.isReady, isDescribable(values) else { return nil }
    let sorted = values.sorted()
    return fractions.map { gsl_stats_quantile_from_sorted_data(sorted, 1, sorted.count, $0) }
  }

  /// The factor that makes a median absolute deviation an estimate of the standard deviation.
  ///
  /// 1 / (the third quartile of the standard normal distribution), to four decimals: Hampel
  /// (1974), JASA 69:383.
  package static let normalConsistency = 1.4826

  /// Whether a sample has values, all of them finite.
  static func isDescribable(_ values: some Collection<Double>) -> Bool {
    !values.isEmpty && values.allSatisfy(\.isFinite)
  }
}
