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
    if format == .json { return Outcome(json(findings, isBad).text, status: status) }
    let document = document(findings, errors)
    return Outcome(
      format == .markdown
        ? MarkdownRenderer().render(document)
        : TextRenderer(usesColor: usesColor, width: 200).render(document), status: status)
  }

  private static func document(_ findings: [LintFinding], _ errors: Int) -> Document {
    var document = Document()
    document.list(
      findings.map { StyledText("\($0)", $0.severity == .error ? .bad : .warning) })
    let warnings = findings.count - errors
    document.paragraph(
      StyledText(
        "\(errors) errors, \(warnings) warnings",
        errors > 0 ? .bad : warnings > 0 ? .warning : .good))
    return document
  }

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
