internal import ArgumentParser
internal import Evaluation
internal import Platform
internal import PoseDatasets

struct DatasetLintCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Check every file of a dataset and say what is wrong, where, and what to do.",
    discussion: """
      Errors exit 65. Warnings exit 0, or 65 with --strict: duplicate recordings, stretches of \
      frames that two recordings share, missing subjects, bodies of no person's size or shape, \
      planks that do not look like planks along up, swapped sides, joints at the origin, times in \
      another unit than seconds, label times beyond the recording, and more. Each names the likely \
      cause. Notes, such as labels that all say `ignore`, always exit 0.
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @OptionGroup var result: ResultOptions

  func outcome() async throws -> Outcome {
    let checks = try DatasetChecks(datasetAt: dataset)
    let progress = LongWork(["sequences", "sequences compared"]).report
    let checked = try await ConcurrentMap.run(checks.sequences, progress: progress) { entry in
      try checks.check(entry)
    }
    let findings = checks.findings(checked) { progress($0, checked.count, "sequences compared") }
    let isBad = findings.contains {
      $0.severity == .error || (strict && $0.severity == .warning)
    }
    let status: ExitStatus = isBad ? .badData : .success
    return try result.outcome(
      status: status, content: LintReport(findings, isOK: !isBad),
      document: document(findings))
  }

  private func document(_ findings: [LintFinding]) -> Document {
    var document = Document()
    document.list(lines(findings))
    let errors = findings.count { $0.severity == .error }
    let warnings = findings.count { $0.severity == .warning }
    let notes = findings.count { $0.severity == .note }
    document.paragraph(
      StyledText(
        NumberText.count(errors, "error") + ", " + NumberText.count(warnings, "warning")
          + (notes > 0 ? ", " + NumberText.count(notes, "note") : ""),
        errors > 0 ? .bad : warnings > 0 ? .warning : .good))
    return document
  }

  private func lines(_ findings: [LintFinding]) -> [StyledText] {
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
          "\(count - Self.warningLimit) more of \(code.rawValue); --format json lists all", .dim))
    }
    return lines
  }

  private static let warningLimit = 8
}

private struct LintReport: Encodable {
  let isOK: Bool
  let errors: Int
  let warnings: Int
  let notes: Int
  let findings: [LintFinding]

  private enum CodingKeys: String, CodingKey {
    case isOK = "ok"
    case errors, warnings, notes, findings
  }

  init(_ findings: [LintFinding], isOK: Bool) {
    self.isOK = isOK
    errors = findings.count { $0.severity == .error }
    warnings = findings.count { $0.severity == .warning }
    notes = findings.count { $0.severity == .note }
    self.findings = findings
  }
}

struct DatasetHash: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Print the hashes that identify a dataset: poses, labels, manifest, and all together."
  )

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @OptionGroup var result: ResultOptions

  func outcome() throws -> Outcome {
    let reader = try DatasetAccess.open(dataset)
    let progress = LongWork(["files"]).report
    let identity = try DatasetIdentities.identity(of: reader, split: nil, progress: progress)
    let parts = [
      ("hash", identity.hash), ("poses", identity.posesHash), ("labels", identity.labelsHash),
      ("manifest", identity.manifestHash),
    ]
    var table = Table([.words("part"), .words("sha-256")])
    for (name, hash) in parts { table.row([StyledText(name, .strong), StyledText(hash)]) }
    var document = Document()
    document.table(table)
    return try result.outcome(
      content: Dictionary(uniqueKeysWithValues: parts + [("name", identity.name)]),
      document: document)
  }
}
