internal import CGSL

/// Descriptive statistics of a sample, in the unit of its values.
///
/// Every function returns nil for an empty sample and for one that contains a NaN or an infinity,
/// because no statistic is defined for such a sample.
package enum Description {
  /// Returns the median; for an even count, it is the mean of the two middle values.
  ///
  /// O(n) on average, with a copy of the values. Source: GNU Scientific Library 2.7,
  /// `gsl_stats_select` (quickselect).
  package static func median(_ values: [Double]) -> Double? {
    var copy = values
    return median(reordering: &copy)
  }

  package static func median(reordering values: inout [Double]) -> Double? {
    values.withUnsafeMutableBufferPointer { median(reordering: $0) }
  }

  package static func median(reordering values: UnsafeMutableBufferPointer<Double>) -> Double? {
    guard GSLRuntime.isReady, isDescribable(values), let start = values.baseAddress else {
      return nil
    }
    let middle = (values.count - 1) / 2
    let lower = gsl_stats_select(start, 1, values.count, middle)
    guard values.count.isMultiple(of: 2) else { return lower }
    // `gsl_stats_median` would select again; all values after the selected one are at least as
    // large.
    var upper = values[middle + 1]
    for value in values[(middle + 2)...] where value < upper { upper = value }
    return 0.5 * (lower + upper)
  }

  /// Returns the value with `rank` values before it in ascending order.
  ///
  /// `rank` is less than the number of values. The order of `values` changes. O(n) on average.
  package static func value(ranked rank: Int, reordering values: inout [Double]) -> Double? {
    guard GSLRuntime.isReady, isDescribable(values) else { return nil }
    precondition(values.indices.contains(rank), "a rank of the sample")
    return gsl_stats_select(&values, 1, values.count, rank)
  }

  /// Returns a quantile by linear interpolation between order statistics.
  ///
  /// With h = (n - 1) f and sorted values x_0...x_(n-1), q = x_floor(h) + (h - floor(h))
  /// (x_(floor(h)+1) - x_floor(h)). This is type 7 of Hyndman and Fan (1996, The American
  /// Statistician 50(4):361), the default of R and NumPy. `fraction` is in 0...1. O(n log n).
  package static func quantile(_ values: [Double], at fraction: Double) -> Double? {
    quantiles(values, at: [fraction])?.first
  }

  /// Returns one quantile per fraction in 0...1; sorts the values once.
  package static func quantiles(_ values: [Double], at fractions: [Double]) -> [Double]? {
    precondition(fractions.allSatisfy { (0...1).contains($0) }, "a fraction is within 0...1")
    guard GSLRuntime.isReady, isDescribable(values) else { return nil }
    let sorted = values.sorted()
    return fractions.map { gsl_stats_quantile_from_sorted_data(sorted, 1, sorted.count, $0) }
  }

  /// The ratio of the standard deviation to the median absolute deviation in a normal distribution.
  ///
  /// It is 1 over the third quartile of the standard normal distribution, to four decimals. Source:
  /// Hampel (1974), JASA 69:383.
  package static let normalConsistency = 1.4826

  static func isDescribable(_ values: some Collection<Double>) -> Bool {
    !values.isEmpty && values.allSatisfy(\.isFinite)
  }
}

/// The reason why a number is undefined, as text that completes "undefined: ".
package struct UndefinedReason: RawRepresentable, Error, Hashable, Sendable, Codable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package init(_ text: String) { rawValue = text }
}

extension UndefinedReason {
  package static let fewerThanTwoClusters = UndefinedReason("fewer than two subjects")
  package static let undefinedEstimate = UndefinedReason("the number is undefined")
  package static let undefinedWithoutACluster = UndefinedReason(
    "the number is undefined without one of the subjects")
  package static let undefinedReplicates = UndefinedReason(
    "the number is undefined in over 5 % of the resamples")
  package static let noVariation = UndefinedReason(
    "the number is the same whichever subjects are drawn")
  /// All resamples are on one side of the estimate, so the bias has no finite correction.
  package static let oneSided = UndefinedReason("every resample is on the same side of the number")
}

enum GSLRuntime {
  /// GSL's error handler would abort the process; callers of GSL check their arguments first.
  static let isReady: Bool = {
    gsl_set_error_handler_off()
    return true
  }()
}

/// The exponential function and its inverse, for modules that import no math library.
package enum Exponential {
  package static func exp(_ value: Double) -> Double { exponential(value) }

  package static func log(_ value: Double) -> Double { logarithm(value) }
}

// C's functions under names that the methods of `Exponential` do not hide. `CGSL.exp` works only on
// Linux: elsewhere, the functions belong to a system module.
private func exponential(_ value: Double) -> Double { exp(value) }
private func logarithm(_ value: Double) -> Double { log(value) }

package enum Normal {
  static func cumulative(_ z: Double) -> Double { gsl_cdf_ugaussian_P(z) }

  package static func quantile(_ probability: Double) -> Double {
    gsl_cdf_ugaussian_Pinv(probability)
  }
}

package enum StudentT {
  /// Returns the probability of a value up to `t`; the degrees of freedom must be positive.
  package static func cumulative(_ t: Double, freedom: Double) -> Double {
    gsl_cdf_tdist_P(t, freedom)
  }

  package static func quantile(_ probability: Double, freedom: Double) -> Double {
    gsl_cdf_tdist_Pinv(probability, freedom)
  }
}
