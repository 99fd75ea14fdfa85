internal import PoseModel

/// The evaluation of one rule on one frame, for people who ask why.
public struct RuleTrace: Hashable, Sendable {
  /// The evaluation of one predicate on the frame.
  public struct Step: Hashable, Sendable {
    /// The comparison.
    public let predicate: Predicate
    /// The measured value, or why there is none.
    public let measured: MeasuredValue
    /// The measured value, or nil if there is none.
    public var value: Float? { measured.number }
    /// The threshold.
    public let threshold: Float
    /// How far the value is on the side where the predicate holds; negative on the other side.
    public let margin: Float?
    /// Whether the predicate holds; false without a value.
    public let holds: Bool
    /// The absolute `margin` as a fraction of the width of the parameter's range.
    public let relativeDistance: Double?
  }

  /// The label that the rule gives.
  public let label: String
  /// The rule's predicates in order.
  public let steps: [Step]
  /// Whether all predicates hold.
  public let holds: Bool
  /// Whether this rule gave the label: it holds and none before it did.
  public let decides: Bool
}

extension DecisionList {
  /// The evaluation of every rule on one frame.
  ///
  /// No rule decides if a measurement that the list uses is missing.
  ///
  /// - Parameters:
  ///   - parameters: the thresholds of the rules.
  ///   - columns: the recording's measurements.
  ///   - frame: the frame's position in them.
  /// - Throws: `DetectorError.undefinedParameter` for a key that the values lack.
  public func trace(
    _ parameters: ParameterValues, _ columns: MeasurementColumns, at frame: Int
  ) throws(DetectorError) -> [RuleTrace] {
    try trace(parameters) { columns.measured($0, at: frame) }
  }

  /// The evaluation of every rule on measurements from elsewhere; see the other `trace`.
  public func trace(
    _ parameters: ParameterValues, _ measured: (Measurement) -> MeasuredValue
  ) throws(DetectorError) -> [RuleTrace] {
    try trace(parameters, measured, thresholds: nil)
  }

  /// The evaluation of every rule on a frame.
  ///
  /// - Parameter thresholds: the thresholds after hysteresis, one per predicate in the order of the
  ///   list; nil for the parameters' own.
  func trace(
    _ parameters: ParameterValues, _ measured: (Measurement) -> MeasuredValue,
    thresholds: [Float]?
  ) throws(DetectorError) -> [RuleTrace] {
    var isOpen = true
    var place = 0
    for measurement in measurements.members where measured(measurement) == .missing {
      isOpen = false
    }
    var traces: [RuleTrace] = []
    for rule in rules {
      var steps: [RuleTrace.Step] = []
      for predicate in rule.predicates {
        let own = try parameters.threshold(of: predicate)
        let threshold = thresholds?[place] ?? own
        steps.append(step(predicate, threshold, parameters, measured(predicate.measurement)))
        place += 1
      }
      let holds = steps.allSatisfy { $0.holds }
      traces.append(
        RuleTrace(
          label: rule.label.name, steps: steps, holds: holds,
          decides: isOpen && holds))
      if holds { isOpen = false }
    }
    return traces
  }

  private func step(
    _ predicate: Predicate, _ threshold: Float, _ parameters: ParameterValues,
    _ measured: MeasuredValue
  ) -> RuleTrace.Step {
    let margin = measured.number.map { predicate.comparison.margin($0, threshold) }
    let range = parameters.definitions.first { $0.key == predicate.parameter }?.range
    let width = range.map { $0.upperBound - $0.lowerBound } ?? 1
    return RuleTrace.Step(
      predicate: predicate, measured: measured, threshold: threshold, margin: margin,
      holds: predicate.comparison.holds(measured.stored, threshold),
      relativeDistance: margin.map { Double($0.magnitude) / max(width, .ulpOfOne) })
  }
}

extension [RuleTrace] {
  /// The step that is nearest to changing, among those that were evaluated.
  ///
  /// Rules after the deciding one were never evaluated. Distances are compared as fractions of the
  /// parameters' ranges, ties by order.
  public var nearestStep: RuleTrace.Step? {
    let last = firstIndex(where: { $0.decides }) ?? (count - 1)
    let asked = prefix(last + 1).flatMap { $0.steps }
    return asked.filter { $0.relativeDistance != nil }
      .min { ($0.relativeDistance ?? 0) < ($1.relativeDistance ?? 0) }
  }
}
