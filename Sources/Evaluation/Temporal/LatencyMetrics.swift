internal import PoseModel

/// How fast answers follow true changes, misses included.
package struct LatencyMetrics: Hashable, Sendable {
  /// How many changes there are.
  package let changes: Int
  /// How many of them an answer followed in time.
  package let hits: Int
  /// hits / changes.
  package let hitRate: MetricValue
  /// The time by which half of the changes are followed, in seconds: misses count.
  package let median: MetricValue
  /// The time by which nine in ten are followed, in seconds: misses count.
  package let ninetieth: MetricValue
  /// The mean over hits alone, in seconds.
  ///
  /// It rewards missing what is hard: never without the hit rate beside it.
  package let meanOverHits: MetricValue
  /// The share of hits whose answer was there before the change.
  package let earlyShare: MetricValue

  /// Derives the metrics of pooled latencies.
  ///
  /// - Complexity: O(n log n).
  package init(_ latencies: [Latency]) {
    let followed = latencies.filter { !$0.isCensored }
    let curve = SurvivalCurve(latencies)
    func quantile(_ share: Double) -> MetricValue {
      guard !latencies.isEmpty else { return .undefined(.noTrueEvent) }
      return curve.quantile(share).map { .value($0) } ?? .undefined(.tooManyMisses)
    }
    let none: UndefinedReason = latencies.isEmpty ? .noTrueEvent : .noHit
    changes = latencies.count
    hits = followed.count
    hitRate = .ratio(Double(followed.count), Double(latencies.count), orElse: .noTrueEvent)
    median = quantile(0.5)
    ninetieth = quantile(0.9)
    meanOverHits = .ratio(
      followed.reduce(0) { $0 + $1.seconds }, Double(followed.count), orElse: none)
    earlyShare = .ratio(
      Double(followed.count(where: \.isEarly)), Double(followed.count), orElse: none)
  }
}

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
