internal import Evaluation

/// A gate as GitHub Actions shows it: annotations and a step summary.
package enum GitHubFace {
  /// GitHub shows ten errors and ten warnings a step; the last place is kept for the rest's count.
  static let mostAnnotations = 9
  /// GitHub drops a summary above 1 MiB as a whole.
  package static let mostSummaryBytes = 1_000_000
  /// GitHub refuses comments above 65,536 characters.
  package static let mostCommentBytes = 60_000

  /// Workflow commands, a line each: at most ten errors and ten warnings.
  package static func annotations(_ report: GateReport) -> String {
    let errors =
      report.result.obstacles.map { ("not comparable", $0) }
      + report.result.findings.filter(\.stops).map { annotation($0, report) }
    let warnings = report.result.warnings.map { annotation($0, report) }
    return (commands("error", errors) + commands("warning", warnings))
      .map { $0 + "\n" }.joined()
  }

  /// A text within a limit of UTF-8 bytes: cut off at a line's end, which is said.
  ///
  /// - Returns: nothing where not even that fits.
  package static func limited(_ text: String, to bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    let note = "\n(The rest is left out: it is larger than GitHub shows.)\n"
    guard note.utf8.count <= bytes else { return "" }
    var result = ""
    var used = note.utf8.count
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      used += line.utf8.count + 1
      if used > bytes { break }
      result += line + "\n"
    }
    return result + note
  }

  private static func annotation(
    _ finding: GateFinding, _ report: GateReport
  ) -> (title: String, message: String) {
    (
      "\(finding.verdict.rawValue): \(finding.rule.name)",
      report.lines(finding).joined(separator: "\n")
    )
  }

  private static func commands(_ level: String, _ all: [(String, String)]) -> [String] {
    let shown = all.prefix(all.count > mostAnnotations + 1 ? mostAnnotations : all.count)
    let lines = shown.map { title, message in
      "::\(level) title=\(escape(title, isProperty: true))::\(escape(message, isProperty: false))"
    }
    let rest = all.count - shown.count
    return rest > 0 ? lines + ["::\(level) title=More::and \(rest) more"] : lines
  }

  /// The escapes of workflow commands.
  private static func escape(_ text: String, isProperty: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
