package import PoseModel

/// How soon the answers of a stream follow true events, and the timer: the numbers that matter most.
package struct OverTime: Codable, Hashable, Sendable {
  /// The events of one class.
  package struct Class: Codable, Hashable, Sendable {
    /// The class.
    package let label: String
    /// The F1 of its events within half a second.
    package let eventF1: MetricValue
    /// From the start of a true event to the first answer.
    package let detection: LatencyMetrics
    /// From the end of a true event to the first other answer.
    package let release: LatencyMetrics

    private enum CodingKeys: String, CodingKey {
      case label
      case eventF1 = "event_f1"
      case detection, release
    }
  }

  /// Detection over the events of all classes.
  package let detection: LatencyMetrics
  /// Release over the events of all classes.
  package let release: LatencyMetrics
  /// The error of a timer of all classes as one.
  package let holds: HoldMetrics
  /// Each class against the rest.
  package let classes: [Class]

  /// Derives the numbers of the pools of sources.
  ///
  /// Events and latencies are those of all sources together. The timer is the mean over the sources
  /// with a scored frame, as its metrics are.
  ///
  /// - Precondition: at least one source.
  /// - Complexity: O(events log events).
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

/// Everything about a stream over time.
package struct TemporalDetails: Codable, Hashable, Sendable {
  /// How well the answers follow the truth.
  package let temporal: TemporalMetrics
  /// How long the runs of each class last.
  package let dwells: [String: ClassDwells]
  /// The longest time in seconds without a change of the answer.
  package let longestAnswer: MetricValue

  private enum CodingKeys: String, CodingKey {
    case temporal, dwells
    case longestAnswer = "longest_answer_s"
  }

  /// Derives the numbers of a pool.
  init(_ pool: PooledCounts) {
    temporal = TemporalMetrics(pool.temporal)
    dwells = pool.dwells.summaries(pool.stream.labels)
    longestAnswer = pool.dwells.longestAnswer
  }
}

/// How well the answers of a stream follow the truth over time, in every detail.
package struct TemporalMetrics: Codable, Hashable, Sendable {
  /// The rules of `events`, in order.
  package let rules: [EventRule]
  /// Event scores over all classes except the empty answer, under each rule.
  package let events: [EventScores]
  /// Detection over the events of all classes.
  package let detection: LatencyMetrics
  /// Release over the events of all classes.
  package let release: LatencyMetrics
  /// Segments by overlap and order.
  package let segments: SegmentTally
  /// All classes as one, against the empty answer: for planks, what a timer shows.
  package let any: ClassTemporalMetrics
  /// Each class against the rest.
  package let classes: [ClassTemporalMetrics]

  /// Derives the metrics of pooled counts.
  ///
  /// - Complexity: O(events log events).
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

/// How well one class is followed over time.
package struct ClassTemporalMetrics: Codable, Hashable, Sendable {
  /// The class; nil for all except the empty answer as one.
  package let label: String?
  /// Event scores under each standard rule; empty if classes are taken as one.
  package let events: [EventScores]
  /// F1 over bins of one second.
  package let binF1: MetricValue
  /// Time and events by kind of error.
  package let ward: WardCounts
  /// From the start of a true event to the first answer.
  package let detection: LatencyMetrics
  /// From the end of a true event to the first other answer.
  package let release: LatencyMetrics
  /// The error of a timer of the class.
  package let holds: HoldMetrics

  private enum CodingKeys: String, CodingKey {
    case label, events
    case binF1 = "f1_bins_1s"
    case ward, detection, release, holds
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

/// The sufficient statistics of every temporal metric of a stream; sums over sequences.
///
/// Everything is counted within spans of consecutive scored frames, in which truth and answers are
/// cut alike. Counts of events and of sequences are not weighted: an event counts once at any frame
/// rate. Durations are in seconds, with a frame lasting at most 0.5 s.
package struct TemporalCounts: Hashable, Sendable {
  /// The classes except the empty answer.
  package let labels: [String]
  /// The events under each of the standard rules.
  package private(set) var events: [EventTally]
  /// Segments by overlap and order.
  package private(set) var segments = SegmentTally()
  /// All classes as one, against the empty answer.
  package private(set) var any = ClassTemporalCounts()
  /// Each class against the rest, in the order of `labels`.
  package private(set) var classes: [ClassTemporalCounts]

  /// Empty counts of a stream with some classes; the first one is the empty answer.
  init(streamLabels: [String]) {
    labels = Array(streamLabels.dropFirst())
    let count = labels.count
    events = EventRule.standard.map { EventTally($0, classCount: count) }
    classes = Array(repeating: ClassTemporalCounts(), count: count)
  }

  /// Empty counts of a stream.
  package init(_ stream: AnswerStream) { self.init(streamLabels: stream.labels) }

  /// Counts one stream of a sequence.
  ///
  /// - Parameters:
  ///   - spans: those of the stream.
  ///   - detail: what is counted; the rest stays empty.
  /// - Complexity: O(frames) per class, plus the matching of events.
  init(
    _ stream: ScoredStream, _ spans: [ScoredSpan], streamLabels: [String],
    _ detail: SequenceScores.Detail
  ) {
    self.init(streamLabels: streamLabels)
    guard detail > .frames else { return }
    let rules = events.indices.filter { detail == .all || events[$0].rule == .headline }
    for span in spans {
      let truth = span.truth.filter { $0.code > 0 }
      let answers = span.answers.filter { $0.code > 0 }
      for index in rules { events[index].add(truth: truth, answers: answers) }
    }
    let isWhole = detail == .all
    if isWhole { segments = SegmentTally(spans) }
    let latencies = LatencySpans(stream, spans)
    any = ClassTemporalCounts(isWhole ? .all : .holds, spans, stream, latencies) { $0 > 0 }
    classes = labels.indices.map { index in
      ClassTemporalCounts(isWhole ? .all : .latencies, spans, stream, latencies) {
        Int($0) == index + 1
      }
    }
  }

  /// Adds the counts of other sequences.
  package static func += (left: inout TemporalCounts, right: TemporalCounts) {
    precondition(left.labels == right.labels, "streams are not pooled with each other")
    for index in left.events.indices { left.events[index] += right.events[index] }
    left.segments += right.segments
    left.any += right.any
    for index in left.classes.indices { left.classes[index] += right.classes[index] }
  }
}

/// What happened to one class over time, in truth and in answers; sums over sequences.
package struct ClassTemporalCounts: Hashable, Sendable {
  /// Time and events by kind of error.
  package private(set) var ward = WardCounts()
  /// Seconds in which the class is active at all.
  package private(set) var bins = BinCounts()
  /// The time of every true event to its first answer.
  package private(set) var detections: [Latency] = []
  /// The time of every answered true event's end to the first other answer.
  package private(set) var releases: [Latency] = []
  /// How long the class lasts.
  package private(set) var holds = HoldCounts()

  /// Nothing.
  package init() {}

  /// What is counted of a class; the rest stays empty.
  enum Parts { case latencies, holds, all }

  /// Counts a sequence, one class (or several as one) against the rest.
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

  /// Adds the counts of other sequences.
  package static func += (left: inout ClassTemporalCounts, right: ClassTemporalCounts) {
    left.ward += right.ward
    left.bins += right.bins
    left.detections += right.detections
    left.releases += right.releases
    left.holds += right.holds
  }
}

extension Metric {
  /// The metrics of events, latencies and the timer.
  static let overTime: [Metric] = [.eventF1] + latencies + holds
}
