internal import PlankDetection
internal import Statistics

/// Quantiles of what was measured, as thresholds worth trying.
enum ObservedQuantiles {
  /// The distinct quantiles of a sample at the fractions (i + 1/2) / count, ascending.
  static func values(_ sample: [Double], count: Int) -> [Double] {
    let fractions = (0..<count).map { (Double($0) + 0.5) / Double(count) }
    var distinct: [Double] = []
    for value in Description.quantiles(sample, at: fractions) ?? [] where value != distinct.last {
      distinct.append(value)
    }
    return distinct
  }

  /// Everything that rules compare with a parameter, negated where a rule negates the parameter;
  /// nil where no rule mentions it.
  static func observations(
    of key: ParameterKey, _ detector: DetectorDefinition, _ sequences: [MeasuredSequence]
  ) -> [Double]? {
    let predicates = (detector.plank.rules + detector.form.rules).flatMap(\.predicates)
      .filter { $0.parameter == key }
    guard !predicates.isEmpty else { return nil }
    var seen: Set<Observation> = []
    var values: [Double] = []
    for predicate in predicates {
      let observation = Observation(
        measurement: predicate.measurement, isNegated: predicate.isNegated)
      guard seen.insert(observation).inserted else { continue }
      for sequence in sequences {
        for value in sequence.columns[predicate.measurement] where value.isFinite {
          values.append(predicate.isNegated ? -Double(value) : Double(value))
        }
      }
    }
    return values
  }

  private struct Observation: Hashable {
    let measurement: Measurement
    let isNegated: Bool
  }
}
