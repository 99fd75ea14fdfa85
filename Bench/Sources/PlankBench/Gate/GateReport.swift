internal import Evaluation
@_spi(Bench) internal import PoseModel
internal import Statistics

/// The result of `planklab gate`: the verdicts, and what was judged.
struct GateReport: Hashable, Sendable {
  /// The verdicts.
  var result: GateResult
  /// The candidate.
  var candidate: String
  /// The baseline's file; nil without one.
  var baseline: String?
  /// How the detector differs from the baseline's, one sentence per difference.
  var changes: [String] = []
  /// The candidate and the baseline, where there is one, with their scores, for a page.
  var sides: [ScoredSide] = []

  /// The exit code that goes with the verdict.
  var status: ExitStatus {
    switch result.verdict {
    case .pass, .improved: .success
    case .regressed: .gateFailed
    case .inconclusive, .notComparable: .notComparable
    }
  }

  /// The exit code as a number.
  var exitCode: Int { Int(status.rawValue) }

  /// The verdict for people: a limit can be broken even if nothing became worse.
  var verdict: String {
    let broken = result.findings.filter { $0.stops && $0.verdict == result.verdict }
    guard let first = broken.first, broken.allSatisfy(\.isOverLimit) else {
      return result.verdict.rawValue
    }
    return broken.allSatisfy { $0.verdictText == first.verdictText }
      ? first.verdictText : "outside the limits"
  }

  /// The one line that states the verdict and the exit code.
  var verdictLine: String {
    let warnings = result.warnings.count
    var remark = warnings > 0 ? ", " + NumberText.count(warnings, "warning") : ""
    if let doubt { remark += "; \(doubt)" }
    return "verdict: \(verdict) (exit code \(exitCode)\(remark))"
  }

  /// The verdict in words; a gate that passes because it cannot tell says so.
  var verdictText: String {
    verdict + (doubt.map { " (\($0))" } ?? "")
  }

  /// Which rules passed without enough data to tell, and the smallest loss that would have been
  /// found.
  private var doubt: String? {
    let doubtful = result.findings.filter(\.isDoubtful)
    guard exitCode == 0, let first = doubtful.first else { return nil }
    guard doubtful.count == 1 else { return "cannot tell for \(doubtful.count) rules" }
    let whose = result.findings.count == 1 ? "" : " by \(first.rule.name)"
    return "cannot tell\(whose); \(first.foundLoss)"
  }
}

extension GateFinding {
  /// The unit of the number.
  var unit: String {
    guard case .metric(let key) = rule.subject else { return "calibration loops" }
    return key.metric.unit
  }

  /// Whether the rule passes although the data cannot tell.
  var isDoubtful: Bool { verdict == .inconclusive && !stops }

  /// The rule's result in words: a broken limit is not a regression.
  var verdictText: String {
    if isDoubtful { return "pass (cannot tell; \(foundLoss))" }
    guard isOverLimit, let value else { return verdict.rawValue }
    return value < (rule.atLeast ?? -.infinity) ? "below the limit" : "over the limit"
  }

  /// The smallest loss that the rule would call a regression, in a clause.
  var foundLoss: String {
    guard let detectableLoss else { return "no loss of any size would be found" }
    return "a loss of \(lossText(detectableLoss)) would be found"
  }

  /// A loss in the metric's unit: percentage points for shares and coefficients.
  func lossText(_ loss: Double) -> String {
    guard case .metric(let key) = rule.subject else { return NumberText.fixed(loss, 3) }
    switch key.metric.unit {
    case "-": return "\(NumberText.fixed(100 * loss, loss < 0.1 ? 1 : 0)) points"
    case "1/min": return "\(NumberText.fixed(loss, 2)) per minute"
    default: return "\(NumberText.fixed(loss, 2)) \(key.metric.unit)"
    }
  }

  /// The reason, in one line.
  var reason: String { reasons.joined(separator: "; ") }
  /// A number with as many digits as gates show.
  static func text(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, 4) } ?? "n/a"
  }
  /// The difference from the baseline, with its interval if there is one.
  var change: String {
    guard let difference else { return "n/a" }
    return Self.text(difference) + (interval.map { " (\($0.text(4)))" } ?? "")
  }
  /// The number, the baseline's and the difference in one line.
  var numbers: String {
    guard rule.needsBaseline || baseline != nil else { return Self.text(value) }
    return "\(Self.text(value)), baseline \(Self.text(baseline)), difference \(change)"
  }
  /// Who got worse, at most five.
  var people: String {
    let named = worse.prefix(5).map { person in
      "\(person.subject ?? "unknown subject") \(person.before.text()) -> \(person.after.text())"
    }
    let more = worse.count > 5 ? " and \(worse.count - 5) more" : ""
    return named.joined(separator: ", ") + more
  }
}

extension GateReport {
  /// Everything a broken rule has to report, one item per line: numbers, reasons, people, moments.
  func lines(_ finding: GateFinding) -> [String] {
    var lines = [finding.numbers, finding.reason]
    if !changes.isEmpty {
      lines.append("changed since the baseline: " + changes.joined(separator: "; "))
    }
    if !finding.worse.isEmpty { lines.append("worse: \(finding.people)") }
    lines += result.worseMoments(for: finding.rule).prefix(3).map { moment in
      "\(moment.sequence) at \(NumberText.fixed(moment.start.value, 2)) s, for "
        + "\(NumberText.fixed(moment.duration.value, 2)) s: \(moment.truth) -> \(moment.answer)"
    }
    return lines
  }
}

extension GateReport: CommandResult {
  static let command = "gate"
  static let schemaVersion = 2

  private enum CodingKeys: String, CodingKey { case candidate, baseline, changes, sides }

  /// What follows from the members, for readers of the JSON.
  private enum DerivedKeys: String, CodingKey {
    case verdict, metrics
    case exitCode = "exit_code"
  }

  /// Reads a result.
  ///
  /// - Throws: `DecodingError` for anything else.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      result: try GateResult(from: decoder),
      candidate: try container.decode(String.self, forKey: .candidate),
      baseline: try container.decodeIfPresent(String.self, forKey: .baseline),
      changes: try container.decode([String].self, forKey: .changes),
      sides: try container.decode([ScoredSide].self, forKey: .sides))
  }

  /// Writes the result, and what follows from it: `verdict`, `exit_code`, and the numbers of rules
  /// about all sequences by their names.
  func encode(to encoder: any Encoder) throws {
    try result.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(candidate, forKey: .candidate)
    try container.encodeIfPresent(baseline, forKey: .baseline)
    try container.encode(changes, forKey: .changes)
    try container.encode(sides, forKey: .sides)
    var derived = encoder.container(keyedBy: DerivedKeys.self)
    try derived.encode(result.verdict, forKey: .verdict)
    try derived.encode(exitCode, forKey: .exitCode)
    let whole = result.findings.filter { $0.rule.slice == .all }
    try derived.encode(
      Dictionary(whole.map { ($0.rule.key, $0.value) }) { first, _ in first }, forKey: .metrics)
  }

  /// The verdicts on a page: the text, then the matrices and classes of both sides.
  func page(_ origin: ResultOrigin) -> Document {
    var page = document(origin)
    page.append(sides.document)
    page.heading("Provenance")
    page.list(origin.provenanceLines + (origin.dataset?.facts ?? []))
    return page
  }

  /// The differences from the baseline, each with the difference at which its rule stops.
  private var figure: IntervalFigure {
    IntervalFigure(
      title: "Candidate minus baseline, 95 % intervals; dashed: the margin of the rule",
      rows: result.findings.compactMap { finding in
        guard let difference = finding.difference else { return nil }
        let loss = finding.rule.margin ?? finding.rule.largestDrop
        return IntervalFigure.Row(
          name: finding.rule.name, unit: finding.unit, value: difference,
          lower: finding.interval?.lower, upper: finding.interval?.upper,
          limit: loss.map { finding.rule.higherIsBetter ? -$0 : $0 }, tone: tone(finding))
      })
  }

  private func tone(_ finding: GateFinding) -> StyledText.Tone {
    finding.stops ? .bad : finding.warns ? .warning : .good
  }

  /// The verdicts for people; as Markdown it is a comment for a pull request.
  func document(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading("Gate \(result.name): \(verdictText)", level: 1)
    let against = baseline.map { ", against \($0)." } ?? ", without a baseline."
    document.paragraph(StyledText("\(candidate) on \(origin.datasetName)" + against))
    document.list(result.obstacles.map { StyledText("not comparable: \($0)", .bad) })
    document.figure(.intervals(figure))
    document.table(table)
    if !changes.isEmpty {
      document.paragraph("Changed since the baseline:")
      document.list(changes.map { StyledText($0) })
    }
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
      .number("difference (95 %)"), .number("found from"), .number("people"), .words("why"),
    ])
    for finding in result.findings {
      let remark = finding.warns && !finding.isDoubtful ? " (warning)" : ""
      table.row([
        StyledText(finding.rule.name), StyledText(finding.verdictText + remark, tone(finding)),
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
