internal import PoseModel

/// The evaluation of one rule on one frame, for people who ask about a decision.
public struct RuleTrace: Hashable, Sendable {
  /// The evaluation of one predicate on the frame.
  public struct Step: Hashable, Sendable {
    /// The comparison.
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
  /// The rule's predicates in order.
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

  /// The evaluation of every rule on measurements that a body returns; see the other `trace`.
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

  /// `thresholds` are those after hysteresis, one per predicate in the order of the list; nil
  /// selects the parameters' own.
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

  /// The relative distance of the evaluated comparison that is nearest to changing; nil if no
  /// evaluated comparison has a value.
  func nearestDistance(_ values: [MeasuredValue], thresholds: [Float]?) -> Double? {
    let canDecide = !values.contains(.missing)
    var nearest: Double?
    var place = 0
    for end in ends {
      var holds = true
      while place < end {
        let limit = limits[place]
        let threshold = thresholds?[place] ?? limit.threshold
        let value = values[limit.place]
        place += 1
        holds = holds && limit.comparison.holds(value.stored, threshold)
        guard let distance = limit.relativeDistance(value, threshold) else { continue }
        nearest = min(nearest ?? .infinity, distance)
      }
      if holds, canDecide { break }
    }
    return nearest
  }
}

extension [RuleTrace] {
  /// The step that is nearest to changing, among those that were evaluated.
  ///
  /// Rules after the deciding one were not evaluated. Distances are compared as fractions of the
  /// parameters' ranges; of equal distances, the first one counts.
  public var nearestStep: RuleTrace.Step? {
    let last = firstIndex(where: { $0.decides }) ?? (count - 1)
    let asked = prefix(last + 1).flatMap { $0.steps }
    return asked.filter { $0.relativeDistance != nil }
      .min { ($0.relativeDistance ?? 0) < ($1.relativeDistance ?? 0) }
  }
}
