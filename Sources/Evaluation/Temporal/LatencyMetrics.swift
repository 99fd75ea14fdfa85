internal import PoseModel
package import Statistics

/// How fast answers follow true changes, misses included.
///
/// Quantiles are those of Kaplan and Meier over the changes that were observed. Labels often leave
/// out the movement before a plank: then the plank begins where scoring begins, and its latency is
/// known only up to the length of that stretch. Whether a change was observed is up to the labels,
/// not to the detector, so leaving the others out biases nothing; taking them for observed would
/// make every detector look fast. `bounds` says what the hidden ones allow.
package struct LatencyMetrics: Hashable, Sendable {
  /// The time of every change to its answer.
  package let latencies: [Latency]

  /// Takes pooled latencies.
  package init(_ latencies: [Latency]) { self.latencies = latencies }

  /// How many changes there are.
  package var changes: Int { latencies.count }

  /// Those whose time is known.
  private var observed: [Latency] { latencies.filter { $0.change == .observed } }

  /// How many changes were observed.
  package var observedChanges: Int { latencies.count { $0.change == .observed } }

  /// How many happened in a stretch that is not scored.
  package var hiddenChanges: Int { changes - observedChanges - unknownChanges }

  /// How many may have happened before the recording, or not at all.
  package var unknownChanges: Int { latencies.count { $0.change == .unknown } }

  /// How many of all changes an answer followed in time.
  package var hits: Int { latencies.count { !$0.isCensored } }

  /// hits / changes.
  package var hitRate: MetricValue {
    .ratio(Double(hits), Double(changes), orElse: .noTrueEvent)
  }

  /// The time by which half of the observed changes are followed, in seconds: misses count.
  package var median: MetricValue { quantile(0.5) }

  /// The time by which nine in ten observed changes are followed, in seconds: misses count.
  package var ninetieth: MetricValue { quantile(0.9) }

  /// The mean over hits of observed changes alone, in seconds.
  ///
  /// It rewards missing what is hard: never without the hit rate beside it.
  package var meanOverHits: MetricValue {
    let hits = observed.filter { !$0.isCensored }
    return .ratio(hits.reduce(0) { $0 + $1.seconds }, Double(hits.count), orElse: without)
  }

  /// The share of hits of observed changes whose answer was there before the change.
  package var earlyShare: MetricValue {
    let hits = observed.filter { !$0.isCensored }
    return .ratio(Double(hits.count(where: \.isEarly)), Double(hits.count), orElse: without)
  }

  /// What a quantile over observed and hidden changes can be, in seconds: as if every hidden one
  /// had happened when scoring began, and as if it had happened as early as it may have.
  ///
  /// No assumption is made of where in its stretch a change happened. nil where no change is left
  /// or so many were missed.
  package func bounds(_ share: Double) -> ClosedRange<Double>? {
    let known = latencies.filter { $0.change != .unknown }
    guard let least = SurvivalCurve(known).quantile(share),
      let greatest = SurvivalCurve(known.compactMap(\.greatest)).quantile(share)
    else { return nil }
    return least...max(least, greatest)
  }

  /// The time by which a share of the observed changes is followed, in seconds.
  ///
  /// - Complexity: O(n log n).
  func quantile(_ share: Double) -> MetricValue {
    let observed = observed
    guard !observed.isEmpty else { return .undefined(without) }
    return .of(SurvivalCurve(observed).quantile(share), orElse: .tooManyMisses)
  }

  /// Why there is no number where nothing is left to compute it from.
  private var without: UndefinedReason {
    latencies.isEmpty ? .noTrueEvent : observedChanges == 0 ? .noObservedStart : .noHit
  }
}

/// What a metric makes of latencies.
package enum LatencyFormula: Hashable, Sendable {
  /// The share of changes that are followed.
  case hitRate
  /// The time by which a share of the observed changes is followed, with the reason to give where
  /// there is no change at all; nil for that of `LatencyMetrics`.
  case quantile(Double, ofNone: UndefinedReason? = nil)

  /// The value for some latencies.
  package func callAsFunction(_ latencies: LatencyMetrics) -> MetricValue {
    switch self {
    case .hitRate: return latencies.hitRate
    case .quantile(let share, let reason):
      if latencies.changes == 0, let reason { return .undefined(reason) }
      return latencies.quantile(share)
    }
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
    formula: .detections(.hitRate))

  /// The time by which half of the true events are answered; misses count.
  package static let detectionLatencyMedian = Metric(
    name: "detection_latency_p50_s",
    meaning:
      "The time by which half of the true events whose start was observed are answered; misses "
      + "count.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    needsObservedStarts: true, formula: .detections(.quantile(0.5)))

  /// The time by which nine in ten true events are answered; misses count.
  package static let detectionLatencyNinetieth = Metric(
    name: "detection_latency_p90_s",
    meaning:
      "The time by which nine in ten true events whose start was observed are answered; misses "
      + "count.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    needsObservedStarts: true, formula: .detections(.quantile(0.9)))

  /// The time by which half of the answered events that ended are let go.
  package static let releaseLatencyMedian = Metric(
    name: "release_latency_p50_s",
    meaning: "The time by which half of the answered events that ended are let go.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    formula: .releases(.quantile(0.5, ofNone: .noObservedEnd)))
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
    let bound = Self.bound(share)
    return steps.first { $0.survival <= bound }?.time
  }

  /// The survival at or below which a share of the changes is followed.
  static func bound(_ share: Double) -> Double { 1 - share + tolerance }

  /// Products of fractions are not exact.
  private static let tolerance = 1e-9
}
