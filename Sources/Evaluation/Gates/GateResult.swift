internal import PoseModel

/// What a gate says as a whole.
package struct GateResult: Hashable, Sendable {
  /// The gate's name.
  package let name: String
  /// What came of every rule, in order.
  package let findings: [GateFinding]
  /// Why the whole cannot be judged; empty where it can.
  package let obstacles: [String]
  /// The sequences that got worse, worst first.
  package let worseSequences: [SequenceDifference]
  /// Stretches that the baseline has right and the candidate wrong, longest first.
  package let worseMoments: [LostMoment]

  /// Sums up findings.
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

  /// The verdict that decides: the worst of those that stop; else improved where any rule is,
  /// else pass.
  package var verdict: GateVerdict {
    guard obstacles.isEmpty, !findings.isEmpty else { return .notComparable }
    if let worst = findings.filter(\.stops).map(\.verdict).max() { return worst }
    return findings.contains { $0.verdict == .improved } ? .improved : .pass
  }

  /// Findings that do not stop and are not passed either.
  package var warnings: [GateFinding] { findings.filter(\.warns) }
}

extension GateResult {
  /// The sequences within a rule's slice and stream that got worse, worst first.
  package func worseSequences(for rule: GateRule) -> [SequenceDifference] {
    guard case .metric(let key) = rule.subject else { return [] }
    return worseSequences.filter { sequence in
      sequence.stream == key.stream
        && rule.slice.contains(subject: sequence.subject, tags: sequence.tags)
    }
  }

  /// The moments within a rule's slice and stream that got worse, longest first.
  package func worseMoments(for rule: GateRule) -> [LostMoment] {
    guard case .metric(let key) = rule.subject else { return [] }
    return worseMoments.filter { moment in
      moment.stream == key.stream
        && rule.slice.contains(subject: moment.subject, tags: moment.tags)
    }
  }
}
