/// How well the answers of a stream follow the truth over time.
package struct TemporalMetrics: Hashable, Sendable {
  /// The rules of `events`, in order.
  package let rules: [EventRule]
  /// Event scores over all classes but the empty answer, under each rule.
  package let events: [EventScores]
  /// The F1 of events at half a second, ends counted.
  package let eventF1: MetricValue
  /// Detection over the events of all classes.
  package let detection: LatencyMetrics
  /// Release over the events of all classes.
  package let release: LatencyMetrics
  /// Segments by overlap and order.
  package let segments: SegmentTally
  /// All classes as one against the empty answer: for planks, what a timer shows.
  package let any: ClassTemporalMetrics
  /// Each class against the rest.
  package let classes: [ClassTemporalMetrics]

  /// Derives the metrics of pooled counts.
  ///
  /// - Complexity: O(events log events).
  package init(_ counts: TemporalCounts) {
    rules = counts.events.map(\.rule)
    events = counts.events.map { EventScores($0.pooled, substitutions: $0.substitutions) }
    let headline = rules.firstIndex(of: .headline)
    eventF1 = headline.map { [events] in events[$0].f1 } ?? .undefined(.noEvent)
    detection = LatencyMetrics(counts.classes.flatMap(\.detections))
    release = LatencyMetrics(counts.classes.flatMap(\.releases))
    segments = counts.segments
    any = ClassTemporalMetrics(counts.any, label: nil, events: [])
    classes = counts.labels.enumerated().map { index, label in
      ClassTemporalMetrics(
        counts.classes[index], label: label, events: counts.events.map { $0.classes[index] })
    }
  }

  /// The metrics of the stream in the order of the catalogue.
  package var results: [MetricResult] {
    [
      MetricResult(.eventF1, eventF1),
      MetricResult(.hitRate, detection.hitRate),
      MetricResult(.detectionLatencyMedian, detection.median),
      MetricResult(.detectionLatencyNinetieth, detection.ninetieth),
      MetricResult(.releaseLatencyMedian, release.median),
    ]
  }

  /// The metrics of the session in the order of the catalogue; of the plank stream only.
  package var sessionResults: [MetricResult] {
    [
      MetricResult(.holdError, any.holds.error),
      MetricResult(.longestHoldError, any.holds.longestError),
    ]
  }
}
