internal import PoseModel

/// A mistake in a file of settings, YAML or JSON: its place, what is wrong, and what to do about it.
package struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file as given by the caller, or an option of the command line.
  package let file: String
  /// The line, from 1; nil if the problem has no line.
  package let line: Int?
  /// The field concerned, such as `sequences[2].starts`; empty for the document as a whole.
  package let field: String
  /// What is wrong, without its place.
  private let problem: String
  /// What to do about it; empty if the problem says so itself.
  package let remedy: String

  /// Makes an error in the words of its finder.
  package init(
    file: String, line: Int?, field: String = "", problem: String, remedy: String = ""
  ) {
    self.file = file
    self.line = line
    self.field = field
    self.problem = problem
    self.remedy = remedy
  }

  /// Makes an error about a value that is not allowed.
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

  /// The same mistake with a place: for values that are read without knowing their file.
  package func placed(in file: String, line: Int?) -> FieldError {
    FieldError(file: file, line: line, field: field, problem: problem, remedy: remedy)
  }

  /// The problem without its place and remedy.
  package var message: String { (field.isEmpty ? "" : "`\(field)`: ") + problem }

  /// Place, problem and remedy.
  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(message)" + (remedy.isEmpty ? "" : "; \(remedy)")
  }
}

extension YAMLNode {
  /// An error at this node about a value that is not allowed.
  package func error(allowed: String, remedy: String, found: String? = nil) -> FieldError {
    FieldError(
      file: file, line: line, field: field, found: found ?? summary, allowed: allowed,
      remedy: remedy)
  }

  /// A mistake at this node that another part found, in that part's words.
  package func error(_ words: any Error) -> FieldError {
    FieldError(file: file, line: line, field: field, problem: "\(words)")
  }

  /// An error about an unknown name at this node, with a question about the nearest names.
  ///
  /// - Parameters:
  ///   - kind: the kind of name, for example `class`.
  ///   - known: the known names.
  ///   - remedy: what else to do.
  package func unknown(
    _ kind: String, _ name: String, among known: [String], remedy: String
  ) -> FieldError {
    error(
      allowed: known.joined(separator: ", "),
      remedy: NearestNames.hint(name, among: known) + remedy, found: "the \(kind) `\(name)`")
  }
}
