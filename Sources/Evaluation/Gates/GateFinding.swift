package import Statistics

/// What came of one rule.
package struct GateFinding: Hashable, Sendable {
  /// The rule.
  package let rule: GateRule
  /// What it says.
  package internal(set) var verdict: GateVerdict = .pass
  /// Why, a sentence each.
  package internal(set) var reasons: [String] = []
  /// The number.
  package internal(set) var value: Double?
  /// The baseline's number.
  package internal(set) var baseline: Double?
  /// The wider interval of the paired difference.
  package internal(set) var interval: Interval?
  /// Why there is no interval.
  package internal(set) var intervalGap: IntervalGap?
  /// How many subjects there are.
  package internal(set) var subjects = 0
  /// Who got worse, worst first.
  package internal(set) var worse: [SubjectDifference] = []

  init(_ rule: GateRule) { self.rule = rule }

  /// The number minus the baseline's.
  package var difference: Double? {
    guard let value, let baseline else { return nil }
    return value - baseline
  }

  /// Whether it stops the gate.
  package var stops: Bool {
    switch verdict {
    case .pass, .improved: false
    case .notComparable: true
    case .regressed: rule.severity == .critical
    case .inconclusive: rule.severity == .critical && rule.inconclusive == .fail
    }
  }

  /// Whether it passes with a warning.
  package var warns: Bool {
    switch verdict {
    case .regressed: rule.severity == .warning
    case .inconclusive: !stops && rule.inconclusive != .pass
    default: false
    }
  }

  /// Adds what one demand says; the worst verdict stays, and improved beats a mere pass.
  mutating func note(_ verdict: GateVerdict, _ reason: String) {
    switch verdict {
    case .pass: break
    case .improved: if self.verdict == .pass { self.verdict = .improved }
    default: self.verdict = max(self.verdict, verdict)
    }
    reasons.append(reason)
  }
}
