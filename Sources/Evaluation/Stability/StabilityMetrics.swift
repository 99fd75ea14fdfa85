/// How steady the answers of a stream are; rates are per evaluated minute.
///
/// Everything is undefined where nothing was scored, the number of missed transitions too.
package struct StabilityMetrics: Hashable, Sendable {
  /// What the metrics are made of.
  package let counts: StabilityCounts
  /// Predicted transitions a minute.
  package let transitionsPerMinute: MetricValue
  /// max(0, predicted - true transitions) a minute.
  package let excessTransitionsPerMinute: MetricValue
  /// Predicted transitions without a true one of their own, a minute.
  package let falseTransitionsPerMinute: MetricValue
  /// True transitions without a predicted one of their own.
  package let missedTransitions: MetricValue
  /// Flickers a minute.
  package let flickersPerMinute: MetricValue
  /// Predicted over true transitions.
  package let transitionRatio: MetricValue
  /// The longest time in seconds without a change of the answer.
  package let longestStableRun: MetricValue

  /// Derives the metrics of pooled counts.
  package init(_ counts: StabilityCounts) {
    let minutes = counts.evaluatedSeconds / 60
    func rate(_ count: Int) -> MetricValue {
      .ratio(Double(count), minutes, orElse: .noScoredFrames)
    }
    self.counts = counts
    transitionsPerMinute = rate(counts.predictedTransitions)
    excessTransitionsPerMinute = rate(
      max(0, counts.predictedTransitions - counts.trueTransitions))
    falseTransitionsPerMinute = rate(counts.falseTransitions)
    missedTransitions =
      minutes > 0 ? .value(Double(counts.missedTransitions)) : .undefined(.noScoredFrames)
    flickersPerMinute = rate(counts.flickers)
    transitionRatio = .ratio(
      Double(counts.predictedTransitions), Double(counts.trueTransitions),
      orElse: minutes > 0 ? .noTrueEvent : .noScoredFrames)
    longestStableRun =
      counts.dwells.answers.joined().max().map { .value($0) } ?? .undefined(.noScoredFrames)
  }

  /// The metrics in the order of the catalogue.
  package var results: [MetricResult] {
    [
      MetricResult(.transitionsPerMinute, transitionsPerMinute),
      MetricResult(.excessTransitionsPerMinute, excessTransitionsPerMinute),
      MetricResult(.falseTransitionsPerMinute, falseTransitionsPerMinute),
      MetricResult(.missedTransitions, missedTransitions),
      MetricResult(.flickersPerMinute, flickersPerMinute),
    ]
  }
}
