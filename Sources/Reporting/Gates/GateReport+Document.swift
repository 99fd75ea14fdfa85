internal import Evaluation
internal import PoseModel

extension GateReport {
  /// The verdicts for people; as Markdown it is a comment for a pull request.
  package var document: Document {
    var document = Document()
    document.heading("Gate \(result.name): \(result.verdict.rawValue)", level: 1)
    let against = baseline.map { ", against \($0)." } ?? ", without a baseline."
    document.paragraph(StyledText("\(candidate) on \(dataset.name)" + against))
    document.list(result.obstacles.map { StyledText("not comparable: \($0)", .bad) })
    document.table(table)
    let broken = result.findings.filter { $0.stops || $0.warns }
    for finding in broken where !finding.worse.isEmpty {
      document.paragraph(StyledText("Worse in \(finding.rule.name): \(finding.people)."))
    }
    document.table(sequences(of: broken))
    document.table(moments(of: broken))
    document.paragraph(StyledText(verdictLine, exitCode == 0 ? .good : .bad))
    return document
  }

  private var table: Table {
    var table = Table([
      .words("rule"), .words("verdict"), .number("now"), .number("baseline"),
      .number("difference (95 %)"), .number("people"), .words("why"),
    ])
    for finding in result.findings {
      let tone: StyledText.Tone = finding.stops ? .bad : finding.warns ? .warning : .good
      let remark = finding.warns ? " (warning)" : ""
      table.row([
        StyledText(finding.rule.name), StyledText(finding.verdict.rawValue + remark, tone),
        StyledText(GateFinding.text(finding.value)),
        StyledText(GateFinding.text(finding.baseline)),
        StyledText(finding.change), StyledText("\(finding.subjects)"),
        StyledText(finding.reason),
      ])
    }
    return table
  }

  private func sequences(of findings: [GateFinding]) -> Table {
    var table = Table([
      .words("worst sequences"), .words("person"), .words("stream"), .number("lost s"),
    ])
    let concerned = Set(findings.flatMap { result.worseSequences(for: $0.rule) })
    for sequence in result.worseSequences.filter(concerned.contains).prefix(Self.rows) {
      table.row([
        StyledText(sequence.name), StyledText(sequence.subject ?? "unknown"),
        StyledText(sequence.stream.rawValue), StyledText(NumberText.fixed(sequence.lost, 2)),
      ])
    }
    return table
  }

  private func moments(of findings: [GateFinding]) -> Table {
    var table = Table([
      .words("worst moments, right in the baseline"), .words("person"), .number("at s"),
      .number("for s"), .words("truth -> answer"),
    ])
    let concerned = Set(findings.flatMap { result.worseMoments(for: $0.rule) })
    for moment in result.worseMoments.filter(concerned.contains).prefix(Self.rows) {
      table.row([
        StyledText(moment.sequence), StyledText(moment.subject ?? "unknown"),
        StyledText(NumberText.fixed(moment.start.value, 2)),
        StyledText(NumberText.fixed(moment.duration.value, 2)),
        StyledText("\(moment.truth) -> \(moment.answer)"),
      ])
    }
    return table
  }

  /// How many sequences and moments are listed.
  private static let rows = 10
}
