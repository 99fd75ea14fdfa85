internal import PoseModel
package import PoseRecording

package struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
  package let file: String
  package let line: Int?
  package let field: String
  private let problem: String
  package let remedy: String

  package init(file: String, line: Int?, field: String = "", problem: String, remedy: String = "") {
    self.file = file
    self.line = line
    self.field = field
    self.problem = problem
    self.remedy = remedy
  }

  package init(
    file: String, line: Int?, field: String = "", found: String, allowed: String, remedy: String
  ) {
    self.init(
      file: file, line: line, field: field, problem: "found \(found); allowed: \(allowed)",
      remedy: remedy)
  }

  /// The same problem in an option of the command line, which has no lines and no fields.
  package func onCommandLine(_ option: String) -> FieldError {
    FieldError(file: option, line: nil, problem: problem, remedy: remedy)
  }

  package func placed(in file: String, line: Int?) -> FieldError {
    FieldError(file: file, line: line, field: field, problem: problem, remedy: remedy)
  }

  package var message: String { (field.isEmpty ? "" : "`\(field)`: ") + problem }

  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(message)" + (remedy.isEmpty ? "" : "; \(remedy)")
  }
}

extension FieldError {
  init(_ mistake: JSONMistake, file: String) {
    if case .otherKey(let key) = mistake.allowed {
      self.init(
        file: file, line: mistake.line, found: "`\(key)` more than once in one object",
        allowed: "each key once", remedy: "remove or rename the repeated key")
      return
    }
    let found = mistake.found.map { $0.isEmpty ? "nothing" : "`\($0)`" } ?? "the end"
    self.init(
      file: file, line: mistake.line,
      problem: "the JSON cannot be read: found \(found); allowed: \(Self.words(mistake.allowed))",
      remedy: "correct it there, or write the file again")
  }

  private static func words(_ allowed: JSONMistake.Allowed) -> String {
    switch allowed {
    case .value: "a number, text in double quotes, true, false, null, a list or an object"
    case .key: "a key in double quotes"
    case .colon: "a colon"
    case .comma(let end): "a comma or `\(end)`"
    case .quote: "text that ends with a double quote on the same line"
    case .escapes: "text with valid JSON escapes"
    case .levels(let limit): "at most \(limit) levels of lists and objects"
    case .rest: "the rest of the list or object: the file is cut off"
    case .end: "the end of the file"
    case .otherKey: "each key once"
    }
  }
}

extension JSONNode {
  package init(_ text: String, file: String) throws(FieldError) {
    do throws(JSONMistake) {
      var parser = JSONParser(Array(text.utf8))
      self = try parser.value()
      try parser.requireEnd()
    } catch { throw FieldError(error, file: file) }
  }
}

extension YAMLNode {
  package func error(allowed: String, remedy: String, found: String? = nil) -> FieldError {
    FieldError(
      file: file, line: line, field: field, found: found ?? summary, allowed: allowed,
      remedy: remedy)
  }

  package func error(_ words: any Error) -> FieldError {
    FieldError(file: file, line: line, field: field, problem: "\(words)")
  }

  /// Asks about the nearest of the `known` names; `remedy` is what else to do.
  package func unknown(
    _ kind: String, _ name: String, among known: [String], remedy: String
  ) -> FieldError {
    error(
      allowed: known.joined(separator: ", "),
      remedy: NearestNames.hint(name, among: known) + remedy, found: "the \(kind) `\(name)`")
  }
}

extension String {
  /// Control characters, line separators, byte-order marks and non-characters are written by their
  /// numbers: readers of YAML refuse or change them.
  package mutating func appendQuoted(_ text: String) {
    self += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": self += "\\\""
      case "\\": self += "\\\\"
      case "\n": self += "\\n"
      case "\r": self += "\\r"
      case "\t": self += "\\t"
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}",
        "\u{FFFF}":
        let hex = String(scalar.value, radix: 16)
        self += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: unicodeScalars.append(scalar)
      }
    }
    self += "\""
  }
}
