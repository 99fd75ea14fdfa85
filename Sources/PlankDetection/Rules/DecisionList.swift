public import PoseModel

/// An ordered list of rules for one stream: the first rule that holds gives the label.
///
/// One representation serves the streaming detector, sweeps, documentation and detectors read
/// from files. The empty answer (code 0) exists in every stream even if no rule names it.
public struct DecisionList: Hashable, Sendable {
  /// The question that the list answers.
  public let stream: AnswerStream
  /// The rules in order; the last one, and only the last, has no predicate.
  public let rules: [Rule]

  /// Checks rules and keeps them.
  ///
  /// - Throws: `DetectorError` for an empty list, a label that the stream lacks, a last rule with
  ///   predicates or another one without.
  public init(_ stream: AnswerStream, _ rules: [Rule]) throws(DetectorError) {
    guard !rules.isEmpty else { throw .emptyList(stream) }
    for (index, rule) in rules.enumerated() {
      guard Int(rule.label) < stream.labels.count else {
        throw .unknownLabel(stream, code: rule.label)
      }
      let isLast = index == rules.count - 1
      guard rule.predicates.isEmpty == isLast else {
        throw isLast ? .conditionalLastRule(stream) : .unreachableRules(stream, after: index + 1)
      }
    }
    self.stream = stream
    self.rules = rules
  }

  /// Every measurement that a rule mentions.
  ///
  /// A frame in which one of them is undefined is undetermined for the stream.
  public var measurements: MeasurementSet {
    MeasurementSet(rules.flatMap { $0.predicates.map(\.measurement) })
  }

  /// The keys that rules mention, in order of first mention.
  public var parameterKeys: [ParameterKey] {
    var keys: [ParameterKey] = []
    for predicate in rules.flatMap(\.predicates) where !keys.contains(predicate.parameter) {
      keys.append(predicate.parameter)
    }
    return keys
  }

  /// The rules as sentences: `sag if hipDeviation < -sag`, the last one `aligned otherwise`.
  public var sentences: [String] {
    rules.map { rule in
      let label = stream.labels[Int(rule.label)]
      if rule.predicates.isEmpty { return "\(label) otherwise" }
      return "\(label) if " + rule.predicates.map(\.description).joined(separator: " and ")
    }
  }
}
