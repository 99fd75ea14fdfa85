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
