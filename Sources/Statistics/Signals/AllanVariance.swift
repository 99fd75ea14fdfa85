/// The overlapping Allan variance of evenly sampled values, as sums that can be pooled.
///
/// With means over m samples, y_k = (x_k + ... + x_(k+m-1)) / m, the variance at the averaging time
/// m / f_s is half the mean of (y_(k+m) - y_k)^2 over all k. Its root falls with slope -1/2 for
/// white noise, is level for flicker and bias, and rises with slope +1/2 for a random walk: beyond
/// its minimum, longer averaging does not help. Source: Allan (1966), Proc. IEEE 54(2):221; Howe,
/// Allan and Barnes (1981), the overlapping estimator. Equal to `allantools.oadev(x, rate,
/// data_type="freq")`.
package struct AllanVariance: Hashable, Sendable {
  /// The sum of (y_(k+m) - y_k)^2.
  package let squares: Double
  package let count: Int

  /// Over values averaged m at a time; nil for fewer than 2 m values.
  ///
  /// O(values).
  package init?(_ values: [Double], averaging m: Int) {
    precondition(m > 0, "an average is over at least one sample")
    guard values.count >= 2 * m, values.allSatisfy(\.isFinite) else { return nil }
    self.init(runningSums: Self.runningSums(values), averaging: m)
  }

  /// Over values averaged 1, 2, 4 and so on at a time, as long as there are four times as many;
  /// none if a value is not finite.
  ///
  /// O(values log values).
  package static func octaves(of values: [Double]) -> [(averaging: Int, variance: AllanVariance)] {
    guard values.allSatisfy(\.isFinite) else { return [] }
    let sums = runningSums(values)
    return sequence(first: 1) { 2 * $0 }.prefix { 4 * $0 <= values.count }
      .map { (averaging: $0, variance: AllanVariance(runningSums: sums, averaging: $0)) }
  }

  private init(runningSums sums: [Double], averaging m: Int) {
    let sums = sums.span
    func mean(_ k: Int) -> Double { (sums[k + m] - sums[k]) / Double(m) }
    count = sums.count - 2 * m
    var squares = 0.0
    for k in 0..<count {
      let difference = mean(k + m) - mean(k)
      squares += difference * difference
    }
    self.squares = squares
  }

  private static func runningSums(_ values: [Double]) -> [Double] {
    var sum = 0.0
    var sums = [sum]
    sums.reserveCapacity(values.count + 1)
    for value in values {
      sum += value - values[0]
      sums.append(sum)
    }
    return sums
  }
}
