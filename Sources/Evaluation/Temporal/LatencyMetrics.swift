internal import PoseModel
package import Statistics

/// Latencies whose metrics are computed on request.
///
/// Quantiles are Kaplan-Meier estimates over the observed changes. Labels often leave out the
/// movement before a plank: then the plank starts where scoring starts, and its latency is known
/// only up to the length of that stretch. Whether a change was observed depends on the labels, not
/// on the detector, so leaving the others out introduces no bias; treating them as observed would
/// make every detector look fast. `bounds` says what the hidden changes allow.
package struct LatencySample: Hashable, Sendable {
  package let latencies: [Latency]

  package init(_ latencies: [Latency]) { self.latencies = latencies }

  package var changes: Int { latencies.count }

  private var observed: [Latency] { latencies.filter { $0.change == .observed } }

  package var observedChanges: Int { latencies.count { $0.change == .observed } }

  package var hiddenChanges: Int { changes - observedChanges - unknownChanges }

  /// How many may have happened before the recording, or not at all.
  package var unknownChanges: Int { latencies.count { $0.change == .unknown } }

  package var hits: Int { latencies.count { !$0.isCensored } }

  package var hitRate: MetricValue {
    .ratio(Double(hits), Double(changes), orElse: .noTrueEvent)
  }

  /// The mean over hits of observed changes only, in seconds.
  ///
  /// It rewards missing the hard changes, so it must be read beside the hit rate.
  package var meanOverHits: MetricValue {
    let hits = observed.filter { !$0.isCensored }
    return .ratio(hits.reduce(0) { $0 + $1.seconds }, Double(hits.count), orElse: without)
  }

  /// The share of hits of observed changes whose answer was there before the change.
  package var earlyShare: MetricValue {
    let hits = observed.filter { !$0.isCensored }
    return .ratio(Double(hits.count(where: \.isEarly)), Double(hits.count), orElse: without)
  }

  /// The range of a quantile over observed and hidden changes, in seconds: if every hidden change
  /// happened when scoring started, and if it happened as early as possible.
  ///
  /// No assumption is made about where in its stretch a change happened. It is nil if no change is
  /// left or too many were missed.
  func bounds(_ share: Double) -> ClosedRange<Double>? {
    let known = latencies.filter { $0.change != .unknown }
    guard let least = SurvivalCurve(known).quantile(share),
      let greatest = SurvivalCurve(known.compactMap(\.greatest)).quantile(share)
    else { return nil }
    return least...max(least, greatest)
  }

  func quantile(_ share: Double) -> MetricValue {
    let observed = observed
    guard !observed.isEmpty else { return .undefined(without) }
    return .of(SurvivalCurve(observed).quantile(share), orElse: .tooManyMisses)
  }

  private var without: UndefinedReason {
    latencies.isEmpty ? .noTrueEvent : observedChanges == 0 ? .noObservedStart : .noHit
  }
}

package struct LatencyMetrics: Codable, Hashable, Sendable {
  package let changes: Int
  package let hits: Int
  package let observedChanges: Int
  package let hiddenChanges: Int
  package let unknownChanges: Int
  package let hitRate: MetricValue
  package let median: MetricValue
  package let medianBounds: ClosedRange<Double>?
  package let ninetieth: MetricValue
  package let ninetiethBounds: ClosedRange<Double>?
  package let meanOverHits: MetricValue
  package let earlyShare: MetricValue

  private enum CodingKeys: String, CodingKey {
    case changes, hits
    case observedChanges = "observed"
    case hiddenChanges = "hidden"
    case unknownChanges = "unknown"
    case hitRate = "hit_rate"
    case median = "p50_s"
    case medianBounds = "p50_bounds_s"
    case ninetieth = "p90_s"
    case ninetiethBounds = "p90_bounds_s"
    case meanOverHits = "mean_over_hits_only_s"
    case earlyShare = "early_share_of_hits"
  }

  package init(_ latencies: [Latency]) {
    let sample = LatencySample(latencies)
    changes = sample.changes
    hits = sample.hits
    observedChanges = sample.observedChanges
    hiddenChanges = sample.hiddenChanges
    unknownChanges = sample.unknownChanges
    hitRate = sample.hitRate
    median = sample.quantile(0.5)
    medianBounds = sample.bounds(0.5)
    ninetieth = sample.quantile(0.9)
    ninetiethBounds = sample.bounds(0.9)
    meanOverHits = sample.meanOverHits
    earlyShare = sample.earlyShare
  }
}

package enum LatencyFormula: Hashable, Sendable {
  case hitRate
  /// The time within which a share of the observed changes is answered, with the reason to give
  /// if there is no change at all; nil for that of `LatencySample`.
  case quantile(Double, ofNone: UndefinedReason? = nil)

  package func callAsFunction(_ latencies: LatencySample) -> MetricValue {
    switch self {
    case .hitRate: return latencies.hitRate
    case .quantile(let share, let reason):
      if latencies.changes == 0, let reason { return .undefined(reason) }
      return latencies.quantile(share)
    }
  }
}

extension Metric {
  static let latencies: [Metric] = [
    .hitRate, .detectionLatencyMedian, .detectionLatencyNinetieth, .releaseLatencyMedian,
  ]

  package static let hitRate = Metric(
    name: "hit_rate", meaning: "The share of true events that are answered at all.",
    formula: .detections(.hitRate))

  package static let detectionLatencyMedian = Metric(
    name: "detection_latency_p50_s",
    meaning:
      "The time by which half of the true events whose start was observed are answered; misses "
      + "count.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    needsObservedStarts: true, formula: .detections(.quantile(0.5)))

  package static let detectionLatencyNinetieth = Metric(
    name: "detection_latency_p90_s",
    meaning:
      "The time by which nine in ten true events whose start was observed are answered; misses "
      + "count.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    needsObservedStarts: true, formula: .detections(.quantile(0.9)))

  package static let releaseLatencyMedian = Metric(
    name: "release_latency_p50_s",
    meaning: "The time by which half of the answered events that ended are let go.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    formula: .releases(.quantile(0.5, ofNone: .noObservedEnd)))
}

/// The share of changes without an answer so far, by the time since, after Kaplan and Meier.
///
/// S(t) is the product over the times t_i <= t at which answers came of 1 - d_i / n_i, with d_i
/// answers at t_i and n_i changes that were neither answered nor censored before t_i; changes
/// censored at t_i still count in n_i. Without censoring it is the share above t. Times within a
/// nanosecond count as one time: differences of frame times are not exact.
///
/// - Source: Kaplan and Meier (1958), JASA 53(282):457, doi 10.1080/01621459.1958.10501452.
package struct SurvivalCurve: Sendable {
  private var steps: [(time: Double, survival: Double)] = []

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

  /// The shortest time within which a share of the changes is answered; nil if the curve never
  /// reaches it.
  package func quantile(_ share: Double) -> Double? {
    let bound = Self.bound(share)
    return steps.first { $0.survival <= bound }?.time
  }

  static func bound(_ share: Double) -> Double { 1 - share + tolerance }

  private static let tolerance = 1e-9
}
