internal import PoseDatasets
internal import Reporting

/// Checks every file of a dataset.
package enum LintDataset {
  /// Runs the command.
  ///
  /// - Parameter isStrict: whether warnings exit like errors.
  package static func run(
    _ dataset: String, isStrict: Bool, format: OutputFormat, usesColor: Bool
  ) throws(WorkflowFailure) -> Outcome {
    let findings = try DatasetAccess.failing { () throws(DatasetError) in
      try DatasetLint.findings(datasetAt: dataset)
    }
    let errors = findings.count { $0.severity == .error }
    let isBad = errors > 0 || (isStrict && !findings.isEmpty)
    let status: ExitStatus = isBad ? .badData : .success
    return Outcome(
      format, usesColor: usesColor, width: 200, status: status, json: json(findings, isBad),
      document: document(findings, errors))
  }

  private static func document(_ findings: [LintFinding], _ errors: Int) -> Document {
    var document = Document()
    document.list(lines(findings))
    let warnings = findings.count - errors
    document.paragraph(
      StyledText(
        "\(errors) errors, \(warnings) warnings",
        errors > 0 ? .bad : warnings > 0 ? .warning : .good))
    return document
  }

  /// A line a finding; of a kind of warning that comes often, the first ones and how many more.
  private static func lines(_ findings: [LintFinding]) -> [StyledText] {
    var seen: [LintCode: Int] = [:]
    var lines: [StyledText] = []
    for finding in findings {
      seen[finding.code, default: 0] += 1
      if finding.severity == .error {
        lines.append(StyledText("\(finding)", .bad))
      } else if seen[finding.code, default: 0] <= warningLimit {
        lines.append(StyledText("\(finding)", .warning))
      }
    }
    for (code, count) in seen.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where count > warningLimit
      && !findings.contains(where: { $0.code == code && $0.severity == .error })
    {
      lines.append(
        StyledText(
          "\(count - warningLimit) more of \(code.rawValue); --format json lists all", .dim))
    }
    return lines
  }

  /// How many warnings of a kind are written out for people.
  private static let warningLimit = 8

  private static func json(_ findings: [LintFinding], _ isBad: Bool) -> JSONValue {
    .object([
      "schema_version": .integer(1), "ok": .bool(!isBad),
      "errors": .integer(findings.count { $0.severity == .error }),
      "warnings": .integer(findings.count { $0.severity == .warning }),
      "findings": .array(
        findings.map { finding in
          .object([
            "severity": .string(finding.severity.rawValue), "code": .string(finding.code.rawValue),
            "file": .string(finding.file),
            "line": finding.line.map(JSONValue.integer) ?? .null,
            "message": .string(finding.message), "remedy": .string(finding.remedy),
          ])
        }),
    ])
  }
}
