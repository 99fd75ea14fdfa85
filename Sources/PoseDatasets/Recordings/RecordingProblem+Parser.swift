import CSimdjson
import PoseModel

extension RecordingProblem {
  /// The problem that the parser found in a line.
  ///
  /// - Parameter layout: the joints of a frame; nil for the header line.
  init(_ problem: csimdjson_problem, layout: JointLayout?) {
    let field = String(problem.field)
    let element = problem.index < 0 ? nil : Int(problem.index)
    let joints = layout?.joints ?? []
    switch problem.code {
    case CSIMDJSON_INVALID_UTF8: self = .notUTF8
    case CSIMDJSON_NOT_AN_OBJECT: self = .notAnObject
    case CSIMDJSON_REPEATED_KEY: self = .repeatedKey(field)
    case CSIMDJSON_MISSING_FIELD: self = .missingField(field)
    case CSIMDJSON_WRONG_TYPE:
      self = .wrongType(
        field: field, element: element, found: Self.name(of: problem.kind),
        allowed: Self.allowed(field, layout: layout))
    case CSIMDJSON_NOT_FINITE:
      let joint = (element ?? 0) / (field == "p" ? layout?.dimension ?? 1 : 1)
      self = .notFinite(field: field, joint: joint < joints.count ? joints[joint].name : "?")
    case CSIMDJSON_WRONG_COUNT:
      self = .wrongCount(
        field: field, found: Int(problem.found), allowed: Self.allowed(field, layout: layout))
    case CSIMDJSON_PARTLY_NULL:
      let joint = element ?? 0
      self = .partlyNull(joint: joint < joints.count ? joints[joint].name : "?")
    default: self = .notJSON(Self.fault(problem.code))
    }
  }

  private static func fault(_ code: csimdjson_code) -> JSONFault {
    switch code {
    case CSIMDJSON_INVALID_NUMBER: .number
    case CSIMDJSON_INVALID_LITERAL: .literal
    case CSIMDJSON_INVALID_STRING: .string
    case CSIMDJSON_INCOMPLETE: .incomplete
    case CSIMDJSON_TOO_DEEP: .tooDeep
    default: .structure
    }
  }

  private static func name(of kind: csimdjson_kind) -> String {
    switch kind {
    case CSIMDJSON_BOOLEAN: "a truth value"
    case CSIMDJSON_NUMBER: "a number"
    case CSIMDJSON_STRING: "text"
    case CSIMDJSON_ARRAY: "a list"
    case CSIMDJSON_OBJECT: "an object"
    default: "null"
    }
  }

  /// What a field of a frame may hold.
  private static func allowed(_ field: String, layout: JointLayout?) -> String {
    let joints = layout?.joints.count ?? 0
    let dimension = layout?.dimension ?? 0
    switch field {
    case "t": return "a number of seconds"
    case "p":
      return "\(joints * dimension) numbers (\(joints) joints, \(dimension) each), null for a "
        + "missing joint, or null without a pose"
    case "up": return "3 numbers, or null"
    case "camera": return "16 numbers column by column, or null"
    case "height_m": return "a number of meters, or null"
    case "height_estimation": return "reference, measured, or null"
    case "c": return "\(joints) numbers, one a joint, or null"
    case "a": return "2 texts, the plank and the form, or null"
    default: return "a value of another type"
    }
  }
}
