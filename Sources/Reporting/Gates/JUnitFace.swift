internal import Evaluation

/// A gate as JUnit XML, which test viewers read: a test case a rule.
package enum JUnitFace {
  /// The document.
  ///
  /// A regression is a `failure`, what cannot be judged an `error`; rules that pass with a warning
  /// say so in `system-out`. Numbers are properties of the suite, because many viewers show no
  /// others.
  package static func render(_ report: GateReport) -> String {
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
    let time = NumberText.fixed(report.seconds ?? 0, 3)
    let name = escape(report.result.name)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts) time="\(time)">
        <testsuite name="\(name)" \(counts) skipped="0" time="\(time)">
          <properties>
      \(properties(report))    </properties>
      \((obstacles + cases).joined())  </testsuite>
      </testsuites>

      """
  }

  private static func properties(_ report: GateReport) -> String {
    var pairs = [
      ("verdict", report.result.verdict.rawValue), ("exit_code", "\(report.exitCode)"),
      ("dataset", report.dataset.name), ("dataset_hash", report.dataset.hash),
      ("candidate", report.candidate),
    ]
    pairs += report.result.findings.map { ($0.rule.name, $0.numbers) }
    return pairs.map { name, value in
      "      <property name=\"\(escape(name))\" value=\"\(escape(value))\"/>\n"
    }.joined()
  }

  private static func testCase(_ finding: GateFinding, _ report: GateReport) -> String {
    let head =
      "    <testcase classname=\"\(escape(finding.rule.key))\" name=\"\(escape(finding.rule.name))\""
      + " time=\"0\""
    let message = escape("\(finding.verdict.rawValue): \(finding.reason)")
    if finding.stops {
      let element = finding.verdict == .regressed ? "failure" : "error"
      let body = escape(report.lines(finding).joined(separator: "\n"))
      return head + ">\n      <\(element) message=\"\(message)\" "
        + "type=\"\(finding.verdict.rawValue)\">\(body)</\(element)>\n    </testcase>\n"
    }
    guard finding.warns else { return head + "/>\n" }
    return head + ">\n      <system-out>warning: \(message)</system-out>\n    </testcase>\n"
  }

  /// Keeps names from becoming markup, and characters out that XML 1.0 does not have.
  private static func escape(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || [0xFFFE, 0xFFFF].contains(scalar.value): result += "?"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
