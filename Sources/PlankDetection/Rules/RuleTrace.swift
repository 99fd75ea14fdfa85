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
    let tracer = try RuleTracer(self, parameters)
    return tracer.traces(tracer.measurements.map(measured), thresholds: nil)
  }
}

/// The rules of a list with what no frame changes, so that many frames are evaluated quickly.
struct RuleTracer {
  /// A predicate with the place of its measurement among all of the list, its parameter's threshold,
  /// and the width of the parameter's range.
  fileprivate struct Comparison {
    let predicate: Predicate
    let place: Int
    let threshold: Float
    let width: Double
  }

  /// The measurements that the rules use, each once.
  let measurements: [Measurement]
  private let rules: [(label: String, comparisons: [Comparison])]

  /// Prepares a list.
  ///
  /// - Throws: `DetectorError.undefinedParameter` for a key that the values lack.
  init(_ list: DecisionList, _ parameters: ParameterValues) throws(DetectorError) {
    let used = list.measurements
    measurements = used.members
    var rules: [(label: String, comparisons: [Comparison])] = []
    for rule in list.rules {
      var comparisons: [Comparison] = []
      for predicate in rule.predicates {
        let range = parameters.definitions.first { $0.key == predicate.parameter }?.range
        let width = range.map { $0.upperBound - $0.lowerBound } ?? 1
        comparisons.append(
          Comparison(
            predicate: predicate, place: used.place(of: predicate.measurement),
            threshold: try parameters.threshold(of: predicate), width: max(width, .ulpOfOne)))
      }
      rules.append((label: rule.label.name, comparisons: comparisons))
    }
    self.rules = rules
  }

  /// The evaluation of every rule on a frame.
  ///
  /// - Parameters:
  ///   - values: those of `measurements` in the frame.
  ///   - thresholds: the thresholds after hysteresis, one per predicate in the order of the list; nil
  ///     for the parameters' own.
  func traces(_ values: [MeasuredValue], thresholds: [Float]?) -> [RuleTrace] {
    var isOpen = !values.contains(.missing)
    var place = 0
    return rules.map { label, comparisons in
      let steps = comparisons.map { comparison in
        defer { place += 1 }
        return comparison.step(
          values[comparison.place], thresholds?[place] ?? comparison.threshold)
      }
      let holds = steps.allSatisfy { $0.holds }
      defer { if holds { isOpen = false } }
      return RuleTrace(label: label, steps: steps, holds: holds, decides: isOpen && holds)
    }
  }

  /// What `traces` says of the comparison that was nearest to turning over: its relative distance.
  ///
  /// - Returns: nil if no comparison that was asked has a value.
  func nearestDistance(_ values: [MeasuredValue], thresholds: [Float]?) -> Double? {
    let canDecide = !values.contains(.missing)
    var nearest: Double?
    var place = 0
    for rule in rules {
      var holds = true
      for comparison in rule.comparisons {
        let threshold = thresholds?[place] ?? comparison.threshold
        let value = values[comparison.place]
        place += 1
        holds = holds && comparison.predicate.comparison.holds(value.stored, threshold)
        guard let distance = comparison.relativeDistance(value, threshold) else { continue }
        nearest = min(nearest ?? .infinity, distance)
      }
      if holds, canDecide { break }
    }
    return nearest
  }
}

extension RuleTracer.Comparison {
  fileprivate func step(_ measured: MeasuredValue, _ threshold: Float) -> RuleTrace.Step {
    RuleTrace.Step(
      predicate: predicate, measured: measured, threshold: threshold,
      margin: measured.number.map { predicate.comparison.margin($0, threshold) },
      holds: predicate.comparison.holds(measured.stored, threshold),
      relativeDistance: relativeDistance(measured, threshold))
  }

  fileprivate func relativeDistance(_ measured: MeasuredValue, _ threshold: Float) -> Double? {
    measured.number.map {
      Double(predicate.comparison.margin($0, threshold).magnitude) / width
    }
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
