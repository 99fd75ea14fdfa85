/// The overlapping Allan variance of evenly sampled values, as sums that can be pooled.
///
/// With means over m samples, y_k = (x_k + ... + x_(k+m-1)) / m, the variance at the averaging time
/// m / f_s is half the mean of (y_(k+m) - y_k)^2 over all k. Its root falls with slope -1/2 for
/// white noise, is level for flicker and bias, and rises with slope +1/2 for a random walk: beyond
/// its minimum, longer averaging does not help.
///
/// - Source: Allan (1966), Proc. IEEE 54(2):221; Howe, Allan and Barnes (1981), the overlapping
///   estimator. Equal to `allantools.oadev(x, rate, data_type="freq")`.
package struct AllanVariance: Hashable, Sendable {
  /// The sum of (y_(k+m) - y_k)^2.
  package let squares: Double
  /// How many differences there are.
  package let count: Int

  /// Sums over values averaged m at a time; nil for fewer than 2 m values.
  ///
  /// - Complexity: O(values).
  package init?(_ values: [Double], averaging m: Int) {
    precondition(m > 0, "an average is over at least one sample")
    guard values.count >= 2 * m, values.allSatisfy(\.isFinite) else { return nil }
    let means = Self.means(values, m)
    var squares = 0.0
    for k in 0..<means.count - m {
      let difference = means[k + m] - means[k]
      squares += difference * difference
    }
    self.squares = squares
    count = means.count - m
  }

  /// Running means over m values, each from a sum about the first value, to limit cancellation.
  private static func means(_ values: [Double], _ m: Int) -> [Double] {
    let base = values[0]
    var sums = [0.0]
    sums.reserveCapacity(values.count + 1)
    for value in values { sums.append(sums[sums.count - 1] + (value - base)) }
    return (0...values.count - m).map { (sums[$0 + m] - sums[$0]) / Double(m) }
  }
}
