package import PlankDetection
package import PoseModel

/// One value of the detector axis: rules, what becomes of their raw labels, and fixed values.
package struct DetectorVariant: Hashable, Sendable {
  /// The name in reports; unique in an experiment.
  package let name: String
  /// The rules.
  package let definition: DetectorDefinition
  /// The values of parameters that no axis varies.
  package let base: ParameterValues
  /// How raw labels become steady answers.
  package let debounce: DebounceStrategy

  /// Makes a variant.
  ///
  /// - Parameter debounceName: the debounce in text form; ignored where the parameters rule.
  package init(
    _ definition: DetectorDefinition, base: ParameterValues? = nil,
    debounce: DebounceStrategy = .parameters, debounceName: String = ""
  ) {
    self.definition = definition
    self.base = base ?? definition.defaults
    self.debounce = debounce
    name = definition.name + (debounce == .parameters ? "" : " with " + debounceName)
  }

  /// The same detector with other values.
  package func with(_ values: ParameterValues) -> DetectorVariant {
    DetectorVariant(name: name, definition: definition, base: values, debounce: debounce)
  }

  private init(
    name: String, definition: DetectorDefinition, base: ParameterValues, debounce: DebounceStrategy
  ) {
    self.name = name
    self.definition = definition
    self.base = base
    self.debounce = debounce
  }

  /// The parameters that the answers of a stream depend on.
  package func keys(_ stream: AnswerStream) -> [ParameterKey] {
    let frames = stream == .plank ? ParameterKey.plankFrames : .formFrames
    return definition.list(stream).parameterKeys + (debounce[stream] == nil ? [frames] : [])
      + [.holdSeconds]
  }

  /// Whether the bit-parallel engine can express the stream's debounce.
  package func isBitParallel(_ stream: AnswerStream) -> Bool {
    let keys = definition.list(stream).parameterKeys
    return debounce[stream] == nil && !debounce.bands.contains { keys.contains($0.parameter) }
  }
}
