/// A YAML text that cannot be used: where, what was found, what is allowed, what to do.
package struct YAMLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file as it was named by the caller.
  package let file: String
  /// The line, from 1; nil where the problem has no line.
  package let line: Int?
  /// The field concerned, such as `sequences[2].starts`; empty for the document as a whole.
  package let field: String
  /// What was found.
  package let found: String
  /// What is allowed.
  package let allowed: String
  /// What to do about it.
  package let remedy: String

  /// Makes an error.
  package init(
    file: String, line: Int?, field: String = "", found: String, allowed: String, remedy: String
  ) {
    self.file = file
    self.line = line
    self.field = field
    self.found = found
    self.allowed = allowed
    self.remedy = remedy
  }

  /// The problem without its place and remedy.
  package var message: String {
    (field.isEmpty ? "" : "`\(field)`: ") + "found \(found); allowed: \(allowed)"
  }

  /// Place, problem and remedy.
  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(message); \(remedy)"
  }
}
