internal import Statistics

package struct ChangeCounts: Hashable, Sendable {
  package var predicted = 0.0
  package var truth = 0.0
  package var evaluatedSeconds = 0.0

  package init(predicted: Double = 0, truth: Double = 0, evaluatedSeconds: Double = 0) {
    self.predicted = predicted
    self.truth = truth
    self.evaluatedSeconds = evaluatedSeconds
  }

  func perMinute(_ count: Double) -> MetricValue {
    .ratio(count, evaluatedSeconds / 60, orElse: .noScoredFrames)
  }
}

package struct StabilityCounts: Codable, Hashable, Sendable {
  package private(set) var predictedTransitions = 0
  package private(set) var trueTransitions = 0
  /// Changes of the answer that match no true change to the same class within 0.5 s.
  package private(set) var falseTransitions = 0
  package private(set) var missedTransitions = 0
  /// Answers that leave and come back within 0.5 s while the truth stays.
  package private(set) var flickers = 0
  package private(set) var evaluatedSeconds = 0.0

  private enum CodingKeys: String, CodingKey {
    case predictedTransitions = "predicted_transitions"
    case trueTransitions = "true_transitions"
    case falseTransitions = "false_transitions"
    case missedTransitions = "missed_transitions"
    case flickers
    case evaluatedSeconds = "evaluated_seconds"
  }

  package init() {}

  init(_ stream: ScoredStream) {
    let predicted = stream.transitions(of: stream.answers)
    let truth = stream.transitions(of: stream.truth)
    let matched = TransitionMatching.matches(predicted: predicted, true: truth)
    predictedTransitions = predicted.count
    trueTransitions = truth.count
    falseTransitions = predicted.count - matched
    missedTransitions = truth.count - matched
    flickers = stream.flickerCount
    evaluatedSeconds = stream.scoredSeconds
  }

  package var changes: ChangeCounts {
    ChangeCounts(
      predicted: Double(predictedTransitions), truth: Double(trueTransitions),
      evaluatedSeconds: evaluatedSeconds)
  }

  package var transitionRatio: MetricValue {
    .ratio(
      Double(predictedTransitions), Double(trueTransitions),
      orElse: evaluatedSeconds > 0 ? .noTrueEvent : .noScoredFrames)
  }

  package static func += (left: inout StabilityCounts, right: StabilityCounts) {
    left.predictedTransitions += right.predictedTransitions
    left.trueTransitions += right.trueTransitions
    left.falseTransitions += right.falseTransitions
    left.missedTransitions += right.missedTransitions
    left.flickers += right.flickers
    left.evaluatedSeconds += right.evaluatedSeconds
  }
}

/// How stable the answers of a stream are; rates are per evaluated minute.
///
/// If nothing was scored all are undefined, including the number of missed transitions.
extension Metric {
  static let stability: [Metric] = [
    .transitionsPerMinute, .excessTransitionsPerMinute, .falseTransitionsPerMinute,
    .missedTransitions, .flickersPerMinute,
  ]

  package static let transitionsPerMinute = Metric(
    name: "transitions_per_minute", meaning: "Changes of the answer per minute.",
    unit: "1/min", higherIsBetter: false, range: 0...(.infinity),
    formula: .changes { $0.perMinute($0.predicted) })

  /// max(0, predicted - true transitions) per minute.
  package static let excessTransitionsPerMinute = Metric(
    name: "excess_transitions_per_minute",
    meaning: "Changes of the answer beyond the number of true ones, per minute.",
    unit: "1/min", higherIsBetter: false, range: 0...(.infinity),
    formula: .changes { $0.perMinute(max(0, $0.predicted - $0.truth)) })

  /// Predicted transitions that match no true one, per minute.
  package static let falseTransitionsPerMinute = Metric(
    name: "false_transitions_per_minute",
    meaning:
      "Changes of the answer without a true one to the same class within 0.5 s, per minute.",
    unit: "1/min", higherIsBetter: false, range: 0...(.infinity),
    formula: .stability { $0.changes.perMinute(Double($0.falseTransitions)) })

  /// True transitions that match no predicted one.
  package static let missedTransitions = Metric(
    name: "missed_transitions",
    meaning: "True changes without one of the answer to the same class within 0.5 s.",
    unit: "transitions", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    formula: .stability {
      $0.evaluatedSeconds > 0
        ? .value(Double($0.missedTransitions)) : .undefined(.noScoredFrames)
    })

  package static let flickersPerMinute = Metric(
    name: "flickers_per_minute",
    meaning: "Answers that leave and come back within 0.5 s while the truth stays, per minute.",
    unit: "1/min", higherIsBetter: false, range: 0...(.infinity),
    formula: .stability { $0.changes.perMinute(Double($0.flickers)) })
}
