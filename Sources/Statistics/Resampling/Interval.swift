/// A confidence interval of a number over clusters such as subjects.
package struct Interval: Hashable, Sendable {
  /// How an interval was made.
  package enum Method: String, CaseIterable, Hashable, Sendable {
    /// Quantiles of the bootstrap distribution.
    case percentile
    /// Quantiles corrected for bias and acceleration.
    case bca
    /// Student's t with the jackknife's standard error.
    case clusterT = "cluster_t"
  }

  /// How it was made.
  package let method: Method
  /// The share of intervals that shall contain the true number, within 0..<1.
  package let level: Double
  /// The lower end, in the number's unit.
  package let lower: Double
  /// The upper end, not below the lower.
  package let upper: Double
  /// How many clusters it rests on.
  package let clusters: Int

  /// Makes an interval.
  package init(method: Method, level: Double, lower: Double, upper: Double, clusters: Int) {
    precondition(lower <= upper, "an interval's ends are in order")
    self.method = method
    self.level = level
    self.lower = lower
    self.upper = upper
    self.clusters = clusters
  }

  /// The upper end minus the lower.
  package var width: Double { upper - lower }
}
