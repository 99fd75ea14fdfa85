package import PoseModel
package import Statistics

package struct Latency: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    /// Between two scored frames or at an onset; the latency counts from the first frame after it.
    case observed
    /// In an unscored stretch between two classes.
    ///
    /// The latency counts from the end of the stretch; the change may have been up to this many
    /// seconds earlier.
    case hidden(upTo: Double)
    /// The change may have happened before the recording, or not at all.
    case unknown
  }

  /// The seconds from the change to the first answer, or the time in which an answer could have
  /// come.
  ///
  /// The number is negative if the rule allows early answers. For a change that was not observed,
  /// the number is the smallest possible latency.
  package let seconds: Double
  package let isCensored: Bool
  package let isEarly: Bool
  package let change: Change

  package init(
    seconds: Double, isCensored: Bool, isEarly: Bool = false, change: Change = .observed
  ) {
    self.seconds = seconds
    self.isCensored = isCensored
    self.isEarly = isEarly
    self.change = change
  }

  var greatest: Latency? {
    switch change {
    case .observed: self
    case .hidden(let earlier):
      Latency(seconds: seconds + earlier, isCensored: isCensored, isEarly: isEarly)
    case .unknown: nil
    }
  }
}

package struct LatencyRule: Hashable, Sendable {
  /// How long before the true change an answer may start and still count.
  package var early = Seconds(0)
  package var confirm = Seconds(0)

  /// Answers count from their first frame on, and no earlier than the change.
  package static let standard = LatencyRule()
}

/// The scored frames, and unscored frames whose class comes from an onset.
struct LatencySpans {
  private let stream: ScoredStream
  private let spans: [ScoredSpan]
  private let scoring: ScoredStream

  init(_ stream: ScoredStream, _ scored: [ScoredSpan]) {
    scoring = stream
    self.stream = stream.withOnsets
    spans = stream.hasOnsets ? self.stream.spans : scored
  }

  func latencies(
    rule: LatencyRule, _ isOf: (UInt8) -> Bool
  ) -> (detections: [Latency], releases: [Latency]) {
    var result: (detections: [Latency], releases: [Latency]) = ([], [])
    let isTrue = spans.contains { span in span.truth.contains { isOf($0.code) } }
    guard isTrue else { return result }
    var previous: ScoredSpan?
    for span in spans.map({ $0.reduced(isOf) }) {
      let scan = LatencyScan(
        rule: rule, span: span, times: stream.times,
        opening: SpanOpening(span, after: previous, stream, isOf), isScored: scoring.isScored)
      result.detections += scan.detections
      result.releases += scan.releases
      previous = span
    }
    return result
  }
}

struct SpanOpening {
  private let wasTrue: Bool?
  private let hidden: Double
  private let answered: Double

  init(
    _ span: ScoredSpan, after previous: ScoredSpan?, _ stream: ScoredStream, _ isOf: (UInt8) -> Bool
  ) {
    let start = span.frames.lowerBound
    wasTrue = previous?.truth.last.map { $0.code == 1 }
    let last = previous.map { $0.frames.upperBound - 1 } ?? start
    hidden = span.start - (previous?.end ?? span.start)
    var since = start
    while since > last, isOf(stream.answers[since]), isOf(stream.answers[since - 1]) { since -= 1 }
    answered = min(hidden, span.start - stream.times[since])
  }

  var change: Latency.Change { wasTrue == false ? .hidden(upTo: hidden - answered) : .unknown }
}

struct LatencyScan {
  let rule: LatencyRule
  let span: ScoredSpan
  let times: [Double]
  let opening: SpanOpening
  let isScored: (Int) -> Bool

  /// For every true event, the time to the first answer of the class.
  ///
  /// An answer must come before the event ends and include a scored frame. The latency of an event
  /// without an answer is censored at the event's length. An event that begins a span was not seen
  /// to start: its latency counts from the start of scoring, and its `change` is `hidden` or
  /// `unknown`.
  var detections: [Latency] {
    ScoredSpan.events(span.truth).map { event in
      let found =
        isMissed(event)
        ? Latency(seconds: event.end - event.start, isCensored: true)
        : latency(of: 1, from: event.start, before: event.end, at: event.frames.lowerBound)
      guard event.frames.lowerBound == span.frames.lowerBound else { return found }
      return Latency(
        seconds: found.seconds, isCensored: found.isCensored, isEarly: found.isEarly,
        change: opening.change)
    }
  }

  /// For every true event that was answered, the time from its end to the first other answer.
  ///
  /// Events that end with the span have no release. A release must come before the class is true
  /// again and before the span ends; otherwise it is censored at the first of these times.
  var releases: [Latency] {
    let events = ScoredSpan.events(span.truth)
    return events.enumerated().compactMap { index, event in
      guard event.frames.upperBound < span.frames.upperBound, isAnswered(during: event) else {
        return nil
      }
      let horizon = index + 1 < events.count ? events[index + 1].start : span.end
      return latency(of: 0, from: event.end, before: horizon, at: event.frames.upperBound)
    }
  }

  private func isAnswered(during event: LabelRun) -> Bool {
    guard let index = firstRun(endingAfter: event.frames.lowerBound) else { return false }
    return span.answers[index...].prefix { $0.frames.lowerBound < event.frames.upperBound }
      .contains { $0.code == 1 && $0.frames.clamped(to: event.frames).contains(where: isScored) }
  }

  private func isMissed(_ event: LabelRun) -> Bool {
    !event.frames.allSatisfy(isScored) && !isAnswered(during: event)
  }

  private func latency(
    of code: UInt8, from change: Double, before end: Double, at frame: Int
  ) -> Latency {
    let earliest = change - rule.early.value - FrameTiming.slack
    var index = firstRun(endingAfter: frame) ?? span.answers.count
    while index > 0, span.answers[index - 1].end > earliest { index -= 1 }
    for run in span.answers[min(index, span.answers.count)...] {
      guard run.start < end - FrameTiming.slack else { break }
      guard run.code == code, let time = firstTime(in: run, from: earliest),
        time < end - FrameTiming.slack, run.end - time >= rule.confirm.value - FrameTiming.slack
      else { continue }
      return Latency(
        seconds: time - change, isCensored: false,
        isEarly: run.frames.lowerBound < frame && run.frames.upperBound > frame || time < change)
    }
    return Latency(seconds: end - change, isCensored: true)
  }

  private func firstRun(endingAfter frame: Int) -> Int? {
    let index = span.answers.partitioningIndex { $0.frames.upperBound > frame }
    return index < span.answers.endIndex ? index : nil
  }

  private func firstTime(in run: LabelRun, from earliest: Double) -> Double? {
    if run.start >= earliest { return run.start }
    let index = times[run.frames].partitioningIndex { $0 >= earliest }
    return index < run.frames.upperBound ? times[index] : nil
  }
}

/// Latencies whose metrics are computed on request.
///
/// Quantiles are Kaplan-Meier estimates over the observed changes. Labels often leave out the
/// movement before a plank; its latency is then known only up to the length of the unscored
/// stretch. Whether a change was observed depends on the labels, not on the detector, so leaving
/// out the other changes introduces no bias; counting them as observed would make every detector
/// look fast. `bounds` gives the range that the hidden changes allow.
package struct LatencySample: Hashable, Sendable {
  package let latencies: [Latency]

  package init(_ latencies: [Latency]) { self.latencies = latencies }

  package var changes: Int { latencies.count }

  private var observed: [Latency] { latencies.filter { $0.change == .observed } }

  package var observedChanges: Int { latencies.count { $0.change == .observed } }

  package var hiddenChanges: Int { changes - observedChanges - unknownChanges }

  package var unknownChanges: Int { latencies.count { $0.change == .unknown } }

  package var hits: Int { latencies.count { !$0.isCensored } }

  package var hitRate: MetricValue { .ratio(Double(hits), Double(changes), orElse: .noTrueEvent) }

  /// The mean over hits of observed changes only, in seconds.
  ///
  /// It is lower for a detector that misses the hard changes, so read it together with the hit
  /// rate.
  package var meanOverHits: MetricValue {
    let hits = observed.filter { !$0.isCensored }
    return .ratio(hits.reduce(0) { $0 + $1.seconds }, Double(hits.count), orElse: without)
  }

  package var earlyShare: MetricValue {
    let hits = observed.filter { !$0.isCensored }
    return .ratio(Double(hits.count(where: \.isEarly)), Double(hits.count), orElse: without)
  }

  /// One end assumes that every hidden change happened when scoring started, the other that it
  /// happened as early as possible.
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

  private enum CodingKeys: String, SnakeCaseKey {
    case changes, hits
    case observedChanges = "observed"
    case hiddenChanges = "hidden"
    case unknownChanges = "unknown"
    case hitRate
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
  /// The time within which a share of the observed changes is answered.
  ///
  /// `ofNone` is the reason if there is no change at all; nil selects that of `LatencySample`.
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
    name: "hit_rate",
    meaning: "The event recall: the share of true events that are answered at all.",
    formula: .detections(.hitRate))

  package static let detectionLatencyMedian = Metric(
    name: "detection_latency_p50_s",
    meaning:
      "The median latency of true events with an observed start, including missed events.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    needsObservedStarts: true, formula: .detections(.quantile(0.5)))

  package static let detectionLatencyNinetieth = Metric(
    name: "detection_latency_p90_s",
    meaning:
      "The 90th-percentile latency of true events with an observed start, including missed events.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    needsObservedStarts: true, formula: .detections(.quantile(0.9)))

  package static let releaseLatencyMedian = Metric(
    name: "release_latency_p50_s",
    meaning: "The median time from the end of an answered event to the end of its answer.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    formula: .releases(.quantile(0.5, ofNone: .noObservedEnd)))
}

/// The share of changes without an answer so far, by the time since the change (Kaplan-Meier
/// estimate).
///
/// S(t) is the product of 1 - d_i / n_i over the times t_i <= t at which answers came, with d_i
/// answers at t_i and n_i changes that were neither answered nor censored before t_i; changes
/// censored at t_i still count in n_i. Without censoring, S(t) is the share of times above t. Times
/// within a nanosecond count as one time, because differences of frame times are not exact.
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
