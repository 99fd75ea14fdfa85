/// A section of a session script: numbers with a catalogue that names, limits and explains them.
///
/// The catalogue is the only list of a section's numbers: validation, the reader of script files,
/// help texts and documentation tables all follow it.
package protocol ScriptParameters: Hashable, Sendable {
  /// The section's name in scripts and messages, for example `camera`.
  static var section: String { get }

  /// Every number of the section.
  static var fields: [ScriptField<Self>] { get }

  /// Every choice of the section.
  static var words: [ScriptWord<Self>] { get }

  /// The section with every number at its default.
  init()

  /// Checks what no single range can say, for example that a minimum is below its maximum.
  ///
  /// - Throws: `ScriptError` for the first rule that is broken.
  func validateRelations(in section: String) throws(ScriptError)
}

extension ScriptParameters {
  /// No choices unless a section has some.
  package static var words: [ScriptWord<Self>] { [] }

  /// Nothing beyond the ranges is checked unless a section says so.
  package func validateRelations(in section: String) throws(ScriptError) {}

  /// Checks every number against its range, then what numbers demand of each other.
  ///
  /// - Parameter section: the section's place in the script, for example `holds[2].form`.
  /// - Throws: `ScriptError` naming the first field that is out of range, the allowed range and
  ///   the remedy.
  package func validate(in section: String = Self.section) throws(ScriptError) {
    for field in Self.fields {
      let found = self[keyPath: field.path]
      guard field.range.contains(found) else {
        throw .outOfRange(
          field: "\(section).\(field.key)", found: found, allowed: field.range, unit: field.unit)
      }
    }
    try validateRelations(in: section)
  }

  /// Sets a number by its key in scripts.
  ///
  /// - Throws: `ScriptError.unknownField` with the section's keys, or `outOfRange`.
  package mutating func set(
    _ key: String, to value: Double, in section: String = Self.section
  ) throws(ScriptError) {
    guard let field = Self.fields.first(where: { $0.key == key }) else {
      throw .unknownField(
        field: "\(section).\(key)", allowed: Self.fields.map(\.key).joined(separator: ", "))
    }
    guard field.range.contains(value) else {
      throw .outOfRange(
        field: "\(section).\(key)", found: value, allowed: field.range, unit: field.unit)
    }
    self[keyPath: field.path] = value
  }
}
