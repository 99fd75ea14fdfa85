internal import Evaluation

struct GateScreen {
  private static let most = 5

  let envelope: ResultEnvelope<GateReport>
  private var report: GateReport { envelope.result }

  var document: Document {
    TerminalScreen.first(fitting: (0...Self.most).reversed().lazy.map { document(items: $0) })
  }

  private func document(items: Int) -> Document {
    var document = Document()
    document.heading(report.answer)
    document.paragraph(StyledText(report.subject(envelope.origin)))
    if let sentence = report.diagnosis?.sentence { document.paragraph(StyledText(sentence)) }
    document.list(report.result.obstacles.prefix(items + 1).map { StyledText($0, .bad) })
    document.list(report.judgements)
    document.list(rules(items) + strays(items) + thinness)
    document.list(trials(items) + losses(items) + changes(items))
    document.paragraph(StyledText(report.verdictLine, report.tone))
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
      lines.append(StyledText("\(loud.count - items - 2) more that stop or warn", .bad))
    }
    if more > 0 {
      lines.append(StyledText(more == 1 ? "1 rule holds" : "\(more) rules hold", .good))
    }
    return lines
  }

  private func line(_ finding: GateFinding) -> StyledText {
    let numbers =
      finding.baseline == nil
      ? GateFinding.text(finding.value)
      : "\(GateFinding.text(finding.baseline)) -> \(GateFinding.text(finding.value))"
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
        "Judged as one person (`subject` in dataset.yaml): nothing is known about others.",
        .warning)
    ]
  }

  private func strays(_ items: Int) -> [StyledText] {
    var seen: Set<String> = []
    return report.result.findings.flatMap(\.strayText).filter { seen.insert($0).inserted }
      .prefix(items).map { StyledText($0, .warning) }
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
    // What is put back names every change already.
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
