package struct RuleEffect: Hashable, Sendable, Codable {
  package let index: Int
  package let rule: String
  package let reference: GateReference
  package let now: Double?
  package let value: Double?
  package let holds: Bool
  package let heldBefore: Bool

  private enum CodingKeys: String, CodingKey {
    case index, rule
    case reference = "against"
    case now, value, holds
    case heldBefore = "holds_now"
  }

  /// The cost per frame is a property of a run, not of answers: its rules are left out.
  package static func all(now: [GateFinding], then: [GateFinding]) -> [RuleEffect] {
    zip(now, then).enumerated().compactMap { index, pair in
      let (now, then) = pair
      guard now.rule.judged != nil, now.isBroken || then.isBroken else { return nil }
      return RuleEffect(
        index: index, rule: now.rule.name, reference: now.reference, now: now.value,
        value: then.value,
        holds: !then.isBroken, heldBefore: !now.isBroken)
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
