package import PlankDetection

/// A parameter with a value, in plain words for reports.
package struct ParameterFact: Hashable, Sendable {
  /// The name.
  package let key: String
  /// The value, in `unit`.
  package let value: Double
  /// The unit; `-` for pure numbers.
  package let unit: String
  /// The detector's default.
  package let defaultValue: Double

  /// States a value.
  package init(_ definition: ParameterDefinition, _ value: Double) {
    key = definition.key.rawValue
    self.value = value
    unit = definition.unit.rawValue
    defaultValue = definition.defaultValue
  }
}

extension ParameterValues {
  /// The facts of some parameters, in output order; of all unless given.
  package func facts(_ keys: [ParameterKey]? = nil) -> [ParameterFact] {
    entries.filter { entry in keys?.contains(entry.definition.key) ?? true }
      .map { ParameterFact($0.definition, $0.value) }
  }
}
