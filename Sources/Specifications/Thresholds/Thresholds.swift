package import PlankDetection
package import Smoothing

/// A tuned detector as a file holds it: rules, numbers and smoothing, ready to ship.
package struct Thresholds: Hashable, Sendable {
  /// The detector.
  package let definition: DetectorDefinition
  /// A value for each of its parameters.
  package let parameters: ParameterValues
  /// The smoothing in front of the rules.
  package let smoothing: SmoothingChoice
  /// What makes raw labels steady.
  package let debounce: DebounceStrategy

  /// Makes thresholds.
  package init(
    definition: DetectorDefinition, parameters: ParameterValues, smoothing: SmoothingChoice,
    debounce: DebounceStrategy
  ) {
    self.definition = definition
    self.parameters = parameters
    self.smoothing = smoothing
    self.debounce = debounce
  }

  /// The debounce in text form.
  package var debounceText: String { debounce.text(parameters: definition.parameters) }
}
