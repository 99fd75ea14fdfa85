internal import PoseModel

/// The catalogue is the only list of a section's numbers: validation, the reader of script files,
/// help texts and documentation tables are all made from it.
package protocol ScriptParameters: Hashable, Sendable {
  static var section: String { get }

  static var fields: [ScriptField<Self>] { get }

  static var words: [ScriptWord<Self>] { get }

  init()

  func validateRelations(in section: String) throws
}

extension ScriptParameters {
  package static var words: [ScriptWord<Self>] { [] }

  package func validateRelations(in section: String) throws {}

  /// Checks numbers against their ranges, then the relations between numbers; `section` is the
  /// section's place in the script, for example `holds[2].form`.
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

  mutating func clamp() {
    for field in Self.fields {
      let value = self[keyPath: field.path]
      self[keyPath: field.path] = min(max(value, field.range.lowerBound), field.range.upperBound)
    }
  }

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

package enum ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  case outOfRange(field: String, found: Double, allowed: ClosedRange<Double>, unit: String)
  case unknownField(field: String, allowed: [String])
  case reversedLimits(lower: String, upper: String)
  case sessionsRepeatOrMissing
  case noQuarterTurn(field: String, found: Double)
  case noHolds
  case formOfNegative(field: String, posture: String)
  case flexionOutsideSidePlank(field: String, posture: String)
  case errorsOfImagePoints(found: String)

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
