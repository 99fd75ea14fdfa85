package import PoseModel

/// Which detector was evaluated, as text.
package struct DetectorFacts: Hashable, Sendable {
  /// A parameter with the value that it had.
  package struct Parameter: Hashable, Sendable {
    /// The key of the command line, YAML and JSON.
    package let key: String
    /// The value, in `unit`.
    package let value: Double
    /// The unit; `-` for pure numbers.
    package let unit: String

    /// Makes a parameter.
    package init(key: String, value: Double, unit: String) {
      self.key = key
      self.value = value
      self.unit = unit
    }
  }

  /// The detector's name.
  package var name: String
  /// What it is, in a sentence.
  package var description: String
  /// The rules of the plank stream in order; empty where only answers are known.
  package var plankRules: [String]
  /// The rules of the form stream in order; empty where only answers are known.
  package var formRules: [String]
  /// The parameters that the rules use.
  package var parameters: [Parameter]

  /// Makes the facts of a detector.
  package init(
    name: String, description: String, plankRules: [String] = [], formRules: [String] = [],
    parameters: [Parameter] = []
  ) {
    self.name = name
    self.description = description
    self.plankRules = plankRules
    self.formRules = formRules
    self.parameters = parameters
  }

  /// The rules of a stream.
  package func rules(_ stream: AnswerStream) -> [String] {
    stream == .plank ? plankRules : formRules
  }
}
