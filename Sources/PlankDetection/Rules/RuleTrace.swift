internal import PoseModel

/// The evaluation of one rule on one frame, to explain a decision.
public struct RuleTrace: Hashable, Sendable {
  /// The evaluation of one predicate on the frame.
  public struct Step: Hashable, Sendable {
    /// The comparison that was evaluated.
    public let predicate: Predicate
    /// The measured value, or why there is none.
    public let measured: MeasuredValue
    /// The measured value, or nil if there is none.
    public var value: Float? { measured.number }
    /// The threshold with which the measured value was compared.
    public let threshold: Float
    /// How far the value is on the side where the predicate holds; negative on the other side, nil
    /// without a value.
    public let margin: Float?
    /// Whether the predicate holds; false without a value.
    public let holds: Bool
    /// The absolute `margin` as a fraction of the width of the parameter's range; nil without a
    /// value.
    public let relativeDistance: Double?
  }

  /// The label that the rule gives.
  public let label: String
  /// The evaluations of the rule's predicates, in order.
  public let steps: [Step]
  /// Whether all predicates hold.
  public let holds: Bool
  /// Whether this rule gave the label: it holds, no rule before it does, and no measurement is
  /// missing.
  public let decides: Bool
}

extension DecisionList {
  /// The evaluation of every rule on one frame; no rule decides if a measurement of the list is
  /// missing.
  ///
  /// - Throws: `DetectorError.undefinedParameter` for a parameter that has no value.
  public func trace(
    _ parameters: ParameterValues, _ columns: MeasurementColumns, at frame: Int
  ) throws(DetectorError) -> [RuleTrace] {
    try trace(parameters) { columns.measured($0, at: frame) }
  }

  /// The evaluation of every rule on the measurements that a closure returns.
  ///
  /// - Throws: `DetectorError.undefinedParameter` for a parameter that has no value.
  public func trace(
    _ parameters: ParameterValues, _ measured: (Measurement) -> MeasuredValue
  ) throws(DetectorError) -> [RuleTrace] {
    let tracer = try RuleTracer(self, parameters)
    return tracer.traces(tracer.measurements.map(measured), thresholds: nil)
  }
}

struct RuleTracer {
  private struct Limit {
    let place: Int
    let comparison: Comparison
    let threshold: Float
    let width: Double

    func relativeDistance(_ measured: MeasuredValue, _ threshold: Float) -> Double? {
      measured.number.map { Double(comparison.margin($0, threshold).magnitude) / width }
    }
  }

  let measurements: [Measurement]
  private let rules: [Rule]
  private var limits: [Limit] = []
  private var ends: [Int] = []

  init(_ list: DecisionList, _ parameters: ParameterValues) throws(DetectorError) {
    let used = list.measurements
    measurements = used.members
    rules = list.rules
    for rule in rules {
      for predicate in rule.predicates {
        let range = parameters.definitions.first { $0.key == predicate.parameter }?.range
        let width = range.map { $0.upperBound - $0.lowerBound } ?? 1
        limits.append(
          Limit(
            place: used.place(of: predicate.measurement), comparison: predicate.comparison,
            threshold: try parameters.threshold(of: predicate), width: max(width, .ulpOfOne)))
      }
      ends.append(limits.count)
    }
  }

  /// `thresholds` has one threshold after hysteresis per predicate; nil selects the parameters'
  /// own.
  func traces(_ values: [MeasuredValue], thresholds: [Float]?) -> [RuleTrace] {
    var isOpen = !values.contains(.missing)
    var place = 0
    return rules.map { rule in
      let steps = rule.predicates.map { predicate in
        defer { place += 1 }
        return step(place, predicate, values, thresholds)
      }
      let holds = steps.allSatisfy { $0.holds }
      defer { if holds { isOpen = false } }
      return RuleTrace(label: rule.label.name, steps: steps, holds: holds, decides: isOpen && holds)
    }
  }

  private func step(
    _ place: Int, _ predicate: Predicate, _ values: [MeasuredValue], _ thresholds: [Float]?
  ) -> RuleTrace.Step {
    let limit = limits[place]
    let threshold = thresholds?[place] ?? limit.threshold
    let measured = values[limit.place]
    return RuleTrace.Step(
      predicate: predicate, measured: measured, threshold: threshold,
      margin: measured.number.map { limit.comparison.margin($0, threshold) },
      holds: limit.comparison.holds(measured.stored, threshold),
      relativeDistance: limit.relativeDistance(measured, threshold))
  }

  func nearestDistance(_ values: [MeasuredValue], thresholds: [Float]?) -> Double? {
    guard !values.contains(.missing) else { return nil }
    // Indexed by the codes of labels.
    var nearest = SIMD8<Double>(repeating: .infinity)
    var decided: (code: Int, distance: Double)?
    var place = 0
    for (rule, end) in zip(rules, ends) {
      let code = Int(rule.label.code)
      var (failing, distance, least) = (0, Double.infinity, Double.infinity)
      while place < end {
        let limit = limits[place]
        let threshold = thresholds?[place] ?? limit.threshold
        let value = values[limit.place]
        place += 1
        let relative = limit.relativeDistance(value, threshold) ?? .infinity
        if limit.comparison.holds(value.stored, threshold) {
          least = min(least, relative)
        } else {
          (failing, distance) = (failing + 1, relative)
        }
      }
      if let decided {
        guard failing == 0 else { continue }
        if code != decided.code { nearest[code] = min(nearest[code], decided.distance) }
        break
      } else if failing == 0 {
        decided = (code, least)
      } else if failing == 1 {
        nearest[code] = min(nearest[code], distance)
      }
    }
    guard let decided else { return nil }
    nearest[decided.code] = .infinity
    return nearest.min() < .infinity ? nearest.min() : nil
  }
}

extension RuleTrace {
  package struct Pivot: Sendable {
    package let rule: Int
    package let place: Int
    package let step: Step
    package let label: String
  }
}

extension [RuleTrace] {
  /// The comparisons that would each change the label on their own, in the order of the list.
  ///
  /// Two kinds qualify: the only failing comparison of a rule before the deciding rule, and the
  /// comparisons of the deciding rule. A comparison without a value never qualifies. The result is
  /// empty if no rule decides.
  package var pivots: [RuleTrace.Pivot] {
    guard let decided = firstIndex(where: { $0.decides }) else { return [] }
    let label = self[decided].label
    let next = dropFirst(decided + 1).first { $0.holds }?.label
    var pivots: [RuleTrace.Pivot] = []
    var place = 0
    for (rule, trace) in prefix(decided + 1).enumerated() {
      let failing = trace.steps.filter { !$0.holds }.count
      for step in trace.steps {
        defer { place += 1 }
        guard let other = rule == decided ? next : trace.label, other != label,
          step.relativeDistance != nil, rule == decided || failing == 1 && !step.holds
        else { continue }
        pivots.append(RuleTrace.Pivot(rule: rule, place: place, step: step, label: other))
      }
    }
    return pivots
  }

  package var nearestPivot: RuleTrace.Pivot? {
    pivots.min { ($0.step.relativeDistance ?? 0) < ($1.step.relativeDistance ?? 0) }
  }

  /// The comparison that was closest to changing the label on its own; nil if there is none.
  ///
  /// Distances are fractions of the parameters' ranges. If two distances are equal, the first
  /// comparison counts.
  public var nearestStep: RuleTrace.Step? { nearestPivot?.step }
}
