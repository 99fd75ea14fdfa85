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

  /// The unit of the numbers: `-` for ratios and coefficients.
  package var unit: String {
    switch self {
    case .transitionsPerMinute, .excessTransitionsPerMinute, .falseTransitionsPerMinute,
      .flickersPerMinute:
      "1/min"
    case .missedTransitions: "transitions"
    default: "-"
    }
  }

  /// Whether larger numbers are better.
  package var higherIsBetter: Bool {
    switch self {
    case .transitionsPerMinute, .excessTransitionsPerMinute, .falseTransitionsPerMinute,
      .missedTransitions, .flickersPerMinute:
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

  /// The key of the metric in a stream.
  ///
  /// - Parameter label: the class, for a metric that has one number a class.
  package func key(in stream: AnswerStream, label: String? = nil) -> String {
    precondition(isPerClass == (label != nil), "a label belongs to metrics of one class only")
    let suffix = label.map { "[\($0)]" } ?? ""
    return "\(stream.rawValue).\(rawValue)\(suffix)"
  }

  /// Every key of both streams, in the order of the catalogue.
  package static let keys: [String] = AnswerStream.allCases.flatMap { stream in
    allCases.flatMap { metric in
      metric.isPerClass
        ? stream.labels.map { metric.key(in: stream, label: $0) } : [metric.key(in: stream)]
    }
  }
}
