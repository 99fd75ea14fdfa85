internal import Evaluation
internal import PoseModel
internal import Statistics

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
    case .unchanged: "the same as the \(reference)" + (subjects == 1 ? "" : " in every person")
    case .noWorse, .noWorseAlike, .better, .betterAlike, .worse, .worseAlike, .cannotTell:
      certainty(reason.kind, limit)
    default: gap(reason, limit)
    }
  }

  private func certainty(_ kind: GateReason.Kind, _ limit: String) -> String {
    switch kind {
    case .better: "better than the \(reference) (proven)"
    case .betterAlike: "better than the \(reference), alike in every person"
    case .worse: "worse than the \(reference) by more than \(limit) (proven)"
    case .worseAlike: "worse than the \(reference) by more than \(limit), alike in every person"
    case .noWorse: "no worse than the \(reference) by \(limit) (proven)"
    case .noWorseAlike: "no worse than the \(reference) by \(limit), alike in every person"
    default: "the data cannot tell whether it is worse by more than \(limit)"
    }
  }

  private func gap(_ reason: GateReason, _ limit: String) -> String {
    let needed = reason.needed ?? 0
    let people = NumberText.people(subjects)
    return switch reason.kind {
    case .tooFewToTell: "too few people to tell: nothing varies among \(subjects), of \(needed)"
    case .onePerson: "a margin takes \(needed) or more people; found \(subjects)"
    case .tooFewSubjects: "\(people); the rule asks for \(needed)"
    case .noSequences:
      if case .activity(let name) = rule.slice {
        "no scored frame has the activity \(name); activities.csv names them"
      } else {
        "no sequence of \(rule.slice) was evaluated"
      }
    case .nothingScored: "no frame was scored"
    case .unlabeled: "judged once a form is labeled"
    case .noEvidence: "no evidence: fewer than half of the scored frames are determined"
    case .undefined: "\(rule.key) is undefined: \(reason.gap?.rawValue ?? "")"
    case .undefinedBefore: "\(rule.key) is undefined in the \(reference)"
    case .noBaseline: "no baseline to compare with; `planklab baseline update` writes one"
    case .otherSequences: "the \(reference) has other sequences"
    case .notTimed: "no frame was timed"
    default: "no interval for the difference: \(reason.gap?.rawValue ?? "")"
    }
  }

  var remedy: String? {
    switch reasons.first?.kind {
    case .nothingScored: "no frame is labeled for \(rule.name); label some, or drop the rule"
    case .noEvidence: "the rules decide too few frames; see `planklab evaluate`"
    case .onePerson, .tooFewSubjects:
      reasons.first?.needed.map { "\(rule.name) takes \($0) or more people; record more" }
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

  /// How much worse the number may be at most, by its interval; nil without one.
  var greatestLoss: Double? {
    interval.map { max(0, rule.higherIsBetter ? -$0.lower : $0.upper) }
  }

  /// How much worse a share is than the reference's; 0 for gains and other units.
  var lostShare: Double {
    guard unit == "-", let difference else { return 0 }
    return max(0, rule.higherIsBetter ? -difference : difference)
  }

  var hasLoss: Bool {
    interval.map { rule.higherIsBetter ? $0.upper < 0 : $0.lower > 0 } ?? false
  }

  var doubt: String {
    guard isDoubtful else { return "" }
    let found =
      detectableLoss.map { "; a loss of \(lossText($0)) would be found in 4 of 5 such gates" } ?? ""
    return greatestLoss.map { "may be worse by up to \(lossText($0))\(found)" }
      ?? "has too few people to tell"
  }

  var strayText: [String] {
    strays.map { stray in
      let before = stray.before.map { ", \(Self.duration($0)) in the \(reference)" }
      let change =
        switch stray.change {
        case .joined: "joined the answers"
        case .left: "left the answers"
        case .stayed: "is answered"
        }
      return "`\(stray.label)` \(change) without truth (\(Self.duration(stray.now))"
        + "\(before ?? "")): it is left out of \(rule.key), on both sides."
    }
  }

  private static func duration(_ duration: Seconds) -> String {
    let isShort = duration.value > 0 && duration.value < 0.1
    return NumberText.fixed(duration.value, isShort ? 3 : 1) + " s"
  }

  static func text(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, 4) } ?? "n/a"
  }

  var change: String {
    guard let difference else { return "n/a" }
    return Self.text(difference) + (interval.map { " (\($0.text(4)))" } ?? "")
  }

  var numbers: String {
    guard rule.needsBaseline || baseline != nil else { return Self.text(value) }
    return "\(Self.text(value)), \(reference) \(Self.text(baseline)), difference \(change)"
  }

  var people: String {
    let named = worse.prefix(5).map { person in
      "\(person.subject ?? "unknown subject") \(person.before.text()) -> \(person.after.text())"
    }
    let more = worse.count > 5 ? " and \(worse.count - 5) more" : ""
    return named.joined(separator: ", ") + more
  }
}

extension GateReport {
  /// The verdict for people: a limit can be broken even if nothing became worse.
  var verdict: String {
    let broken = result.findings.filter { $0.stops && $0.verdict == result.verdict }
    guard let first = broken.first, broken.allSatisfy(\.isOverLimit) else {
      return result.verdict.rawValue
    }
    return broken.allSatisfy { $0.verdictText == first.verdictText }
      ? first.verdictText : "outside the limits"
  }

  var verdictLine: String {
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

  /// Nil if a rule that stops has a larger loss, or one in another unit.
  private func largestLoss(besides worst: GateFinding?) -> StreamLoss? {
    guard result.verdict != .notComparable, let loss = losses.first else { return nil }
    guard let worst else { return loss }
    return worst.unit == "-" && loss.share >= worst.lostShare ? loss : nil
  }

  private var opening: (start: String, reason: String) {
    switch result.verdict {
    case .pass where looksFirst, .improved where looksFirst: ("Look first: ", "")
    case .pass: ("Merge: ", warningText)
    case .improved: ("Merge: ", "it is better; renew the baseline")
    case .regressed: ("Do not merge: ", "\(result.name) says \(verdict)")
    case .inconclusive: ("Do not merge: ", "\(result.name) cannot tell, and must")
    case .notComparable: ("Not judged: ", "\(result.name) \(missing)")
    }
  }

  private var missing: String {
    if !result.findings.isEmpty, result.findings.allSatisfy(\.isUnlabeled) {
      return "waits for labels"
    }
    return result.findings.contains { $0.reference == .baseline && $0.baseline != nil }
      ? "cannot be compared with its anchor" : "has nothing to compare with"
  }

  private var warningText: String {
    let warnings = result.warnings.count
    guard warnings == 0 else { return "no rule stops; \(NumberText.count(warnings, "warning"))" }
    let every = "every rule of \(result.name) holds"
    return fewFrames.map { every + ", but only \($0)" } ?? every
  }

  /// How few frames are scored, if no score says anything about so few: `1 frame is scored`.
  private var fewFrames: String? {
    let frames =
      sides.flatMap { side in AnswerStream.allCases.map { side.streams[$0].frameCount } }
      .max() ?? 0
    guard frames > 0, frames < EvaluationAnswer.fewestFrames else { return nil }
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
      let text = GateFinding.text(finding.value)
      return "\(finding.name) is \(text), \(finding.verdictText) of \(NumberText.short(limit))"
    case .regressed: return loss.map { "\(finding.name) is worse by \($0)" }
    case .improved: return loss.map { "\(finding.name) is better by \($0); renew the baseline" }
    case .inconclusive where finding.isDoubtful:
      let worst = finding.greatestLoss.map { "may be worse by \(finding.lossText($0))" }
      return (finding.hasLoss ? "no rule stops" : "no loss is shown") + ", but \(finding.name) "
        + (worst ?? "has too few people to tell")
    case .inconclusive: return "the data cannot tell about \(finding.name)"
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
}

extension GateReference: CustomStringConvertible {
  package var description: String { rawValue }
}
