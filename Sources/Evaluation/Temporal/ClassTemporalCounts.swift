/// What happened to one class over time, in truth and in answers; sums over sequences.
package struct ClassTemporalCounts: Hashable, Sendable {
  /// Time and events by what went wrong.
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

  /// Counts a sequence, one class (or several as one) against the rest.
  init(_ spans: [ScoredSpan], _ stream: ScoredStream, _ isOf: (UInt8) -> Bool) {
    let reduced = spans.map { $0.reduced(isOf) }
    for span in reduced {
      ward.add(span, stream.dwell)
      bins.add(span)
      let scan = LatencyScan(rule: .standard, span: span, times: stream.times)
      detections += scan.detections
      releases += scan.releases
    }
    holds = HoldCounts(reduced)
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
