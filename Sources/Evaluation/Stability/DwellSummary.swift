internal import PoseModel
internal import Statistics

/// How long a class lasts at a time.
package struct DwellSummary: Hashable, Sendable {
  /// How many runs there are.
  package let runs: Int
  /// The median duration in seconds.
  package let median: MetricValue
  /// The tenth percentile in seconds.
  package let tenth: MetricValue
  /// The ninetieth percentile in seconds.
  package let ninetieth: MetricValue
  /// The longest in seconds.
  package let longest: MetricValue
  /// The share of runs under 0.5 s.
  package let shortShare: MetricValue

  /// Sums up durations; quantiles interpolate between order statistics.
  ///
  /// - Complexity: O(n log n).
  package init(_ durations: [Double]) {
    let quantiles = Description.quantiles(durations, at: [0.1, 0.5, 0.9, 1])
    func quantile(_ index: Int) -> MetricValue {
      quantiles.map { .value($0[index]) } ?? .undefined(.occursNowhere)
    }
    runs = durations.count
    tenth = quantile(0)
    median = quantile(1)
    ninetieth = quantile(2)
    longest = quantile(3)
    let bound = ScoredStream.flickerBound - FrameTiming.slack
    shortShare = .ratio(
      Double(durations.count { $0 < bound }), Double(durations.count), orElse: .occursNowhere)
  }
}
