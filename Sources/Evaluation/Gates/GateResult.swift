internal import PoseModel
package import Statistics

package struct GateResult: Hashable, Sendable {
  package let name: String
  package let findings: [GateFinding]
  package let obstacles: [String]
  package let worseSequences: [SequenceDifference]
  package let worseMoments: [LostMoment]

  package init(
    name: String, findings: [GateFinding], obstacles: [String] = [],
    worseSequences: [SequenceDifference] = [], worseMoments: [LostMoment] = []
  ) {
    self.name = name
    self.findings = findings
    self.obstacles = obstacles
    self.worseSequences = worseSequences
    self.worseMoments = worseMoments
  }

  /// The verdict over all rules.
  ///
  /// It is `notComparable` if there are obstacles or if all rules wait for labels; otherwise the
  /// worst verdict that stops the gate; otherwise `improved` if any rule improved, or else `pass`.
  package var verdict: GateVerdict {
    guard obstacles.isEmpty, !findings.allSatisfy(\.isUnlabeled) else { return .notComparable }
    if let worst = findings.filter(\.stops).map(\.verdict).max() { return worst }
    return findings.contains { $0.verdict == .improved } ? .improved : .pass
  }

  package var warnings: [GateFinding] { findings.filter(\.warns) }
}

extension GateResult: Codable {
  private enum CodingKeys: String, SnakeCaseKey {
    case name = "gate"
    case findings = "rules"
    case obstacles, worseSequences, worseMoments
  }
}

extension GateResult {
  package func worseSequences(for rule: GateRule) -> [SequenceDifference] {
    worseSequences.filter { sequence in
      sequence.stream == rule.stream
        && rule.slice.contains(subject: sequence.subject, tags: sequence.tags)
    }
  }

  package func worseMoments(for rule: GateRule) -> [LostMoment] {
    worseMoments.filter { moment in
      moment.stream == rule.stream
        && rule.slice.contains(subject: moment.subject, tags: moment.tags)
    }
  }
}

/// Later cases take precedence over earlier ones.
package enum GateVerdict: String, CaseIterable, Hashable, Sendable, Comparable, Codable {
  case improved
  case pass
  case inconclusive
  case regressed
  case notComparable = "not comparable"

  package static func < (left: GateVerdict, right: GateVerdict) -> Bool {
    left.ordinal < right.ordinal
  }
}

package struct GateFinding: Hashable, Sendable, Codable {
  package let rule: GateRule
  package let reference: GateReference
  package internal(set) var verdict: GateVerdict = .pass
  package internal(set) var reasons: [GateReason] = []
  package internal(set) var value: Double?
  package internal(set) var baseline: Double?
  package internal(set) var interval: Interval?
  package internal(set) var intervalGap: UndefinedReason?
  /// The true loss that gates with such data would call regressed four times out of five, in the
  /// number's unit; nil for rules without a margin, and if it cannot be computed.
  package internal(set) var detectableLoss: Double?
  package internal(set) var subjects = 0
  package internal(set) var worse: [SubjectDifference] = []
  package internal(set) var strays: [StrayClass] = []

  /// The key of the judged metric, which differs from the rule's key if stray classes are left out.
  package var judgedKey: String {
    strays.isEmpty ? rule.key : rule.judged?.description ?? rule.key
  }

  init(_ rule: GateRule, against reference: GateReference = .baseline) {
    self.rule = rule
    self.reference = reference
  }

  private enum CodingKeys: String, SnakeCaseKey {
    case rule, verdict, reasons, value, interval, subjects
    case reference = "against"
    case baseline = "baseline_value"
    case intervalGap = "interval_remark"
    case detectableLoss
    case worse = "worse_subjects"
    case strays = "classes_without_truth"
  }

  private enum DerivedKeys: String, CodingKey {
    case difference, stops, warns
    case isOverLimit = "over_limit"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(rule, forKey: .rule)
    try container.encode(reference, forKey: .reference)
    try container.encode(verdict, forKey: .verdict)
    try container.encode(reasons, forKey: .reasons)
    try container.encodeIfPresent(value, forKey: .value)
    try container.encodeIfPresent(baseline, forKey: .baseline)
    try container.encodeIfPresent(interval, forKey: .interval)
    try container.encodeIfPresent(intervalGap, forKey: .intervalGap)
    try container.encodeIfPresent(detectableLoss, forKey: .detectableLoss)
    try container.encode(subjects, forKey: .subjects)
    try container.encode(worse, forKey: .worse)
    try container.encode(strays, forKey: .strays)
    var derived = encoder.container(keyedBy: DerivedKeys.self)
    try derived.encodeIfPresent(difference, forKey: .difference)
    try derived.encode(isOverLimit, forKey: .isOverLimit)
    try derived.encode(stops, forKey: .stops)
    try derived.encode(warns, forKey: .warns)
  }

  /// Whether only absolute limits are broken, so that the number may be the same as in the
  /// baseline.
  package var isOverLimit: Bool {
    let broken = reasons.map(\.kind).filter { $0.verdict == .regressed }
    return verdict == .regressed && !broken.isEmpty && broken.allSatisfy(\.isBrokenLimit)
  }

  package var isUnlabeled: Bool { reasons.first?.kind == .unlabeled }

  package var difference: Double? {
    guard let value, let baseline else { return nil }
    return value - baseline
  }

  package var stops: Bool {
    switch verdict {
    case .pass, .improved: false
    case .notComparable: true
    case .regressed: rule.severity == .critical
    case .inconclusive: rule.severity == .critical && rule.inconclusive == .fail
    }
  }

  package var warns: Bool {
    switch verdict {
    case .regressed: rule.severity == .warning
    case .inconclusive: !stops && rule.inconclusive != .pass
    default: false
    }
  }

  mutating func note(_ reason: GateReason) {
    let found = reason.kind.verdict
    switch found {
    case .pass: break
    case .improved: if verdict == .pass { verdict = .improved }
    default: verdict = max(verdict, found)
    }
    reasons.append(reason)
  }
}

extension GateFinding {
  mutating func checkBounds() {
    guard let value else { return }
    if let bound = rule.atLeast {
      let isMet = value >= bound - Self.tolerance
      note(GateReason(isMet ? .aboveMinimum : .belowMinimum, limit: bound))
    }
    if let bound = rule.atMost {
      let isMet = value <= bound + Self.tolerance
      note(GateReason(isMet ? .belowMaximum : .aboveMaximum, limit: bound))
    }
    guard let largest = rule.largestDrop else { return }
    guard let difference else {
      note(GateReason(.noBaseline))
      return
    }
    let drop = rule.higherIsBetter ? -difference : difference
    let isMet = drop <= largest + Self.tolerance
    note(GateReason(isMet ? .withinDrop : .beyondDrop, limit: largest))
  }

  static let tolerance = 1e-9
}

package enum GateReference: String, CaseIterable, Hashable, Sendable, Codable {
  case baseline
  /// A second baseline that is kept for a long time, such as the answers of the last release.
  case anchor
}

package struct GateReason: Hashable, Sendable, Codable {
  package enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    case aboveMinimum = "above_minimum"
    case belowMinimum = "below_minimum"
    case belowMaximum = "below_maximum"
    case aboveMaximum = "above_maximum"
    case withinDrop = "within_drop"
    case beyondDrop = "beyond_drop"
    case unchanged
    case noWorse = "no_worse"
    /// Like `noWorse`, but all people change by the same amount, so there is no interval.
    case noWorseAlike = "no_worse_alike"
    case better
    case betterAlike = "better_alike"
    case worse
    case worseAlike = "worse_alike"
    case cannotTell = "cannot_tell"
    case tooFewToTell = "too_few_to_tell"
    case noInterval = "no_interval"
    case noIntervalBeyond = "no_interval_beyond"
    case onePerson = "one_person"
    case tooFewSubjects = "too_few_subjects"
    case noSequences = "no_sequences"
    case nothingScored = "nothing_scored"
    case unlabeled
    case noEvidence = "no_evidence"
    case undefined
    case undefinedBefore = "undefined_before"
    case noBaseline = "no_baseline"
    case otherSequences = "other_sequences"
    case notTimed = "not_timed"

    package var verdict: GateVerdict {
      switch self {
      case .aboveMinimum, .belowMaximum, .withinDrop, .unchanged, .noWorse, .noWorseAlike,
        .unlabeled:
        .pass
      case .better, .betterAlike: .improved
      case .cannotTell, .tooFewToTell, .noInterval: .inconclusive
      case .belowMinimum, .aboveMaximum, .beyondDrop, .worse, .worseAlike: .regressed
      case .noIntervalBeyond, .onePerson, .tooFewSubjects, .noSequences, .nothingScored,
        .noEvidence, .undefined, .undefinedBefore, .noBaseline, .otherSequences, .notTimed:
        .notComparable
      }
    }

    package var isBrokenLimit: Bool { self == .belowMinimum || self == .aboveMaximum }
  }

  package let kind: Kind
  /// The required limit, largest drop or margin, in the number's unit; nil for kinds without one.
  package let limit: Double?
  package let needed: Int?
  package let gap: UndefinedReason?

  package init(
    _ kind: Kind, limit: Double? = nil, needed: Int? = nil, gap: UndefinedReason? = nil
  ) {
    self.kind = kind
    self.limit = limit
    self.needed = needed
    self.gap = gap
  }
}

package struct PersonChange: Hashable, Sendable, Codable {
  package let subject: String?
  package let before: PerStream<MetricValue>
  package let after: PerStream<MetricValue>

  private enum CodingKeys: String, CodingKey {
    case subject
    case before = "accuracy_before"
    case after = "accuracy_after"
  }

  package static func all(from before: GateSide, to after: GateSide) -> [PersonChange] {
    let groups = Dictionary(grouping: before.sequences, by: \.subject)
    let people = Dictionary(grouping: after.sequences, by: \.subject).compactMap {
      (subject, sequences) -> PersonChange? in
      guard sequences.contains(where: { $0.plank.frames.scored + $0.form.frames.scored > 0 })
      else { return nil }
      return PersonChange(
        subject: subject, before: accuracy(groups[subject] ?? []), after: accuracy(sequences))
    }
    return people.sorted { ($0.change, $0.subject ?? "") < ($1.change, $1.subject ?? "") }
  }

  private var change: Double {
    AnswerStream.allCases.compactMap { stream in
      after[stream].number.flatMap { now in before[stream].number.map { now - $0 } }
    }.min() ?? 0
  }

  private static func accuracy(_ sequences: [SequenceScores]) -> PerStream<MetricValue> {
    PerStream { ScoreView(sequences, $0)[.accuracy] }
  }
}

package struct RuleEffect: Hashable, Sendable, Codable {
  package let index: Int
  package let rule: String
  package let reference: GateReference
  package let now: Double?
  package let value: Double?
  package let holds: Bool
  package let heldBefore: Bool

  private enum CodingKeys: String, CodingKey {
    case index, rule, now, value, holds
    case reference = "against"
    case heldBefore = "holds_now"
  }

  /// Leaves out rules about the cost per frame, because this cost belongs to a run, not to the
  /// answers.
  package static func all(now: [GateFinding], then: [GateFinding]) -> [RuleEffect] {
    zip(now, then).enumerated().compactMap { index, pair in
      let (now, then) = pair
      guard now.rule.judged != nil, now.isBroken || then.isBroken else { return nil }
      return RuleEffect(
        index: index, rule: now.rule.name, reference: now.reference, now: now.value,
        value: then.value, holds: !then.isBroken, heldBefore: !now.isBroken)
    }
  }
}

extension GateFinding {
  package var isBroken: Bool { stops || (warns && verdict == .regressed) }

  package var failedBefore: Bool {
    guard isBroken, reference == .baseline, let baseline else { return false }
    return reasons.contains { reason in
      switch reason.kind {
      case .belowMinimum: reason.limit.map { baseline < $0 - Self.tolerance } ?? false
      case .aboveMaximum: reason.limit.map { baseline > $0 + Self.tolerance } ?? false
      default: false
      }
    }
  }
}
