package import PoseDatasets

package struct LintReport: Encodable {
  private let isOK: Bool
  private let errors: Int
  private let warnings: Int
  private let notes: Int
  private let findings: [LintFinding]

  private enum CodingKeys: String, CodingKey {
    case isOK = "ok"
    case errors, warnings, notes, findings
  }

  package init(_ findings: [LintFinding], isOK: Bool) {
    self.isOK = isOK
    errors = findings.count { $0.severity == .error }
    warnings = findings.count { $0.severity == .warning }
    notes = findings.count { $0.severity == .note }
    self.findings = findings
  }

  package var document: Document {
    var document = Document()
    document.list(lines)
    document.paragraph(
      NumberText.count(errors, "error") + ", " + NumberText.count(warnings, "warning")
        + (notes > 0 ? ", " + NumberText.count(notes, "note") : ""),
      errors > 0 ? .bad : warnings > 0 ? .warning : .good)
    return document
  }

  private var lines: [StyledText] {
    var seen: [LintCode: Int] = [:]
    var lines: [StyledText] = []
    for finding in findings {
      seen[finding.code, default: 0] += 1
      if finding.severity == .error {
        lines.append(StyledText("\(finding)", .bad))
      } else if seen[finding.code, default: 0] <= Self.warningLimit {
        lines.append(StyledText("\(finding)", finding.severity == .note ? .dim : .warning))
      }
    }
    for (code, count) in seen.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where count > Self.warningLimit
      && !findings.contains(where: { $0.code == code && $0.severity == .error })
    {
      lines.append(
        StyledText(
          "\(count - Self.warningLimit) more \(code.rawValue) findings; --format json lists every one",
          .dim))
    }
    return lines
  }

  private static let warningLimit = 8
}
