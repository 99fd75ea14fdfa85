internal import PoseModel

/// A section of a session script: numbers with a catalogue of their names, ranges and meanings.
///
/// The catalogue is the only list of a section's numbers: validation, the reader of script files,
/// help texts and documentation tables are all made from it.
package protocol ScriptParameters: Hashable, Sendable {
  /// The section's name in scripts and messages, for example `camera`.
  static var section: String { get }

  /// Every number of the section.
  static var fields: [ScriptField<Self>] { get }

  /// Every choice of the section.
  static var words: [ScriptWord<Self>] { get }

  /// The section with every number at its default.
  init()

  /// Checks what no single range can express, for example that a minimum is below its maximum.
  ///
  /// - Throws: `ScriptError` for the first rule that is broken.
  func validateRelations(in section: String) throws
}

extension ScriptParameters {
  /// No choices unless a section has some.
  package static var words: [ScriptWord<Self>] { [] }

  /// Unless a section says otherwise, nothing beyond the ranges is checked.
  package func validateRelations(in section: String) throws {}

  /// Checks every number against its range, then the relations between numbers.
  ///
  /// - Parameter section: the section's place in the script, for example `holds[2].form`.
  /// - Throws: `ScriptError` with the first field that is out of range, the allowed range and the
  ///   remedy.
  package func validate(in section: String = Self.section) throws {
    for field in Self.fields {
      let found = self[keyPath: field.path]
      guard field.range.contains(found) else {
        throw ScriptError.outOfRange(
          field: "\(section).\(field.key)", found: found, allowed: field.range, unit: field.unit)
      }
    }
    try validateRelations(in: section)
  }

  /// Moves every number that is out of its range to the nearer end, for numbers that were drawn.
  mutating func clamp() {
    for field in Self.fields {
      let value = self[keyPath: field.path]
      self[keyPath: field.path] = min(max(value, field.range.lowerBound), field.range.upperBound)
    }
  }

  /// Sets a number by its key in scripts.
  ///
  /// - Throws: `ScriptError.unknownField` with the section's keys, or `outOfRange`.
  package mutating func set(
    _ key: String, to value: Double, in section: String = Self.section
  ) throws {
    guard let field = Self.fields.first(where: { $0.key == key }) else {
      throw ScriptError.unknownField(
        field: "\(section).\(key)", allowed: Self.fields.map(\.key))
    }
    guard field.range.contains(value) else {
      throw ScriptError.outOfRange(
        field: "\(section).\(key)", found: value, allowed: field.range, unit: field.unit)
    }
    self[keyPath: field.path] = value
  }
}

/// A script that cannot be synthesized: the field, what was found, and what is allowed.
package enum ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A number is out of its range, or is not finite.
  case outOfRange(field: String, found: Double, allowed: ClosedRange<Double>, unit: String)
  /// A section has no number with that name.
  case unknownField(field: String, allowed: [String])
  /// A lower limit is above its upper limit.
  case reversedLimits(lower: String, upper: String)
  /// A list of a studio's sessions is empty or contains a number twice.
  case sessionsRepeatOrMissing
  /// A rotation of buffers that is not a quarter turn.
  case noQuarterTurn(field: String, found: Double)
  /// A session without any hold.
  case noHolds
  /// A form offset for a posture that has no form.
  case formOfNegative(field: String, posture: String)
  /// Sideways faults for a posture that is not a side plank.
  case flexionOutsideSidePlank(field: String, posture: String)
  /// Errors of 3D joints for a recording of points in an image.
  case errorsOfImagePoints(found: String)

  /// The problem and its remedy.
  package var description: String {
    switch self {
    case .outOfRange(let field, let found, let allowed, let unit):
      let suffix = unit.isEmpty ? "" : " " + unit
      return "\(field) is \(found)\(suffix); allowed: \(allowed.lowerBound) to "
        + "\(allowed.upperBound)\(suffix); write a number in that range"
    case .unknownField(let field, let allowed):
      let name = field.split(separator: ".").last.map(String.init) ?? field
      return "\(field) is unknown; \(NearestNames.hint(name, among: allowed))"
        + "write one of: \(allowed.joined(separator: ", "))"
    case .reversedLimits(let lower, let upper):
      return "\(lower) is above \(upper); swap them or raise the upper one"
    case .sessionsRepeatOrMissing:
      return "studio.only is empty or names a session twice; list each number once, or remove it"
    case .noQuarterTurn(let field, let found):
      return "\(field) is \(found); write 0, 90, 180 or 270"
    case .noHolds:
      return "the session has no holds; write at least one posture with its seconds"
    case .formOfNegative(let field, let posture):
      return "\(field) is set, but \(posture) is not a plank; remove it or choose a plank"
    case .errorsOfImagePoints(let found):
      return "output.recording is \(found), but the errors of recordings are those of 3D joints; "
        + "write camera or pelvis, or leave the errors out"
    case .flexionOutsideSidePlank(let field, let posture):
      return "\(field) is set, but \(posture) is not a side plank; use hip_offset_m instead"
    }
  }
}
