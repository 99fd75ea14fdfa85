/// How well one class is followed over time.
package struct ClassTemporalMetrics: Hashable, Sendable {
  /// The class; nil for all but the empty answer as one.
  package let label: String?
  /// Event scores under each standard rule; empty where classes are taken as one.
  package let events: [EventScores]
  /// F1 over bins of one second.
  package let binF1: MetricValue
  /// Time and events by what went wrong.
  package let ward: WardCounts
  /// From the start of a true event to the first answer.
  package let detection: LatencyMetrics
  /// From the end of a true event to the first other answer.
  package let release: LatencyMetrics
  /// How wrong a timer of the class is.
  package let holds: HoldMetrics

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
