internal import Evaluation
internal import PoseModel

extension GateReport {
  /// The verdicts for people; as Markdown it is a comment for a pull request.
  package var document: Document {
    var document = Document()
    document.heading("Gate \(result.name)", level: 1)
    let against = baseline.map { ", against \($0)." } ?? ", without a baseline."
    document.paragraph(StyledText("\(candidate) on \(dataset.name)" + against))
    document.list(result.obstacles.map { StyledText("not comparable: \($0)", .bad) })
    document.table(table)
    for finding in result.findings where finding.stops && !finding.worse.isEmpty {
      document.paragraph(StyledText("Worse in \(finding.rule.name): \(finding.people)."))
    }
    if result.findings.contains(where: \.stops) {
      document.table(sequences)
      document.table(moments)
    }
    document.paragraph(StyledText(verdictLine, exitCode == 0 ? .good : .bad))
    return document
  }

  private var table: Table {
    var table = Table([
      .words("rule"), .words("verdict"), .words("number"), .number("subjects"), .words("why"),
    ])
    for finding in result.findings {
      let tone: StyledText.Tone = finding.stops ? .bad : finding.warns ? .warning : .good
      let remark = finding.warns ? " (warning)" : ""
      table.row([
        StyledText(finding.rule.name), StyledText(finding.verdict.rawValue + remark, tone),
        StyledText(finding.numbers), StyledText("\(finding.subjects)"),
        StyledText(finding.reason),
      ])
    }
    return table
  }

  private var sequences: Table {
    var table = Table([
      .words("worst sequences"), .words("subject"), .words("stream"), .number("lost s"),
    ])
    for sequence in result.worseSequences.prefix(10) {
      table.row([
        StyledText(sequence.name), StyledText(sequence.subject ?? "unknown"),
        StyledText(sequence.stream.rawValue), StyledText(NumberText.fixed(sequence.lost, 2)),
      ])
    }
    return table
  }

  private var moments: Table {
    var table = Table([
      .words("worst moments there"), .number("at s"), .number("for s"), .words("truth -> answer"),
    ])
    for moment in result.worseMoments.prefix(10) {
      table.row([
        StyledText(moment.sequence), StyledText(NumberText.fixed(moment.start.value, 2)),
        StyledText(NumberText.fixed(moment.duration.value, 2)),
        StyledText("\(moment.truth) -> \(moment.answer)"),
      ])
    }
    return table
  }
}
