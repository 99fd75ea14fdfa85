/// Two decision lists with the values of their parameters (`docs/contract.md`, Detectors).
package struct OracleDetector: Sendable, Equatable {
  /// Name of the detector.
  package var name: String
  /// How it reads the axes.
  package var axes: OracleAxes
  /// The plank list; the last rule has no predicate.
  package var plank: [OracleRule]
  /// The form list; the last rule has no predicate.
  package var form: [OracleRule]
  /// Values by key, `plank_frames`, `form_frames` and `hold_seconds` included.
  package var parameters: [String: Double]

  /// Makes a detector.
  package init(
    name: String, axes: OracleAxes, plank: [OracleRule], form: [OracleRule],
    parameters: [String: Double]
  ) {
    self.name = name
    self.axes = axes
    self.plank = plank
    self.form = form
    self.parameters = parameters
  }

  /// The value of a key; a list with an unknown key is a mistake of the test.
  package func value(_ key: String) -> Double {
    guard let value = parameters[key] else { preconditionFailure("no parameter \(key)") }
    return value
  }

  /// The raw label of a list; nil when any measurement that the list mentions is missing.
  package func label(_ rules: [OracleRule], _ measurements: OracleMeasurements) -> String? {
    let mentioned = rules.flatMap { $0.predicates.map(\.measurement) }
    guard mentioned.allSatisfy({ !measurements.missing.contains($0) }) else { return nil }
    let holding = rules.first { rule in
      rule.predicates.allSatisfy { predicate in
        guard let value = measurements[predicate.measurement] else { return false }
        return predicate.holds(value, self.value(predicate.key))
      }
    }
    guard let holding else { preconditionFailure("the last rule has a predicate") }
    return holding.label
  }
}
