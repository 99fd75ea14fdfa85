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
  /// Wrong stretches within them, longest first.
  package let worseMoments: [WorstMoment]

  /// Sums up findings.
  package init(
    name: String, findings: [GateFinding], obstacles: [String] = [],
    worseSequences: [SequenceDifference] = [], worseMoments: [WorstMoment] = []
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
