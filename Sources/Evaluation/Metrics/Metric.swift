package import PoseModel

/// The catalogue of metrics: every name, unit and direction once.
///
/// The raw value is the metric's name; with the stream in front it is the key used everywhere,
/// for example `plank.f1_macro` or `form.recall[sag]`.
package enum Metric: String, CaseIterable, Hashable, Sendable {
  /// The share of the scored time with the right answer.
  case accuracy
  /// The mean recall over the classes that have truth.
  case balancedAccuracy = "balanced_accuracy"
  /// The mean F1 over the classes that occur.
  case f1Macro = "f1_macro"
  /// The F1 of each class, weighted by its truth.
  case f1Weighted = "f1_weighted"
  /// Agreement beyond chance.
  case cohenKappa = "cohen_kappa"
  /// The correlation of truth and answer.
  case matthewsCorrelation = "matthews_correlation"
  /// How often an answer of the class is right.
  case precision
  /// How much of the class is answered as such.
  case recall
  /// The harmonic mean of precision and recall of the class.
  case f1
  /// Changes of the answer a minute.
  case transitionsPerMinute = "transitions_per_minute"
  /// Changes of the answer beyond the number of true ones, a minute.
  case excessTransitionsPerMinute = "excess_transitions_per_minute"
  /// Changes of the answer without a true one to the same class within 0.5 s, a minute.
  case falseTransitionsPerMinute = "false_transitions_per_minute"
  /// True changes without one of the answer to the same class within 0.5 s.
  case missedTransitions = "missed_transitions"
  /// Answers that leave and come back within 0.5 s while the truth stays, a minute.
  case flickersPerMinute = "flickers_per_minute"
  /// The F1 of events whose starts are within 0.5 s and whose ends are too, or within half of the
  /// event's length.
  case eventF1 = "event_f1"
  /// The share of true events that are answered at all.
  case hitRate = "hit_rate"
  /// The time by which half of the true events are answered; misses count.
  case detectionLatencyMedian = "detection_latency_p50_s"
  /// The time by which nine in ten true events are answered; misses count.
  case detectionLatencyNinetieth = "detection_latency_p90_s"
  /// The time by which half of the answered events that ended are let go.
  case releaseLatencyMedian = "release_latency_p50_s"
  /// How wrong the time held is, in a session on average.
  case holdError = "hold_error_s"
  /// How wrong the longest hold is, in a session on average; gaps up to 0.5 s are forgiven.
  case longestHoldError = "longest_hold_error_s"

  /// The unit of the numbers: `-` for ratios and coefficients.
  package var unit: String {
    switch self {
    case .transitionsPerMinute, .excessTransitionsPerMinute, .falseTransitionsPerMinute,
      .flickersPerMinute:
      "1/min"
    case .missedTransitions: "transitions"
    case .detectionLatencyMedian, .detectionLatencyNinetieth, .releaseLatencyMedian, .holdError,
      .longestHoldError:
      "s"
    default: "-"
    }
  }

  /// Whether the number moves smoothly with the weights of sequences: no quantile and no total.
  package var isSmooth: Bool {
    switch self {
    case .missedTransitions, .detectionLatencyMedian, .detectionLatencyNinetieth,
      .releaseLatencyMedian:
      false
    default: true
    }
  }

  /// Whether larger numbers are better.
  package var higherIsBetter: Bool {
    switch self {
    case .transitionsPerMinute, .excessTransitionsPerMinute, .falseTransitionsPerMinute,
      .missedTransitions, .flickersPerMinute, .detectionLatencyMedian,
      .detectionLatencyNinetieth, .releaseLatencyMedian, .holdError, .longestHoldError:
      false
    default: true
    }
  }

  /// Whether there is one number a class.
  package var isPerClass: Bool {
    switch self {
    case .precision, .recall, .f1: true
    default: false
    }
  }

  /// Whether it is about a session as a whole, whatever plank was held.
  package var isOfSession: Bool { self == .holdError || self == .longestHoldError }

  /// The key of a metric of a session.
  package var sessionKey: String {
    precondition(isOfSession, "\(rawValue) belongs to a stream")
    return "session.\(rawValue)"
  }

  /// The key of the metric in a stream.
  ///
  /// - Parameter label: the class, for a metric that has one number a class.
  package func key(in stream: AnswerStream, label: String? = nil) -> String {
    precondition(!isOfSession, "\(rawValue) belongs to no stream")
    precondition(isPerClass == (label != nil), "a label belongs to metrics of one class only")
    let suffix = label.map { "[\($0)]" } ?? ""
    return "\(stream.rawValue).\(rawValue)\(suffix)"
  }
}
