public import PoseModel

/// An ordered list of rules for one stream: the first rule that holds gives the label.
///
/// The same representation serves the streaming detector, sweeps, documentation and detectors read
/// from files. The empty answer (code 0) exists in every stream even if no rule gives it.
public struct DecisionList: Hashable, Sendable {
  /// The question that the list answers.
  public let stream: AnswerStream
  /// The rules in order; the last one, and only the last, has no predicates.
  public let rules: [Rule]

  /// Checks rules and keeps them.
  ///
  /// - Throws: `DetectorError` for an empty list, a label of the other stream, a last rule with
  ///   predicates, or an earlier rule without any.
  public init(_ stream: AnswerStream, _ rules: [Rule]) throws(DetectorError) {
    guard !rules.isEmpty else { throw .emptyList(stream) }
    for (index, rule) in rules.enumerated() {
      guard rule.label.stream == stream else { throw .labelOfOtherStream(stream, rule.label) }
      let isLast = index == rules.count - 1
      guard rule.predicates.isEmpty == isLast else {
        throw isLast ? .conditionalLastRule(stream) : .unreachableRules(stream, after: index + 1)
      }
    }
    self.stream = stream
    self.rules = rules
  }

  /// Every measurement that the rules use.
  ///
  /// If one of them is missing, the frame is undetermined for the stream. A comparison with an
  /// inapplicable measurement does not hold, and the list goes on.
  public var measurements: MeasurementSet {
    MeasurementSet(rules.flatMap { $0.predicates.map { $0.measurement } })
  }

  /// The keys of the parameters that the rules use, in order of first use.
  public var parameterKeys: [ParameterKey] {
    var keys: [ParameterKey] = []
    for predicate in rules.flatMap({ $0.predicates }) where !keys.contains(predicate.parameter) {
      keys.append(predicate.parameter)
    }
    return keys
  }

  /// The rules as sentences: `sag if hipDeviation < -sag`, the last one `aligned otherwise`.
  public var sentences: [String] {
    rules.map { rule in
      let label = rule.label.name
      if rule.predicates.isEmpty { return "\(label) otherwise" }
      return "\(label) if " + rule.predicates.map { $0.description }.joined(separator: " and ")
    }
  }
}

/// A label and the predicates that must all hold for it.
public struct Rule: Hashable, Sendable {
  /// The label.
  public var label: AnswerLabel
  /// The conjunction; empty for the last rule of a list, which always holds.
  public var predicates: [Predicate]

  /// Makes a rule.
  public init(_ label: AnswerLabel, when predicates: [Predicate] = []) {
    self.label = label
    self.predicates = predicates
  }

  /// The rules that give a label if a condition holds: one for each of its alternatives.
  public static func rules(_ label: AnswerLabel, when condition: Condition) -> [Rule] {
    condition.alternatives.map { Rule(label, when: $0) }
  }
}

/// One comparison of a measurement with a parameter, for example `shoulderRise < -side_rise`.
public struct Predicate: Hashable, Sendable, CustomStringConvertible {
  /// The measurement.
  public var measurement: Measurement
  /// The comparison.
  public var comparison: Comparison
  /// The parameter.
  public var parameter: ParameterKey
  /// Whether the measurement is compared with the parameter's negative.
  public var isNegated: Bool

  /// Makes a predicate.
  public init(
    _ measurement: Measurement, _ comparison: Comparison, _ parameter: ParameterKey,
    negated: Bool = false
  ) {
    self.measurement = measurement
    self.comparison = comparison
    self.parameter = parameter
    isNegated = negated
  }

  /// The predicate that holds if this one does not, for a measurement that has a value.
  public var turnedAround: Predicate {
    Predicate(measurement, comparison.turnedAround, parameter, negated: isNegated)
  }

  /// The predicate as written in detector files.
  public var description: String {
    "\(measurement.name) \(comparison.rawValue) \(isNegated ? "-" : "")\(parameter.rawValue)"
  }
}

/// How a measurement is compared with a parameter.
public enum Comparison: String, CaseIterable, Hashable, Sendable {
  /// The measurement is larger.
  case greater = ">"
  /// The measurement is larger or equal.
  case greaterOrEqual = ">="
  /// The measurement is smaller.
  case less = "<"
  /// The measurement is smaller or equal.
  case lessOrEqual = "<="

  /// Whether the comparison holds; false if either side is NaN.
  @inlinable public func holds(_ measurement: Float, _ threshold: Float) -> Bool {
    isTrue(measurement, threshold)
  }

  /// Whether the comparison of two numbers is true; false if either is NaN.
  @inlinable func isTrue<Number: BinaryFloatingPoint>(_ left: Number, _ right: Number) -> Bool {
    switch self {
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .less: left < right
    case .lessOrEqual: left <= right
    }
  }

  /// The comparison that holds if this one does not, for two numbers.
  public var turnedAround: Comparison {
    switch self {
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    }
  }

  /// How far a measurement is on the side where the comparison holds; negative on the other.
  @inlinable public func margin(_ measurement: Float, _ threshold: Float) -> Float {
    self == .greater || self == .greaterOrEqual
      ? measurement - threshold : threshold - measurement
  }
}
