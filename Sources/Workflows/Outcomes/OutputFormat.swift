/// The faces in which a result can be asked for.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// For a terminal.
  case text
  /// For programs.
  case json
  /// For pull requests and pages.
  case markdown
}
