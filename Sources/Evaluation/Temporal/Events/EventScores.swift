/// Precision, recall, F1 and error rate of events.
package struct EventScores: Hashable, Sendable {
  /// What the scores are made of.
  package let counts: EventCounts
  /// The share of answered events that are right.
  package let precision: MetricValue
  /// The share of true events that were found.
  package let recall: MetricValue
  /// 2 matched / (truth + answers).
  package let f1: MetricValue
  /// (missed + inserted - substitutions) / truth: 0 is perfect, above 1 is possible.
  ///
  /// A substitution is a miss and an insertion at once and counts as one error. A class on its own
  /// has none.
  package let errorRate: MetricValue

  /// Derives the scores.
  package init(_ counts: EventCounts, substitutions: Int = 0) {
    let matched = Double(counts.matched)
    self.counts = counts
    precision = .ratio(matched, Double(counts.answers), orElse: .noAnsweredEvent)
    recall = .ratio(matched, Double(counts.truth), orElse: .noTrueEvent)
    f1 = .ratio(2 * matched, Double(counts.truth + counts.answers), orElse: .noEvent)
    errorRate = .ratio(
      Double(counts.missed + counts.inserted - substitutions), Double(counts.truth),
      orElse: .noTrueEvent)
  }
}
