internal import PoseModel
internal import Statistics

/// How fast answers follow true changes, misses included.
package struct LatencyMetrics: Hashable, Sendable {
  /// The time of every change to its answer.
  package let latencies: [Latency]

  /// Takes pooled latencies.
  package init(_ latencies: [Latency]) { self.latencies = latencies }

  /// How many changes there are.
  package var changes: Int { latencies.count }

  /// How many of them an answer followed in time.
  package var hits: Int { latencies.count { !$0.isCensored } }

  /// hits / changes.
  package var hitRate: MetricValue {
    .ratio(Double(hits), Double(changes), orElse: .noTrueEvent)
  }

  /// The time by which half of the changes are followed, in seconds: misses count.
  package var median: MetricValue { quantile(0.5) }

  /// The time by which nine in ten are followed, in seconds: misses count.
  package var ninetieth: MetricValue { quantile(0.9) }

  /// The mean over hits alone, in seconds.
  ///
  /// It rewards missing what is hard: never without the hit rate beside it.
  package var meanOverHits: MetricValue {
    let sum = latencies.reduce(0) { $1.isCensored ? $0 : $0 + $1.seconds }
    return .ratio(sum, Double(hits), orElse: latencies.isEmpty ? .noTrueEvent : .noHit)
  }

  /// The share of hits whose answer was there before the change.
  package var earlyShare: MetricValue {
    let early = latencies.count { !$0.isCensored && $0.isEarly }
    return .ratio(Double(early), Double(hits), orElse: latencies.isEmpty ? .noTrueEvent : .noHit)
  }

  /// The time by which a share of the changes is followed, in seconds.
  ///
  /// - Complexity: O(n log n).
  private func quantile(_ share: Double) -> MetricValue {
    guard !latencies.isEmpty else { return .undefined(.noTrueEvent) }
    return .of(SurvivalCurve(latencies).quantile(share), orElse: .tooManyMisses)
  }
}

/// How soon true events are answered and let go.
extension Metric {
  /// The metrics of latencies.
  static let latencies: [Metric] = [
    .hitRate, .detectionLatencyMedian, .detectionLatencyNinetieth, .releaseLatencyMedian,
  ]

  /// The share of true events that are answered at all.
  package static let hitRate = Metric(
    name: "hit_rate", meaning: "The share of true events that are answered at all.",
    formula: .detections(\.hitRate))

  /// The time by which half of the true events are answered; misses count.
  package static let detectionLatencyMedian = Metric(
    name: "detection_latency_p50_s",
    meaning: "The time by which half of the true events are answered; misses count.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    formula: .detections(\.median))

  /// The time by which nine in ten true events are answered; misses count.
  package static let detectionLatencyNinetieth = Metric(
    name: "detection_latency_p90_s",
    meaning: "The time by which nine in ten true events are answered; misses count.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    formula: .detections(\.ninetieth))

  /// The time by which half of the answered events that ended are let go.
  package static let releaseLatencyMedian = Metric(
    name: "release_latency_p50_s",
    meaning: "The time by which half of the answered events that ended are let go.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    formula: .releases(\.median))
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
