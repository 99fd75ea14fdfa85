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

/// What the stability metrics of a stream are made of; sums over sequences.
package struct StabilityCounts: Hashable, Sendable {
  /// Changes of the answer between consecutive scored frames.
  package private(set) var predictedTransitions = 0
  /// Changes of the truth between consecutive scored frames.
  package private(set) var trueTransitions = 0
  /// Changes of the answer without a true change of their own to the same class within 0.5 s.
  package private(set) var falseTransitions = 0
  /// True changes without a change of the answer of their own.
  package private(set) var missedTransitions = 0
  /// Answers that leave and come back within 0.5 s while the truth stays.
  package private(set) var flickers = 0
  /// The duration of all scored frames in seconds; a frame lasts to the next, at most 0.5 s.
  package private(set) var evaluatedSeconds = 0.0
  /// How long each class lasts at a time.
  package private(set) var dwells = DwellCounts()

  /// Nothing evaluated.
  package init() {}

  /// Counts one stream of a sequence.
  init(_ stream: ScoredStream, labelCount: Int) {
    let predicted = stream.transitions(of: stream.answers)
    let truth = stream.transitions(of: stream.truth)
    let matched = TransitionMatching.matches(predicted: predicted, true: truth)
    predictedTransitions = predicted.count
    trueTransitions = truth.count
    falseTransitions = predicted.count - matched
    missedTransitions = truth.count - matched
    flickers = stream.flickerCount
    evaluatedSeconds = stream.scoredSeconds
    dwells = DwellCounts(stream.spans, labelCount: labelCount)
  }

  /// Adds the counts of another sequence.
  package static func += (left: inout StabilityCounts, right: StabilityCounts) {
    left.predictedTransitions += right.predictedTransitions
    left.trueTransitions += right.trueTransitions
    left.falseTransitions += right.falseTransitions
    left.missedTransitions += right.missedTransitions
    left.flickers += right.flickers
    left.evaluatedSeconds += right.evaluatedSeconds
    left.dwells += right.dwells
  }
}
