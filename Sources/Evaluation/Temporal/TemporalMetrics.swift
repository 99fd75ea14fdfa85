package import PoseModel

package struct OverTime: Codable, Hashable, Sendable {
  package struct Class: Codable, Hashable, Sendable {
    package let label: String
    package let eventF1: MetricValue
    package let detection: LatencyMetrics
    package let release: LatencyMetrics

    private enum CodingKeys: String, CodingKey {
      case label
      case eventF1 = "event_f1"
      case detection, release
    }
  }

  package let detection: LatencyMetrics
  package let release: LatencyMetrics
  package let holds: HoldMetrics
  package let classes: [Class]

  /// Events and latencies are those of all sources together; the timer is the mean over the sources
  /// with a scored frame, as its metrics are.
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
    case longestAnswer = "longest_answer_s"
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

/// Everything is counted within spans of consecutive scored frames, in which truth and answers are
/// cut alike; counts of events and sequences are not weighted.
package struct TemporalCounts: Hashable, Sendable {
  package let labels: [String]
  package private(set) var events: [EventTally]
  package private(set) var segments = SegmentTally()
  package private(set) var any = ClassTemporalCounts()
  package private(set) var classes: [ClassTemporalCounts]

  init(streamLabels: [String]) {
    labels = Array(streamLabels.dropFirst())
    let count = labels.count
    events = EventRule.standard.map { EventTally($0, classCount: count) }
    classes = Array(repeating: ClassTemporalCounts(), count: count)
  }

  package init(_ stream: AnswerStream) { self.init(streamLabels: stream.labels) }

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
