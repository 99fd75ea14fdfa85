internal import Evaluation
internal import PoseModel
internal import Statistics

struct GateReport: Hashable, Sendable {
  var result: GateResult
  var candidate: String
  var baseline: String?
  var anchor: String?
  var arguments: [String] = []
  var changes: [String] = []
  var sides: [ScoredSide] = []
  var people: [PersonChange] = []
  /// Nil if nothing can be compared with the baseline.
  var advice: StreamAdvice?
  var diagnosis: GateDiagnosis?

  var status: ExitStatus {
    switch result.verdict {
    case .pass, .improved: .success
    case .regressed: .gateFailed
    case .inconclusive, .notComparable: .notComparable
    }
  }

  var exitCode: Int { Int(status.rawValue) }
}

extension GateReport: CommandResult {
  static let command = "gate"
  static let schemaVersion = 5
  static let candidateSide = "candidate"
  static let baselineSide = "baseline"

  private enum CodingKeys: String, CodingKey {
    case candidate, baseline, anchor, arguments, changes, sides, people, advice, diagnosis
  }

  private enum DerivedKeys: String, CodingKey {
    case verdict, metrics
    case exitCode = "exit_code"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      result: try GateResult(from: decoder),
      candidate: try container.decode(String.self, forKey: .candidate),
      baseline: try container.decodeIfPresent(String.self, forKey: .baseline),
      anchor: try container.decodeIfPresent(String.self, forKey: .anchor),
      arguments: try container.decodeIfPresent([String].self, forKey: .arguments) ?? [],
      changes: try container.decode([String].self, forKey: .changes),
      sides: try container.decode([ScoredSide].self, forKey: .sides),
      people: try container.decodeIfPresent([PersonChange].self, forKey: .people) ?? [],
      advice: try container.decodeIfPresent(StreamAdvice.self, forKey: .advice),
      diagnosis: try container.decodeIfPresent(GateDiagnosis.self, forKey: .diagnosis))
  }

  /// Also writes what follows: `verdict`, `exit_code`, and the numbers of rules about all sequences
  /// by their names.
  func encode(to encoder: any Encoder) throws {
    try result.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(candidate, forKey: .candidate)
    try container.encodeIfPresent(baseline, forKey: .baseline)
    try container.encodeIfPresent(anchor, forKey: .anchor)
    try container.encode(arguments, forKey: .arguments)
    try container.encode(changes, forKey: .changes)
    try container.encode(sides, forKey: .sides)
    try container.encode(people, forKey: .people)
    try container.encodeIfPresent(advice, forKey: .advice)
    try container.encodeIfPresent(diagnosis, forKey: .diagnosis)
    var derived = encoder.container(keyedBy: DerivedKeys.self)
    try derived.encode(result.verdict, forKey: .verdict)
    try derived.encode(exitCode, forKey: .exitCode)
    let whole = result.findings.filter {
      $0.rule.slice == .all && $0.reference == .baseline
    }
    try derived.encode(
      Dictionary(whole.map { ($0.rule.key, $0.value) }) { first, _ in first }, forKey: .metrics)
  }

  func page(_ origin: ResultOrigin) -> ResultPage { page(origin, hasViewer: false) }

  func page(_ origin: ResultOrigin, hasViewer: Bool) -> ResultPage {
    GatePage(report: self, origin: origin, hasViewer: hasViewer).page
  }

  private var figure: IntervalFigure {
    IntervalFigure(
      title: "Candidate minus baseline, 95 % intervals; dashed: the margin of the rule",
      rows: result.findings.compactMap { finding in
        guard let difference = finding.difference else { return nil }
        let loss = finding.rule.margin ?? finding.rule.largestDrop
        return IntervalFigure.Row(
          name: finding.name, unit: finding.unit, value: difference,
          lower: finding.interval?.lower, upper: finding.interval?.upper,
          limit: loss.map { finding.rule.higherIsBetter ? -$0 : $0 }, tone: tone(finding))
      })
  }

  func tone(_ finding: GateFinding) -> StyledText.Tone {
    finding.stops ? .bad : finding.warns ? .warning : .good
  }

  var tone: StyledText.Tone { exitCode != 0 ? .bad : looksFirst ? .warning : .good }

  func subject(_ origin: ResultOrigin) -> String {
    let references = [baseline, anchor.map { "the anchor \($0)" }].compactMap(\.self)
    return "\(result.name): \(candidate) on \(origin.datasetName), "
      + (references.isEmpty
        ? "without a baseline." : "against \(references.joined(separator: " and ")).")
  }

  func document(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading(answer, level: 1)
    document.paragraph(StyledText(subject(origin)))
    document.list(result.obstacles.map { StyledText("not comparable: \($0)", .bad) })
    document.list(judgements)
    if let sentence = diagnosis?.sentence { document.paragraph(StyledText(sentence, .strong)) }
    document.list(
      ([failedBefore].compactMap(\.self) + (diagnosis?.lines() ?? [])).map { StyledText($0) })
    document.figure(.intervals(figure))
    document.table(table)
    document.list(notes)
    if !changes.isEmpty {
      document.paragraph("Changed since the baseline:")
      document.list(changes.map { StyledText($0) })
    }
    let broken = result.findings.filter { $0.stops || $0.warns }
    for finding in broken where !finding.worse.isEmpty {
      document.paragraph(StyledText("Worse in \(finding.name): \(finding.people)."))
    }
    document.table(sequences(of: broken))
    document.table(moments(of: broken))
    document.paragraph(StyledText(verdictLine, tone))
    return document
  }

  private var table: Table {
    var table = Table([
      .words("rule"), .words("verdict"), .number("now"), .number("baseline"),
      .number("difference (95 %)"), .number("found from"), .number("people"), .words("why"),
    ])
    for finding in result.findings {
      let remark = finding.warns && !finding.isDoubtful ? " (warning)" : ""
      table.row([
        StyledText(finding.name), StyledText(finding.verdictText + remark, tone(finding)),
        StyledText(GateFinding.text(finding.value)),
        StyledText(GateFinding.text(finding.baseline)),
        StyledText(finding.change),
        StyledText(finding.detectableLoss.map { finding.lossText($0) } ?? ""),
        StyledText("\(finding.subjects)"),
        StyledText(finding.reason),
      ])
    }
    return table
  }

  private var notes: [StyledText] {
    var seen: Set<String> = []
    let doubts = result.findings.filter(\.isDoubtful).map { "\($0.name) \($0.doubt)" }
    return (doubts + result.findings.flatMap(\.strayText)).filter { seen.insert($0).inserted }
      .map { StyledText($0, .warning) }
  }

  private func sequences(of findings: [GateFinding]) -> Table {
    var table = Table([
      .words("worst sequences"), .words("person"), .words("stream"), .number("lost s"),
    ])
    let findings = findings.filter { $0.reference == .baseline }
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
    let findings = findings.filter { $0.reference == .baseline }
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

  private static let rows = 10
}
