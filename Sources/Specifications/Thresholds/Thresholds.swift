package import PlankDetection

/// A tuned detector as a file holds it: rules, numbers and smoothing, ready to ship.
package struct Thresholds: Hashable, Sendable {
  /// The detector.
  package let definition: DetectorDefinition
  /// A value for each of its parameters.
  package let parameters: ParameterValues
  /// The smoothing in text form; `none` for none.
  package let smoothing: String

  /// Makes thresholds.
  package init(definition: DetectorDefinition, parameters: ParameterValues, smoothing: String) {
    self.definition = definition
    self.parameters = parameters
    self.smoothing = smoothing
  }
}
