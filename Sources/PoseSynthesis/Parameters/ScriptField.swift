/// One number of a script section: its key, unit, closed range, meaning and place.
package struct ScriptField<Parameters: ScriptParameters>: Sendable {
  /// The key in script files, in snake case with the unit, for example `distance_m`.
  package let key: String
  /// The unit as printed; empty for pure numbers.
  package let unit: String
  /// The allowed values, both ends included.
  package let range: ClosedRange<Double>
  /// What the number does, in one line, with its source where there is one.
  package let meaning: String
  /// Where the number stands in its section.
  package let path: any WritableKeyPath<Parameters, Double> & Sendable

  /// Makes the entry of a number.
  package init(
    _ key: String, _ unit: String, _ range: ClosedRange<Double>,
    _ path: any WritableKeyPath<Parameters, Double> & Sendable, _ meaning: String
  ) {
    self.key = key
    self.unit = unit
    self.range = range
    self.meaning = meaning
    self.path = path
  }

  /// The value that a section has unless a script says otherwise.
  package var defaultValue: Double { Parameters()[keyPath: path] }
}
