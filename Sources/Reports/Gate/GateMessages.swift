internal import Evaluation
internal import PoseModel

package enum GitHubSummary {
  /// GitHub shows ten errors and ten warnings per step; the tenth is reserved for the number of
  /// those left out.
  static let mostAnnotations = 9
  /// GitHub drops a summary of more than 1 MiB entirely.
  package static let mostSummaryBytes = 1_000_000
  /// GitHub refuses comments of more than 65,536 characters.
  package static let mostCommentBytes = 60_000

  package static func annotations(_ report: GateReport) -> String {
    let errors =
      report.result.obstacles.map { ("not comparable", $0) }
      + report.result.findings.filter(\.stops).map { annotation($0, report) }
    let changes = report.changesText.map { "\n" + $0 } ?? ""
    let warnings =
      report.losses.map { ($0.text, $0.sentence + changes) }
      + report.result.warnings.map { annotation($0, report) }
    return (commands("error", errors) + commands("warning", warnings)).map { $0 + "\n" }.joined()
  }

  package static func limited(_ text: String, to bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    let note = "\n(The rest is omitted because the text exceeds GitHub's limit.)\n"
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
      "\(finding.verdictText): \(finding.name)",
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

  private static func escape(_ text: String, isProperty: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      case "\0"..<" ", "\u{7F}"..."\u{9F}": result += "?"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

package enum JUnitReport {
  /// A regression is a `failure`, a rule that cannot be judged is an `error`, and a rule that waits
  /// for labels is `skipped`.
  ///
  /// Numbers are properties of the suite, because many viewers show numbers only there.
  package static func render(_ gate: ResultEnvelope<GateReport>, duration: Duration = .zero)
    -> String
  {
    let report = gate.result
    let cases = report.result.findings.map { testCase($0, report) }
    let obstacles = report.result.obstacles.map { obstacle in
      "    <testcase classname=\"gate\" name=\"comparable\" time=\"0\">\n"
        + "      <error message=\"\(escape(obstacle))\" type=\"not comparable\"/>\n"
        + "    </testcase>\n"
    }
    let failures = report.result.findings.count { $0.stops && $0.verdict == .regressed }
    let errors =
      report.result.findings.count { $0.stops && $0.verdict != .regressed } + obstacles.count
    let tests = cases.count + obstacles.count
    let counts = "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\""
    let skipped = report.result.findings.count(where: \.isUnlabeled)
    let time = NumberText.fixed(duration / .seconds(1), 3)
    let name = escape(report.result.name)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts) time="\(time)">
        <testsuite name="\(name)" \(counts) skipped="\(skipped)" time="\(time)">
          <properties>
      \(properties(gate))    </properties>
      \((obstacles + cases).joined())  </testsuite>
      </testsuites>

      """
  }

  private static func properties(_ gate: ResultEnvelope<GateReport>) -> String {
    let report = gate.result
    var pairs = [
      ("verdict", report.result.verdict.rawValue), ("exit_code", "\(report.exitCode)"),
      ("dataset", gate.origin.datasetName), ("dataset_hash", gate.origin.dataset?.hash ?? ""),
      ("candidate", report.candidate),
    ]
    pairs += AnswerStream.allCases.compactMap { stream in
      report.judgement(stream).map { ("advice on \(stream.rawValue)", $0.text) }
    }
    pairs += report.result.findings.map { ($0.name, $0.numbers) }
    return pairs.map { name, value in
      "      <property name=\"\(escape(name))\" value=\"\(escape(value))\"/>\n"
    }.joined()
  }

  private static func testCase(_ finding: GateFinding, _ report: GateReport) -> String {
    let head =
      "    <testcase classname=\"\(escape(finding.rule.key))\" name=\"\(escape(finding.name))\""
      + " time=\"0\""
    let message = escape(
      (["\(finding.verdictText): \(finding.reason)"] + report.effects(on: finding))
        .joined(separator: "; "))
    if finding.stops {
      let element = finding.verdict == .regressed ? "failure" : "error"
      let body = escape(report.lines(finding).joined(separator: "\n"), isText: true)
      return head + ">\n      <\(element) message=\"\(message)\" "
        + "type=\"\(finding.verdict.rawValue)\">\(body)</\(element)>\n    </testcase>\n"
    }
    if finding.isUnlabeled {
      return head + ">\n      <skipped message=\"\(message)\"/>\n    </testcase>\n"
    }
    guard finding.warns else { return head + "/>\n" }
    return head + ">\n      <system-out>warning: \(message)</system-out>\n    </testcase>\n"
  }

  /// Replaces characters that XML 1.0 does not allow with `?`.
  ///
  /// If `isText`, line breaks stay; in attributes, XML turns them into spaces.
  private static func escape(_ text: String, isText: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result += isText ? String(scalar) : "&#\(scalar.value);"
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += "?"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
