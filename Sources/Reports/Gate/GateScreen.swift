internal import Evaluation
internal import PoseModel

package struct GateScreen {
  private static let most = 5

  let envelope: ResultEnvelope<GateReport>

  package init(envelope: ResultEnvelope<GateReport>) {
    self.envelope = envelope
  }
  private var report: GateReport { envelope.result }

  package var document: Document {
    TerminalScreen.first(fitting: (0...Self.most).reversed().lazy.map { document(items: $0) })
  }

  private func document(items: Int) -> Document {
    var document = Document()
    document.heading(report.answer)
    document.paragraph(report.subject(envelope.origin))
    if let sentence = report.diagnosis?.sentence { document.paragraph(sentence) }
    document.list(report.result.obstacles.prefix(items + 1).map { StyledText($0, .bad) })
    document.list(report.judgements)
    document.list(rules(items) + strays(items) + thinness)
    document.list(trials(items) + losses(items) + changes(items))
    document.paragraph(report.verdictLine, report.tone)
    document.code(["# everything: --verbose"])
    return document
  }

  private func rules(_ items: Int) -> [StyledText] {
    let findings = report.result.findings
    let loud = findings.filter(\.stops) + findings.filter(\.warns)
    let quiet = findings.filter { !$0.stops && !$0.warns }
    let shown = loud.prefix(items + 2) + (loud.count + quiet.count <= items + 2 ? quiet : [])
    let rest = findings.count - shown.count
    let more = rest - max(0, loud.count - items - 2)
    var lines = shown.map(line)
    if loud.count > items + 2 {
      lines.append(StyledText("\(loud.count - items - 2) more that block or warn", .bad))
    }
    if more > 0 {
      lines.append(StyledText(more == 1 ? "1 rule holds" : "\(more) rules hold", .good))
    }
    return lines
  }

  private func line(_ finding: GateFinding) -> StyledText {
    let numbers =
      finding.baseline == nil
      ? NumberText.fixed(finding.value, 4)
      : "\(NumberText.fixed(finding.baseline, 4)) -> \(NumberText.fixed(finding.value, 4))"
    let interval = finding.interval.map { ", difference \($0.text(4))" } ?? ""
    let why = finding.isDoubtful ? finding.doubt : finding.reason
    return StyledText(
      "\(finding.name): \(finding.verdictText), \(numbers)\(interval): \(why)",
      report.tone(finding))
  }

  private var thinness: [StyledText] {
    let counts = report.result.findings.map(\.subjects).filter { $0 > 0 }
    guard !counts.isEmpty, counts.allSatisfy({ $0 == 1 }) else { return [] }
    return [
      StyledText(
        "All recordings count as one person (`subject` in dataset.yaml), so nothing is known about "
          + "other people.",
        .warning)
    ]
  }

  private func strays(_ items: Int) -> [StyledText] {
    report.result.findings.flatMap(\.strayText).distinct.prefix(items)
      .map { StyledText($0, .warning) }
  }

  private func trials(_ items: Int) -> [StyledText] {
    let lines = report.diagnosis?.lines(items: max(2, items)) ?? []
    return ([report.failedBefore].compactMap(\.self) + lines).map { StyledText($0) }
  }

  private func losses(_ items: Int) -> [StyledText] {
    let broken = report.result.findings.filter { $0.stops || $0.warns }
    guard items > 0, let first = broken.first(where: { !$0.worse.isEmpty }) else { return [] }
    let moments = report.result.worseMoments(for: first.rule).prefix(min(items, 3))
    return [StyledText("worse in \(first.name): \(first.people)")]
      + (first.reference == .baseline ? moments.map { StyledText(GateReport.text($0)) } : [])
  }

  private func changes(_ items: Int) -> [StyledText] {
    // Trials of single changes, if there are any, already name every change.
    guard !report.changes.isEmpty, items > 0, report.diagnosis?.alone.isEmpty ?? true else {
      return []
    }
    let more = report.changes.count - items
    return [
      StyledText(
        "changed since the baseline: " + report.changes.prefix(items).joined(separator: "; ")
          + (more > 0 ? "; and \(more) more" : ""))
    ]
  }
}

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

  /// Drops characters that XML 1.0 does not allow.
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
