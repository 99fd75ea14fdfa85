package import Evaluation
internal import PoseModel
internal import Statistics

package struct GateReport: Hashable, Sendable {
  package var result: GateResult
  var candidate: String
  var baseline: String?
  var anchor: String?
  var arguments: [String] = []
  var changes: [String] = []
  package var sides: [ScoredSide] = []
  var people: [PersonChange] = []
  var advice: StreamAdvice?
  var diagnosis: GateDiagnosis?

  package init(
    result: GateResult, candidate: String, baseline: String? = nil, anchor: String? = nil,
    arguments: [String] = [], changes: [String] = [], sides: [ScoredSide] = [],
    people: [PersonChange] = [], advice: StreamAdvice? = nil, diagnosis: GateDiagnosis? = nil
  ) {
    self.result = result
    self.candidate = candidate
    self.baseline = baseline
    self.anchor = anchor
    self.arguments = arguments
    self.changes = changes
    self.sides = sides
    self.people = people
    self.advice = advice
    self.diagnosis = diagnosis
  }

  package var status: ExitStatus {
    switch result.verdict {
    case .pass, .improved: .success
    case .regressed: .gateFailed
    case .inconclusive, .notComparable: .notComparable
    }
  }

  var exitCode: Int { Int(status.rawValue) }

  /// A limit can be broken even if nothing became worse, so the verdict needs its own words.
  var verdict: String {
    let broken = result.findings.filter { $0.stops && $0.verdict == result.verdict }
    guard let first = broken.first, broken.allSatisfy(\.isOverLimit) else {
      return result.verdict.rawValue
    }
    return broken.allSatisfy { $0.verdictText == first.verdictText }
      ? first.verdictText : "outside the limits"
  }

  package var verdictLine: String {
    let warnings = result.warnings.count
    let remark = warnings > 0 ? ", " + NumberText.count(warnings, "warning") : ""
    return "verdict: \(verdict) (exit code \(exitCode)\(remark))"
  }

  var answer: String {
    let broken = result.findings.filter { $0.stops && $0.verdict == result.verdict }
    let worst = broken.max { $0.lostShare < $1.lostShare }
    let loss = largestLoss(besides: worst)
    if loss == nil || diagnosis?.changes.count == 1,
      let remedy = remedies.first(where: { $0.count <= TextRenderer.standardWidth })
    {
      return remedy
    }
    let (start, short) = opening
    guard let named = loss?.text ?? (worst ?? foremost).flatMap(clause) else {
      return start + short
    }
    let rest = broken.count - (loss == nil ? 1 : 0)
    let more =
      rest > 0 && result.verdict != .notComparable ? ", and \(NumberText.count(rest)) more" : ""
    let long = start + named + more
    return long.count <= TextRenderer.standardWidth ? long : start + short
  }

  /// Nil if a rule that stops the gate has a larger loss, or a loss in another unit.
  private func largestLoss(besides worst: GateFinding?) -> StreamLoss? {
    guard result.verdict != .notComparable, let loss = losses.first else { return nil }
    guard let worst else { return loss }
    return worst.unit == "-" && loss.share >= worst.lostShare ? loss : nil
  }

  private var opening: (start: String, reason: String) {
    switch result.verdict {
    case .pass where looksFirst, .improved where looksFirst: ("Look first: ", "")
    case .pass: ("Merge: ", warningText)
    case .improved: ("Merge: ", "the result is better; update the baseline")
    case .regressed: ("Do not merge: ", "\(result.name) says \(verdict)")
    case .inconclusive: ("Do not merge: ", "\(result.name) is inconclusive")
    case .notComparable: ("Not judged: ", "\(result.name) \(missing)")
    }
  }

  private var missing: String {
    if !result.findings.isEmpty, result.findings.allSatisfy(\.isUnlabeled) {
      return "waits for labels"
    }
    return result.findings.contains { $0.reference == .baseline && $0.baseline != nil }
      ? "cannot be compared with its anchor" : "has no baseline to compare with"
  }

  private var warningText: String {
    let warnings = result.warnings.count
    guard warnings == 0 else {
      return "no rule blocks it; \(NumberText.count(warnings, "warning"))"
    }
    let every = "every rule of \(result.name) holds"
    return fewFrames.map { every + ", but only \($0)" } ?? every
  }

  private var fewFrames: String? {
    let frames =
      sides.flatMap { side in AnswerStream.allCases.map { side.streams[$0].frameCount } }.max() ?? 0
    guard frames > 0, frames < EvaluationVerdict.fewestFrames else { return nil }
    return "\(NumberText.count(frames, "frame")) \(frames == 1 ? "is" : "are") scored"
  }

  private var foremost: GateFinding? {
    guard result.obstacles.isEmpty else { return nil }
    return result.findings.first { $0.verdict == .improved }
      ?? result.findings.first(where: \.isDoubtful)
  }

  private func clause(_ finding: GateFinding) -> String? {
    guard result.obstacles.isEmpty else { return nil }
    let loss = finding.difference.map { finding.lossText(abs($0)) }
    switch finding.verdict {
    case .regressed where finding.isOverLimit:
      let limit = finding.reasons.first { $0.kind.isBrokenLimit }?.limit ?? 0
      let text = NumberText.fixed(finding.value, 4)
      return "\(finding.name) is \(text), \(finding.verdictText) of \(NumberText.short(limit))"
    case .regressed: return loss.map { "\(finding.name) is worse by \($0)" }
    case .improved: return loss.map { "\(finding.name) is better by \($0); update the baseline" }
    case .inconclusive where finding.isDoubtful:
      let worst = finding.greatestLoss.map { "may be worse by \(finding.lossText($0))" }
      return (finding.hasLoss ? "no rule blocks it" : "no loss is shown") + ", but \(finding.name) "
        + (worst ?? "has too few people to tell")
    case .inconclusive: return "the data are inconclusive about \(finding.name)"
    case .notComparable: return finding.remedy ?? "\(finding.name) cannot be compared"
    case .pass: return nil
    }
  }

  var changesText: String? {
    changes.isEmpty ? nil : "changed since the baseline: " + changes.joined(separator: "; ")
  }

  func lines(_ finding: GateFinding) -> [String] {
    var lines = [finding.numbers, finding.reason]
    if finding.isDoubtful { lines.append(finding.doubt) }
    lines += finding.strayText + effects(on: finding)
    if let sentence = diagnosis?.sentence { lines.append(sentence) }
    lines += [changesText].compactMap(\.self)
    if !finding.worse.isEmpty { lines.append("worse: \(finding.people)") }
    guard finding.reference == .baseline else { return lines }
    lines += result.worseMoments(for: finding.rule).prefix(3).map(Self.text)
    return lines
  }

  static func text(_ moment: LostMoment) -> String {
    "\(moment.sequence) at \(NumberText.fixed(moment.start.value, 2)) s, for "
      + "\(NumberText.fixed(moment.duration.value, 2)) s: \(moment.truth) -> \(moment.answer)"
  }

  struct StreamLoss {
    let stream: AnswerStream
    let share: Double
    let text: String
    let sentence: String
  }

  var losses: [StreamLoss] {
    AnswerStream.allCases.compactMap { stream -> StreamLoss? in
      guard let advice = advice?[stream], advice.step.keeps else { return nil }
      let rules = rules(about: stream)
      guard !rules.contains(where: { $0.stops && $0.lostShare > 0 }) else { return nil }
      let share = max(0, -advice.gain)
      let found = NumberText.fixed(100 * share, share < 0.1 ? 1 : 0)
      return StreamLoss(
        stream: stream, share: share,
        text: "\(stream.rawValue) fell by \(found) points" + reason(rules),
        sentence: advice.sentence)
    }.sorted { $0.share > $1.share }
  }

  var looksFirst: Bool { status == .success && !losses.isEmpty }

  var judgements: [StyledText] { AnswerStream.allCases.compactMap(judgement) }

  func judgement(_ stream: AnswerStream) -> StyledText? {
    let side = sides.first(named: Self.candidateSide)
    let isUnjudged = side?.streams[stream].hasTruth ?? false && rules(about: stream).isEmpty
    guard isUnjudged || advice?[stream] != nil else { return nil }
    let start = isUnjudged ? "not judged by any rule: \(stream.rawValue)." : "\(stream.title):"
    let words = [start, advice?[stream]?.sentence].compactMap(\.self).joined(separator: " ")
    return StyledText(words, losses.contains { $0.stream == stream } ? .warning : .plain)
  }

  private func rules(about stream: AnswerStream) -> [GateFinding] {
    result.findings.filter { $0.rule.stream == stream }
  }

  private func reason(_ rules: [GateFinding]) -> String {
    if rules.isEmpty { return " and no rule judges it" }
    let others = rules.filter { !$0.stops }
    if others.isEmpty { return ", which its rules do not show" }
    if others.contains(where: \.isDoubtful) { return " and its rules are inconclusive" }
    return others.contains(where: \.warns) ? " and its rules only warn" : ", which its rules allow"
  }
}

extension GateReport: CommandResult {
  package static let command = "gate"
  package static let schemaVersion = 5
  package static let candidateSide = "candidate"
  package static let baselineSide = "baseline"

  private enum CodingKeys: String, CodingKey {
    case candidate, baseline, anchor, arguments, changes, sides, people, advice, diagnosis
  }

  private enum DerivedKeys: String, CodingKey {
    case verdict, metrics
    case exitCode = "exit_code"
  }

  package init(from decoder: any Decoder) throws {
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

  package func encode(to encoder: any Encoder) throws {
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
    let whole = result.findings.filter { $0.rule.slice == .all && $0.reference == .baseline }
    try derived.encode(
      Dictionary(whole.map { ($0.judgedKey, $0.value) }) { first, _ in first }, forKey: .metrics)
  }

  package func page(_ origin: ResultOrigin) -> ResultPage { page(origin, hasViewer: false) }

  package func page(_ origin: ResultOrigin, hasViewer: Bool) -> ResultPage {
    GatePage(report: self, origin: origin, hasViewer: hasViewer).page
  }

  private var figure: IntervalFigure {
    IntervalFigure(
      title: "Candidate minus baseline with 95 % intervals; dashed: the rule's margin",
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

  package func document(_ origin: ResultOrigin) -> Document {
    var document = Document()
    let loud = findings.filter { $0.stops || $0.warns }
    let doubtful = findings.filter { $0.isDoubtful && !$0.warns }
    document.heading(answer, level: 1, .answer)
    document.paragraph(subject(origin), .plain, .answer)
    document.list(result.obstacles.map { StyledText("not comparable: \($0)", .bad) }, .reason)
    document.list(judgements, .answer)
    if let sentence = diagnosis?.sentence { document.paragraph(sentence, .strong, .reason) }
    let trials = [failedBefore].compactMap(\.self) + (diagnosis?.lines ?? [])
    document.list(trials.map { StyledText($0) }, .reason)
    // Trials of single changes already name every change.
    if diagnosis?.alone.isEmpty ?? true, !changes.isEmpty {
      document.list(
        [StyledText("Changed since the baseline: \(WordText.first(5, of: changes)).")], .reason)
    }
    document.list(
      (loud + doubtful).map {
        StyledText("\($0.name): \($0.isDoubtful ? $0.doubt : $0.reason)", tone($0))
      }, .reason)
    document.list(notes, .reason)
    document.figure(.intervals(figure))
    document.table(table, .reason)
    document.list(
      loud.filter { !$0.worse.isEmpty }.map { StyledText("Worse in \($0.name): \($0.people).") },
      .remark)
    document.table(reasons(of: findings.filter { !$0.stops && !$0.warns && !$0.isDoubtful }))
    document.table(sequences(of: loud))
    document.table(moments(of: loud), .remark)
    document.paragraph(verdictLine, tone, .answer)
    return document
  }

  /// Those that stop the gate first, then those that warn.
  private var findings: [GateFinding] {
    let quiet = result.findings.filter { !$0.stops && !$0.warns }
    return result.findings.filter(\.stops) + result.findings.filter(\.warns) + quiet
  }

  private var table: Table {
    Table(findings) { row, finding in
      row.words("rule", finding.name)
      row.words("verdict", finding.verdictText, tone(finding))
      row.number("baseline", finding.baseline == nil ? "" : NumberText.fixed(finding.baseline, 3))
      row.number("now", finding.value, 3)
      row.number("difference (95 %)", finding.shortChange)
    }
  }

  private func reasons(of findings: [GateFinding]) -> Table {
    Table(findings) { row, finding in
      row.words("rule", finding.name)
      row.number("people", "\(finding.subjects)")
      row.words("why it holds", finding.reason)
    }
  }

  private var notes: [StyledText] {
    let counts = result.findings.map(\.subjects).filter { $0 > 0 }
    let lonely =
      counts.isEmpty || !counts.allSatisfy { $0 == 1 }
      ? []
      : [
        "All recordings count as one person (`subject` in dataset.yaml), so nothing is known about "
          + "other people."
      ]
    return (result.findings.flatMap(\.strayText) + lonely).distinct
      .map { StyledText($0, .warning) }
  }

  private func sequences(of findings: [GateFinding]) -> Table {
    let findings = findings.filter { $0.reference == .baseline }
    let concerned = Set(findings.flatMap { result.worseSequences(for: $0.rule) })
    return Table(result.worseSequences.filter(concerned.contains).prefix(Self.rows)) {
      row, sequence in
      row.words("worst sequences", sequence.name)
      row.words("person", sequence.subject ?? "unknown")
      row.words("stream", sequence.stream.rawValue)
      row.number("lost s", sequence.lost, 2)
    }
  }

  private func moments(of findings: [GateFinding]) -> Table {
    let findings = findings.filter { $0.reference == .baseline }
    let concerned = Set(findings.flatMap { result.worseMoments(for: $0.rule) })
    return Table(result.worseMoments.filter(concerned.contains).prefix(Self.rows)) { row, moment in
      row.words("worst moments, right in the baseline", moment.sequence)
      row.words("person", moment.subject ?? "unknown")
      row.number("at s", moment.start.value, 2)
      row.number("for s", moment.duration.value, 2)
      row.words("truth -> answer", "\(moment.truth) -> \(moment.answer)")
    }
  }

  private static let rows = 10
}

extension GateFinding {
  var name: String { rule.name + (reference == .anchor ? " since the anchor" : "") }

  var unit: String {
    guard case .metric(let key) = rule.subject else { return "calibration loops" }
    return key.metric.unit
  }

  var isDoubtful: Bool { verdict == .inconclusive && !stops }

  var verdictText: String {
    if isDoubtful { return "pass (cannot tell)" }
    if isUnlabeled { return "not labeled yet" }
    guard isOverLimit, let value else { return verdict.rawValue }
    return value < (rule.atLeast ?? -.infinity) ? "below the limit" : "over the limit"
  }

  var reason: String { reasons.map(words).joined(separator: "; ") }

  private func words(_ reason: GateReason) -> String {
    let limit = reason.limit.map { "\($0)" } ?? ""
    return switch reason.kind {
    case .aboveMinimum: "at least \(limit)"
    case .belowMinimum: "below the minimum of \(limit)"
    case .belowMaximum: "at most \(limit)"
    case .aboveMaximum: "above the maximum of \(limit)"
    case .withinDrop: "no more than \(limit) worse than the \(reference)"
    case .beyondDrop: "more than \(limit) worse than the \(reference)"
    case .unchanged: "the same as the \(reference)" + (subjects == 1 ? "" : " for every person")
    case .noWorse, .noWorseAlike, .better, .betterAlike, .worse, .worseAlike, .cannotTell:
      certainty(reason.kind, limit)
    default: gap(reason, limit)
    }
  }

  private func certainty(_ kind: GateReason.Kind, _ limit: String) -> String {
    switch kind {
    case .better: "better than the \(reference) (proven)"
    case .betterAlike: "better than the \(reference) by the same amount for every person"
    case .worse: "worse than the \(reference) by more than \(limit) (proven)"
    case .worseAlike:
      "worse than the \(reference) by more than \(limit), by the same amount for every person"
    case .noWorse: "not worse than the \(reference) by \(limit) or more (proven)"
    case .noWorseAlike:
      "not worse than the \(reference) by \(limit) or more, by the same amount for every person"
    default: "the data cannot tell whether it is worse by more than \(limit)"
    }
  }

  private func gap(_ reason: GateReason, _ limit: String) -> String {
    let needed = reason.needed ?? 0
    let people = NumberText.people(subjects)
    return switch reason.kind {
    case .tooFewToTell:
      "too few people to tell: nothing varies among \(subjects) people; \(needed) are needed"
    case .onePerson: "a margin needs \(needed) or more people; found \(subjects)"
    case .tooFewSubjects: "\(people); the rule asks for \(needed)"
    case .noSequences:
      if case .activity(let name) = rule.slice {
        "no scored frame has the activity \(name); see the names in activities.csv"
      } else {
        "no sequence of \(rule.slice) was evaluated"
      }
    case .nothingScored: "no frame was scored"
    case .unlabeled: "judged once a form is labeled"
    case .noEvidence: "no evidence: fewer than half of the scored frames are determined"
    case .undefined: "\(rule.key) is undefined: \(reason.gap?.rawValue ?? "")"
    case .undefinedBefore: "\(rule.key) is undefined in the \(reference)"
    case .noBaseline:
      "no baseline to compare with; write one with `planklab baseline update --reason TEXT`"
    case .otherSequences: "the \(reference) has other sequences"
    case .notTimed: "no frame was timed"
    default: "no interval for the difference: \(reason.gap?.rawValue ?? "")"
    }
  }

  var remedy: String? {
    switch reasons.first?.kind {
    case .nothingScored: "no frame is labeled for \(rule.name); label some, or remove the rule"
    case .noEvidence: "the rules decide too few frames; see `planklab evaluate`"
    case .onePerson, .tooFewSubjects:
      reasons.first?.needed.map { "\(rule.name) needs \($0) or more people; record more" }
    default: nil
    }
  }

  func lossText(_ loss: Double) -> String {
    guard case .metric(let key) = rule.subject else { return NumberText.fixed(loss, 3) }
    switch key.metric.unit {
    case "-": return "\(NumberText.fixed(100 * loss, loss < 0.1 ? 1 : 0)) points"
    case "1/min": return "\(NumberText.fixed(loss, 2)) per minute"
    default: return "\(NumberText.fixed(loss, 2)) \(key.metric.unit)"
    }
  }

  var greatestLoss: Double? { interval.map { max(0, rule.higherIsBetter ? -$0.lower : $0.upper) } }

  var lostShare: Double {
    guard unit == "-", let difference else { return 0 }
    return max(0, rule.higherIsBetter ? -difference : difference)
  }

  var hasLoss: Bool { interval.map { rule.higherIsBetter ? $0.upper < 0 : $0.lower > 0 } ?? false }

  var doubt: String {
    guard isDoubtful else { return "" }
    let found =
      detectableLoss.map { "; such a gate detects a loss of \(lossText($0)) in 4 of 5 cases" } ?? ""
    return greatestLoss.map { "may be worse by up to \(lossText($0))\(found)" }
      ?? "has too few people to tell"
  }

  var strayText: [String] {
    strays.map { stray in
      let before = stray.before.map { ", \(Self.duration($0)) in the \(reference)" }
      let change =
        switch stray.change {
        case .joined: "is now answered"
        case .left: "is no longer answered"
        case .stayed: "is answered"
        }
      return "`\(stray.label)` \(change) but never labeled (\(Self.duration(stray.now))"
        + "\(before ?? "")), so the rule judges \(judgedKey), which leaves it out on both sides."
    }
  }

  private static func duration(_ duration: Seconds) -> String {
    let isShort = duration.value > 0 && duration.value < 0.1
    return NumberText.fixed(duration.value, isShort ? 3 : 1) + " s"
  }

  var change: String {
    guard let difference else { return "n/a" }
    return NumberText.fixed(difference, 4) + (interval.map { " (\($0.text(4)))" } ?? "")
  }

  fileprivate var shortChange: String {
    guard let difference else { return "" }
    return NumberText.fixed(difference, 3) + (interval.map { " (\($0.text(3)))" } ?? "")
  }

  var numbers: String {
    guard rule.needsBaseline || baseline != nil else { return NumberText.fixed(value, 4) }
    return "\(NumberText.fixed(value, 4)), \(reference) \(NumberText.fixed(baseline, 4)), "
      + "difference \(change)"
  }

  var people: String {
    let named = worse.map { person in
      "\(person.subject ?? "unknown subject") \(person.before.text()) -> \(person.after.text())"
    }
    return WordText.first(5, of: named)
  }
}

extension GateReference: CustomStringConvertible {
  package var description: String { rawValue }
}
