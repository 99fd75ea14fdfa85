package import PoseModel

package struct OverTime: Codable, Hashable, Sendable {
  package struct Class: Codable, Hashable, Sendable {
    package let label: String
    package let eventF1: MetricValue
    package let detection: LatencyMetrics
    package let release: LatencyMetrics

    private enum CodingKeys: String, SnakeCaseKey { case label, detection, release, eventF1 }
  }

  package let detection: LatencyMetrics
  package let release: LatencyMetrics
  package let holds: HoldMetrics
  package let classes: [Class]

  /// Pools the events and latencies of all sources; the timer's numbers are means over sources.
  init(sources: [PooledCounts]) {
    let counts = ScoreView.sum(sources).temporal
    let headline = counts.events.first { $0.rule == .headline }
    detection = LatencyMetrics(counts.classes.flatMap(\.detections))
    release = LatencyMetrics(counts.classes.flatMap(\.releases))
    holds = HoldMetrics(sources: sources.map(\.temporal.any.holds))
    classes = counts.labels.enumerated().map { index, label in
      Class(
        label: label,
        eventF1: headline.map { EventScores($0.classes[index]).f1 } ?? .undefined(.noEvent),
        detection: LatencyMetrics(counts.classes[index].detections),
        release: LatencyMetrics(counts.classes[index].releases))
    }
  }
}

package struct TemporalDetails: Codable, Hashable, Sendable {
  package let temporal: TemporalMetrics
  package let dwells: [String: ClassDwells]
  package let longestAnswer: MetricValue

  private enum CodingKeys: String, CodingKey {
    case temporal, dwells
    case longestAnswer = "longest_predicted_s"
  }

  init(_ pool: PooledCounts) {
    temporal = TemporalMetrics(pool.temporal)
    dwells = pool.dwells.summaries(pool.stream.labels)
    longestAnswer = pool.dwells.longestAnswer
  }
}

package struct TemporalMetrics: Codable, Hashable, Sendable {
  package let rules: [EventRule]
  package let events: [EventScores]
  package let detection: LatencyMetrics
  package let release: LatencyMetrics
  package let segments: SegmentTally
  package let any: ClassTemporalMetrics
  package let classes: [ClassTemporalMetrics]

  package init(_ counts: TemporalCounts) {
    rules = counts.events.map(\.rule)
    events = counts.events.map { EventScores($0.pooled, substitutions: $0.substitutions) }
    detection = LatencyMetrics(counts.classes.flatMap(\.detections))
    release = LatencyMetrics(counts.classes.flatMap(\.releases))
    segments = counts.segments
    any = ClassTemporalMetrics(counts.any, label: nil, events: [])
    classes = counts.labels.enumerated().map { index, label in
      ClassTemporalMetrics(
        counts.classes[index], label: label, events: counts.events.map { $0.classes[index] })
    }
  }
}

package struct ClassTemporalMetrics: Codable, Hashable, Sendable {
  package let label: String?
  package let events: [EventScores]
  package let binF1: MetricValue
  package let ward: WardCounts
  package let detection: LatencyMetrics
  package let release: LatencyMetrics
  package let holds: HoldMetrics

  private enum CodingKeys: String, CodingKey {
    case label, events, ward, detection, release, holds
    case binF1 = "f1_bins_1s"
  }

  init(_ counts: ClassTemporalCounts, label: String?, events: [EventCounts]) {
    self.label = label
    self.events = events.map { EventScores($0) }
    binF1 = counts.bins.f1
    ward = counts.ward
    detection = LatencyMetrics(counts.detections)
    release = LatencyMetrics(counts.releases)
    holds = HoldMetrics(counts.holds)
  }
}

/// The counts of events, latencies and holds over time.
///
/// Everything is counted within spans of consecutive scored frames, in which truth and answers are
/// cut alike. Counts of events and sequences are not weighted.
package struct TemporalCounts: Hashable, Sendable {
  package let labels: [String]
  package private(set) var events: [EventTally]
  package private(set) var segments = SegmentTally()
  package private(set) var any = ClassTemporalCounts()
  package private(set) var classes: [ClassTemporalCounts]

  /// Empty counts, whose arrays all counts share until something is counted.
  private static let nothing = PerStream { TemporalCounts(nothingOf: $0) }

  private init(nothingOf stream: AnswerStream) {
    labels = Array(stream.labels.dropFirst())
    let count = labels.count
    events = EventRule.standard.map { EventTally($0, classCount: count) }
    classes = Array(repeating: ClassTemporalCounts(), count: count)
  }

  package init(_ stream: AnswerStream) { self = Self.nothing[stream] }

  init(
    _ scored: ScoredStream, _ spans: [ScoredSpan], of stream: AnswerStream,
    _ detail: SequenceScores.Detail
  ) {
    self.init(stream)
    guard detail > .frames, !spans.isEmpty || scored.hasOnsets else { return }
    let rules = events.indices.filter { detail == .all || events[$0].rule == .headline }
    for span in spans {
      let truth = span.truth.filter { $0.code > 0 }
      let answers = span.answers.filter { $0.code > 0 }
      for index in rules { events[index].add(truth: truth, answers: answers) }
    }
    let isWhole = detail == .all
    if isWhole { segments = SegmentTally(spans) }
    let latencies = LatencySpans(scored, spans)
    any = ClassTemporalCounts(isWhole ? .all : .holds, spans, scored, latencies) { $0 > 0 }
    classes = labels.indices.map { index in
      ClassTemporalCounts(isWhole ? .all : .latencies, spans, scored, latencies) {
        Int($0) == index + 1
      }
    }
  }

  package static func += (left: inout TemporalCounts, right: TemporalCounts) {
    precondition(left.labels == right.labels, "streams are not pooled with each other")
    for index in left.events.indices { left.events[index] += right.events[index] }
    left.segments += right.segments
    left.any += right.any
    for index in left.classes.indices { left.classes[index] += right.classes[index] }
  }
}

package struct ClassTemporalCounts: Hashable, Sendable {
  package private(set) var ward = WardCounts()
  package private(set) var bins = BinCounts()
  package private(set) var detections: [Latency] = []
  package private(set) var releases: [Latency] = []
  package private(set) var holds = HoldCounts()

  package init() {}

  enum Parts { case latencies, holds, all }

  init(
    _ parts: Parts, _ spans: [ScoredSpan], _ stream: ScoredStream, _ latencies: LatencySpans,
    _ isOf: (UInt8) -> Bool
  ) {
    if parts != .holds { (detections, releases) = latencies.latencies(rule: .standard, isOf) }
    guard parts != .latencies else { return }
    let reduced = spans.map { $0.reduced(isOf) }
    holds = HoldCounts(reduced)
    guard parts == .all else { return }
    for span in reduced {
      ward.add(span, stream.dwell)
      bins.add(span)
    }
  }

  package static func += (left: inout ClassTemporalCounts, right: ClassTemporalCounts) {
    left.ward += right.ward
    left.bins += right.bins
    left.detections += right.detections
    left.releases += right.releases
    left.holds += right.holds
  }
}

extension Metric {
  static let overTime: [Metric] = [.eventF1] + latencies + holds
}

/// The error of the timer that a user sees, averaged over sequences, and then over sources.
package struct HoldMetrics: Codable, Hashable, Sendable {
  package let counts: HoldCounts
  package let error: MetricValue
  /// The mean over sequences of answered - true seconds; positive if the timer shows too much.
  package let signedError: MetricValue
  /// The sum of |answered - true| over the sum of true seconds.
  package let relativeError: MetricValue
  package let longestError: MetricValue
  package let longestSignedError: MetricValue

  private enum CodingKeys: String, SnakeCaseKey {
    case counts
    case error = "error_s"
    case signedError = "signed_error_s"
    case relativeError
    case longestError = "longest_error_s"
    case longestSignedError = "longest_signed_error_s"
  }

  package init(_ counts: HoldCounts) {
    let sequences = Double(counts.sequences)
    self.counts = counts
    error = .ratio(counts.absoluteError, sequences, orElse: .noScoredFrames)
    signedError = .ratio(
      counts.answeredSeconds - counts.trueSeconds, sequences, orElse: .noScoredFrames)
    relativeError = .ratio(
      counts.absoluteError, counts.trueSeconds,
      orElse: counts.sequences == 0 ? .noScoredFrames : .noTruth)
    longestError = .ratio(counts.longestAbsoluteError, sequences, orElse: .noScoredFrames)
    longestSignedError = .ratio(
      counts.longestAnswered - counts.longestTrue, sequences, orElse: .noScoredFrames)
  }

  /// Averages over the sources with a scored frame; the counts are sums over all sources.
  init(sources: [HoldCounts]) {
    let scored = sources.filter { $0.sequences > 0 }
    let parts = (scored.isEmpty ? [sources[0]] : scored).map { HoldMetrics($0) }
    func mean(_ metric: KeyPath<HoldMetrics, MetricValue>) -> MetricValue {
      .mean(parts.map { $0[keyPath: metric] })
    }
    counts = sources.dropFirst().reduce(into: sources[0]) { $0 += $1 }
    error = mean(\.error)
    signedError = mean(\.signedError)
    relativeError = mean(\.relativeError)
    longestError = mean(\.longestError)
    longestSignedError = mean(\.longestSignedError)
  }
}

package struct HoldRule: Hashable, Sendable {
  /// The longest gap (inclusive) that does not end a hold; the gap counts as held.
  package let forgivenGap: Seconds

  /// The rule of the metrics: half a second, which is also how long an answer outlasts missing
  /// frames.
  package static let standard = HoldRule(forgivenGap: Seconds(0.5))
}

/// The error of the timer for a class.
///
/// Each sequence has its own error, so that an excess in one sequence does not compensate for a
/// shortfall in another.
package struct HoldCounts: Codable, Hashable, Sendable {
  package private(set) var sequences = 0
  package private(set) var trueSeconds = 0.0
  package private(set) var answeredSeconds = 0.0
  package private(set) var absoluteError = 0.0
  package private(set) var longestTrue = 0.0
  package private(set) var longestAnswered = 0.0
  package private(set) var longestAbsoluteError = 0.0

  private enum CodingKeys: String, CodingKey {
    case sequences
    case trueSeconds = "true_s"
    case answeredSeconds = "predicted_s"
    case absoluteError = "absolute_error_s"
    case longestTrue = "longest_true_s"
    case longestAnswered = "longest_predicted_s"
    case longestAbsoluteError = "longest_absolute_error_s"
  }

  package init() {}

  init(_ spans: [ScoredSpan], rule: HoldRule = .standard) {
    guard !spans.isEmpty else { return }
    sequences = 1
    for span in spans {
      trueSeconds += ScoredSpan.events(span.truth).reduce(0) { $0 + $1.seconds }
      answeredSeconds += ScoredSpan.events(span.answers).reduce(0) { $0 + $1.seconds }
      longestTrue = max(longestTrue, Self.longest(span.truth, rule))
      longestAnswered = max(longestAnswered, Self.longest(span.answers, rule))
    }
    absoluteError = abs(answeredSeconds - trueSeconds)
    longestAbsoluteError = abs(longestAnswered - longestTrue)
  }

  package static func += (left: inout HoldCounts, right: HoldCounts) {
    left.sequences += right.sequences
    left.trueSeconds += right.trueSeconds
    left.answeredSeconds += right.answeredSeconds
    left.absoluteError += right.absoluteError
    left.longestTrue += right.longestTrue
    left.longestAnswered += right.longestAnswered
    left.longestAbsoluteError += right.longestAbsoluteError
  }

  private static func longest(_ runs: [LabelRun], _ rule: HoldRule) -> Double {
    var longest = 0.0
    var held = 0.0
    var gap = 0.0
    for run in runs {
      if run.code == 1 {
        let isForgiven = gap <= rule.forgivenGap.value + FrameTiming.slack
        held = isForgiven && held > 0 ? held + gap + run.seconds : run.seconds
        longest = max(longest, held)
        gap = 0
      } else {
        gap = run.seconds
      }
    }
    return longest
  }
}

extension Metric {
  static let holds: [Metric] = [.holdError, .longestHoldError]

  package static let holdError = Metric(
    name: "hold_error_s", meaning: "The mean error of the time held per session.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), scope: .session,
    formula: .holds { HoldMetrics($0).error })

  package static let longestHoldError = Metric(
    name: "longest_hold_error_s",
    meaning: "The mean error of the longest hold per session; gaps of up to 0.5 s are ignored.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), scope: .session,
    formula: .holds { HoldMetrics($0).longestError })
}
