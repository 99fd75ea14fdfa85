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

  /// The deciding verdict: the worst of those that stop; otherwise improved if any rule is,
  /// otherwise pass.
  package var verdict: GateVerdict {
    guard obstacles.isEmpty, !findings.allSatisfy(\.isUnlabeled) else { return .notComparable }
    if let worst = findings.filter(\.stops).map(\.verdict).max() { return worst }
    return findings.contains { $0.verdict == .improved } ? .improved : .pass
  }

  package var warnings: [GateFinding] { findings.filter(\.warns) }
}

extension GateResult: Codable {
  private enum CodingKeys: String, CodingKey {
    case name = "gate"
    case findings = "rules"
    case obstacles
    case worseSequences = "worse_sequences"
    case worseMoments = "worse_moments"
  }
}

extension GateResult {
  package func worseSequences(for rule: GateRule) -> [SequenceDifference] {
    guard case .metric(let key) = rule.subject else { return [] }
    return worseSequences.filter { sequence in
      sequence.stream == key.stream
        && rule.slice.contains(subject: sequence.subject, tags: sequence.tags)
    }
  }

  package func worseMoments(for rule: GateRule) -> [LostMoment] {
    guard case .metric(let key) = rule.subject else { return [] }
    return worseMoments.filter { moment in
      moment.stream == key.stream
        && rule.slice.contains(subject: moment.subject, tags: moment.tags)
    }
  }
}

/// The verdict of a gate; later cases take precedence over earlier ones.
package enum GateVerdict: String, CaseIterable, Hashable, Sendable, Comparable, Codable {
  case improved
  case pass
  case inconclusive
  case regressed
  case notComparable = "not comparable"

  package static func < (left: GateVerdict, right: GateVerdict) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    guard let index = Self.allCases.firstIndex(of: self) else {
      preconditionFailure("a verdict is one of all verdicts")
    }
    return index
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
  /// The smallest true loss that four of five such gates would call regressed, in the number's
  /// unit; nil for rules without a margin and if it cannot be computed.
  package internal(set) var detectableLoss: Double?
  package internal(set) var subjects = 0
  package internal(set) var worse: [SubjectDifference] = []
  package internal(set) var strays: [StrayClass] = []

  init(_ rule: GateRule, against reference: GateReference = .baseline) {
    self.rule = rule
    self.reference = reference
  }

  private enum CodingKeys: String, CodingKey {
    case rule
    case reference = "against"
    case verdict, reasons, value
    case baseline = "baseline_value"
    case interval
    case intervalGap = "interval_remark"
    case detectableLoss = "detectable_loss"
    case subjects
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

  /// Whether only a limit is broken: the number may not have changed.
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
  /// Answers that stay for a long time, such as those of the last release.
  case anchor
}
