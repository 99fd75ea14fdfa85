internal import PoseModel

/// The share of changes that no answer has followed yet, by the time since, after Kaplan and Meier.
///
/// S(t) is the product over the times t_i <= t at which answers came of 1 - d_i / n_i, with d_i
/// answers at t_i and n_i changes that were neither followed nor censored before t_i; what is
/// censored at t_i still counts in n_i. Without censoring it is the share above t. Times within a
/// nanosecond are one time: differences of frame times are not exact.
///
/// - Source: Kaplan and Meier (1958), JASA 53(282):457, doi 10.1080/01621459.1958.10501452.
package struct SurvivalCurve: Sendable {
  private var steps: [(time: Double, survival: Double)] = []

  /// Estimates the curve.
  ///
  /// - Complexity: O(n log n).
  package init(_ latencies: [Latency]) {
    let sorted = latencies.sorted { $0.seconds < $1.seconds }
    var survival = 1.0
    var index = 0
    while index < sorted.count {
      let time = sorted[index].seconds
      let atRisk = sorted.count - index
      var followed = 0
      while index < sorted.count, sorted[index].seconds - time <= FrameTiming.slack {
        if !sorted[index].isCensored { followed += 1 }
        index += 1
      }
      guard followed > 0 else { continue }
      survival *= 1 - Double(followed) / Double(atRisk)
      steps.append((time, survival))
    }
  }

  /// The least time by which a share of the changes is followed; nil where the curve never gets
  /// there.
  package func quantile(_ share: Double) -> Double? {
    steps.first { $0.survival <= 1 - share + Self.tolerance }?.time
  }

  /// Products of fractions are not exact.
  private static let tolerance = 1e-9
}
