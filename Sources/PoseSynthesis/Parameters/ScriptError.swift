/// A script that cannot be synthesized: which field, what was found, what is allowed.
package enum ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A number lies outside of its range, or is not finite.
  case outOfRange(field: String, found: Double, allowed: ClosedRange<Double>, unit: String)
  /// A section has no number of that name.
  case unknownField(field: String, allowed: String)
  /// A lower limit lies above its upper limit.
  case reversedLimits(lower: String, upper: String)
  /// A list of a studio's sessions that is empty or names one twice.
  case sessionsRepeatOrMissing
  /// A session without a single hold.
  case noHolds
  /// A form offset for a posture in which it means nothing.
  case formOfNegative(field: String, posture: String)
  /// Sideways faults for a posture that is no side plank.
  case flexionOutsideSidePlank(field: String, posture: String)

  /// The problem and its remedy.
  package var description: String {
    switch self {
    case .outOfRange(let field, let found, let allowed, let unit):
      let suffix = unit.isEmpty ? "" : " " + unit
      return "\(field) is \(found)\(suffix); allowed is \(allowed.lowerBound) to "
        + "\(allowed.upperBound)\(suffix); write a number in that range"
    case .unknownField(let field, let allowed):
      return "\(field) is unknown; write one of: \(allowed)"
    case .reversedLimits(let lower, let upper):
      return "\(lower) is above \(upper); swap them or raise the upper one"
    case .sessionsRepeatOrMissing:
      return "studio.only is empty or names a session twice; list each number once, or remove it"
    case .noHolds:
      return "the session has no holds; write at least one posture with its seconds"
    case .formOfNegative(let field, let posture):
      return "\(field) is set, but \(posture) is not a plank; remove it or choose a plank"
    case .flexionOutsideSidePlank(let field, let posture):
      return "\(field) is set, but \(posture) is no side plank; use hip_offset_m instead"
    }
  }
}
