internal import PoseModel

/// What one rule made of one frame, for people who ask why.
public struct RuleTrace: Hashable, Sendable {
  /// What one predicate made of the frame.
  public struct Step: Hashable, Sendable {
    /// The comparison.
    public let predicate: Predicate
    /// What was measured, or why there is no value.
    public let measured: MeasuredValue
    /// The measured value, or nil where there is none.
    public var value: Float? { measured.number }
    /// The number it was compared with.
    public let threshold: Float
    /// How far the value lies on the side where the predicate holds; negative on the other.
    public let margin: Float?
    /// Whether the predicate holds; it does not where there is no value.
    public let holds: Bool
    /// `margin` without its sign, as a share of the width of the parameter's range.
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
  /// What every rule made of one frame.
  ///
  /// No rule decides where a measurement that the list mentions is missing.
  ///
  /// - Parameters:
  ///   - parameters: the numbers that the rules compare with.
  ///   - columns: the recording's measurements.
  ///   - frame: the frame's place in them.
  /// - Throws: `DetectorError.undefinedParameter` for a key that the values lack.
  public func trace(
    _ parameters: ParameterValues, _ columns: MeasurementColumns, at frame: Int
  ) throws(DetectorError) -> [RuleTrace] {
    try trace(parameters) { columns.measured($0, at: frame) }
  }

  /// What every rule made of measurements that come from elsewhere; see the other `trace`.
  public func trace(
    _ parameters: ParameterValues, _ measured: (Measurement) -> MeasuredValue
  ) throws(DetectorError) -> [RuleTrace] {
    try trace(parameters, measured, thresholds: nil)
  }

  /// What every rule made of a frame.
  ///
  /// - Parameter thresholds: the numbers that hysteresis left there, one per predicate in the order of
  ///   the list; nil for the parameters' own.
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
      let holds = steps.allSatisfy(\.holds)
      traces.append(
        RuleTrace(
          label: stream.labels[Int(rule.label)], steps: steps, holds: holds,
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
  /// The step that is nearest to turning over, among those that were asked.
  ///
  /// Rules after the deciding one were never asked. Distances are compared as shares of the
  /// parameters' ranges, ties by order.
  public var nearestStep: RuleTrace.Step? {
    let last = firstIndex(where: \.decides) ?? (count - 1)
    let asked = prefix(last + 1).flatMap(\.steps)
    return asked.filter { $0.relativeDistance != nil }
      .min { ($0.relativeDistance ?? 0) < ($1.relativeDistance ?? 0) }
  }
}
