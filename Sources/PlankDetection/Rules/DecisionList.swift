public import PoseModel

/// An ordered list of rules for one stream: the first rule that holds gives the label.
///
/// The same representation serves the streaming detector, sweeps, documentation and detector files.
/// The empty answer (code 0) exists in every stream even if no rule gives it.
public struct DecisionList: Hashable, Sendable {
  /// The stream whose labels the rules give.
  public let stream: AnswerStream
  /// The rules in order; the last one, and only the last, has no predicates.
  public private(set) var rules: [Rule]

  /// Creates a list after checking its rules.
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
  /// If one of the measurements is missing, the frame is undetermined for the stream. A comparison
  /// with an inapplicable measurement does not hold, so the rules after it decide.
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

  func calibrated(_ definitions: [ParameterDefinition]) -> DecisionList {
    var list = self
    for rule in rules.indices {
      for place in rules[rule].predicates.indices {
        let key = rules[rule].predicates[place].parameter.calibrated
        guard definitions.contains(where: { $0.key == key }) else { continue }
        list.rules[rule].predicates[place].parameter = key
      }
    }
    return list
  }

  /// The rules as sentences, for example `sag if hipDeviation < -sag`, or `aligned otherwise` for
  /// the last rule.
  public var sentences: [String] {
    rules.map { rule in
      let label = rule.label.name
      if rule.predicates.isEmpty { return "\(label) otherwise" }
      return "\(label) if " + rule.predicates.map { $0.description }.joined(separator: " and ")
    }
  }
}

/// A label, and the predicates that must all hold before the rule gives it.
public struct Rule: Hashable, Sendable {
  /// The label that the rule gives.
  public var label: AnswerLabel
  /// The predicates that must all hold; empty for the last rule of a list, which always holds.
  public var predicates: [Predicate]

  /// Combines a label with its predicates.
  public init(_ label: AnswerLabel, when predicates: [Predicate] = []) {
    self.label = label
    self.predicates = predicates
  }

  /// The rules that give a label if a condition holds, one rule per alternative of the condition.
  public static func rules(_ label: AnswerLabel, when condition: Condition) -> [Rule] {
    condition.alternatives.map { Rule(label, when: $0) }
  }
}

/// One comparison of a measurement with a parameter, for example `shoulderRise < -side_rise`.
public struct Predicate: Hashable, Sendable, CustomStringConvertible {
  /// The measurement on the left side.
  public var measurement: Measurement
  /// The operator between measurement and parameter.
  public var comparison: Comparison
  /// The parameter on the right side.
  public var parameter: ParameterKey
  /// Whether the parameter is negated before the comparison.
  public var isNegated: Bool

  /// Compares a measurement with a parameter, which is negated first if `negated`.
  public init(
    _ measurement: Measurement, _ comparison: Comparison, _ parameter: ParameterKey,
    negated: Bool = false
  ) {
    self.measurement = measurement
    self.comparison = comparison
    self.parameter = parameter
    isNegated = negated
  }

  /// The predicate that holds exactly when this one does not, given that the measurement has a
  /// value.
  public var turnedAround: Predicate {
    Predicate(measurement, comparison.turnedAround, parameter, negated: isNegated)
  }

  /// The predicate in the syntax of detector files.
  public var description: String {
    "\(measurement.name) \(comparison.rawValue) \(isNegated ? "-" : "")\(parameter.rawValue)"
  }
}

/// How a measurement is compared with a parameter.
public enum Comparison: String, CaseIterable, Hashable, Sendable {
  case greater = ">"
  case greaterOrEqual = ">="
  case less = "<"
  case lessOrEqual = "<="

  /// Whether the comparison holds; false if either side is NaN.
  @inlinable public func holds(_ measurement: Float, _ threshold: Float) -> Bool {
    switch self {
    case .greater: measurement > threshold
    case .greaterOrEqual: measurement >= threshold
    case .less: measurement < threshold
    case .lessOrEqual: measurement <= threshold
    }
  }

  /// The comparison that is true exactly when this one is false, for two numbers.
  public var turnedAround: Comparison {
    switch self {
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    }
  }

  /// How far a measurement is beyond a threshold, in the direction of the comparison; negative if
  /// it is on the other side.
  @inlinable public func margin(_ measurement: Float, _ threshold: Float) -> Float {
    self == .greater || self == .greaterOrEqual ? measurement - threshold : threshold - measurement
  }
}

struct CompiledList: Sendable {
  private struct CompiledRule {
    var predicates: Range<Int>
    var label: UInt8
  }

  private struct CompiledPredicate {
    var measurement: Int
    var comparison: Comparison
    var threshold: Float
    var band: Band?
    var offset: Float = 0
  }

  private struct Band {
    var turnsOn: Float
    var turnsOff: Float
  }

  private let rules: [CompiledRule]
  private var predicates: [CompiledPredicate]
  private let mentioned: [Int]

  /// Rounds thresholds to `Float`, then negates them if required.
  ///
  /// `measurements` gives the order of the values in a row.
  init(
    _ list: DecisionList, _ parameters: ParameterValues, of measurements: MeasurementSet,
    bands: [SchmittBand]
  ) throws(DetectorError) {
    var predicates: [CompiledPredicate] = []
    var rules: [CompiledRule] = []
    for rule in list.rules {
      let start = predicates.count
      for predicate in rule.predicates {
        predicates.append(
          CompiledPredicate(
            measurement: measurements.place(of: predicate.measurement),
            comparison: predicate.comparison, threshold: try parameters.threshold(of: predicate),
            band: Self.band(of: predicate, parameters, bands)))
      }
      rules.append(CompiledRule(predicates: start..<predicates.count, label: rule.label.code))
    }
    self.rules = rules
    self.predicates = predicates
    mentioned = list.measurements.members.compactMap { measurements.index(of: $0) }
  }

  /// Returns `Debouncer.undetermined` if any measurement that the list uses is missing.
  ///
  /// A comparison with an inapplicable measurement does not hold, because the value is NaN.
  func classify(_ values: UnsafePointer<Float>) -> UInt8 {
    if isAnythingMissing(values) { return Debouncer.undetermined }
    for rule in rules where holds(rule.predicates, values) { return rule.label }
    return Debouncer.undetermined
  }

  mutating func calibrate(_ place: Int?, by offset: Float) {
    for index in predicates.indices {
      predicates[index].offset = predicates[index].measurement == place ? offset : 0
    }
  }

  var predicateCount: Int { predicates.count }

  var hasBands: Bool { predicates.contains { $0.band != nil } }

  /// Updates `held`, unless the frame is undetermined; if `isFresh`, comparisons have no
  /// hysteresis.
  func classify(_ values: UnsafePointer<Float>, held: inout [Bool], isFresh: Bool) -> UInt8 {
    if isAnythingMissing(values) { return Debouncer.undetermined }
    for (index, predicate) in predicates.enumerated() {
      held[index] = predicate.comparison.holds(
        values[predicate.measurement] - predicate.offset,
        threshold(index, held[index], isFresh: isFresh))
    }
    for rule in rules where rule.predicates.allSatisfy({ held[$0] }) { return rule.label }
    return Debouncer.undetermined
  }

  func threshold(_ index: Int, _ isHeld: Bool, isFresh: Bool) -> Float {
    guard let band = predicates[index].band, !isFresh else { return predicates[index].threshold }
    return isHeld ? band.turnsOff : band.turnsOn
  }

  private static func band(
    of predicate: Predicate, _ parameters: ParameterValues, _ bands: [SchmittBand]
  ) -> Band? {
    guard let band = bands.band(of: predicate.parameter),
      let value = parameters[predicate.parameter]
    else { return nil }
    let center = predicate.isNegated ? -value : value
    let isUpward = predicate.comparison == .greater || predicate.comparison == .greaterOrEqual
    let beyond = isUpward ? band.halfWidth : -band.halfWidth
    return Band(turnsOn: Float(center + beyond), turnsOff: Float(center - beyond))
  }

  private func isAnythingMissing(_ values: UnsafePointer<Float>) -> Bool {
    for index in mentioned where MeasuredValue.isMissing(values[index]) { return true }
    return false
  }

  private func holds(_ range: Range<Int>, _ values: UnsafePointer<Float>) -> Bool {
    for index in range {
      let predicate = predicates[index]
      let value = values[predicate.measurement] - predicate.offset
      guard predicate.comparison.holds(value, predicate.threshold) else { return false }
    }
    return true
  }
}

extension ParameterValues {
  /// The threshold of a predicate, rounded to `Float`, and negated if the predicate negates it.
  ///
  /// - Throws: `DetectorError.undefinedParameter` for a parameter that has no value.
  public func threshold(of predicate: Predicate) throws(DetectorError) -> Float {
    guard let value = self[predicate.parameter] else {
      throw .undefinedParameter(predicate.parameter, available: definitions.map { $0.key })
    }
    return predicate.isNegated ? -Float(value) : Float(value)
  }
}

struct RawLabeler: Sendable {
  private let list: CompiledList
  private let holdSeconds: Double
  private let hasBands: Bool
  private var held: [Bool]
  private var lastDetermined = -Double.infinity

  init(_ list: CompiledList, holdSeconds: Seconds) {
    self.list = list
    self.holdSeconds = holdSeconds.value
    hasBands = list.hasBands
    held = Array(repeating: false, count: hasBands ? list.predicateCount : 0)
  }

  /// A gap of more than `hold_seconds` between determined frames clears the state of comparisons.
  mutating func classify(_ values: UnsafePointer<Float>, at time: Double) -> UInt8 {
    guard hasBands else { return list.classify(values) }
    let label = list.classify(values, held: &held, isFresh: isFresh(at: time))
    if label != Debouncer.undetermined { lastDetermined = time }
    return label
  }

  func thresholds(at time: Double) -> [Float] {
    let isFresh = isFresh(at: time)
    return (0..<list.predicateCount).map { index in
      list.threshold(index, hasBands && held[index], isFresh: isFresh)
    }
  }

  private func isFresh(at time: Double) -> Bool {
    !(time - lastDetermined <= holdSeconds + Debouncer.tolerance)
  }
}
