/// Why a line is not JSON.
package enum JSONFault: String, Hashable, Sendable {
  /// A number that JSON does not know, or one too large for a `Double`.
  case number = "a number that is malformed or out of range"
  /// A bare word other than true, false and null: NaN, for example.
  case literal = "a word other than true, false and null"
  /// A string with bad escapes or control characters.
  case string = "a string with a bad escape or a raw control character"
  /// A string, list or object that does not end.
  case incomplete = "a string, list or object that does not end"
  /// More than 1,024 lists in one another.
  case tooDeep = "more than 1,024 levels of nesting"
  /// Anything else.
  case structure = "no readable JSON"

  /// What to do about it.
  var remedy: String {
    switch self {
    case .number: "write finite decimal numbers, and null three times for a missing 3D joint"
    case .literal: "write null where a value is missing; JSON has no NaN"
    case .string: "escape quotes, backslashes and control characters"
    case .incomplete, .tooDeep, .structure: "write one JSON object a line"
    }
  }

  /// The fault of a line, told more exactly than the parser does.
  ///
  /// Words that begin with a capital letter are no literals to it.
  func refined(for line: UnsafeRawBufferPointer) -> JSONFault {
    guard self == .structure else { return self }
    let text = String(decoding: line, as: UTF8.self)
    return ["NaN", "Infinity"].contains { text.contains($0) } ? .literal : self
  }
}
