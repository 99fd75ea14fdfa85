import PoseModel

@testable import Evaluation
@testable import PlankBench

/// Reports of gates for tests of their faces.
enum GateSample {
  /// Names that every face has to escape.
  static let hostile = "100 %, a:b|<c> & \"d\"\r\n*e* 🧘"

  /// A finding with a verdict.
  static func finding(
    _ name: String, _ verdict: GateVerdict, severity: GateRule.Severity = .critical,
    subject: String? = "anna", key: MetricKey = MetricKey(.accuracy, in: .plank)
  ) -> GateFinding {
    var rule = GateRule(name: name, subject: .metric(key))
    rule.margin = 0.05
    rule.severity = severity
    var finding = GateFinding(rule)
    finding.note(reason(verdict))
    finding.value = 0.75
    finding.baseline = 0.9
    finding.subjects = 6
    finding.worse = [
      SubjectDifference(subject: subject, before: .value(0.9), after: .value(0.5))
    ]
    return finding
  }

  /// A reason for a verdict.
  private static func reason(_ verdict: GateVerdict) -> GateReason {
    switch verdict {
    case .improved: GateReason(.better, limit: 0.05)
    case .pass: GateReason(.noWorse, limit: 0.05)
    case .inconclusive: GateReason(.cannotTell, limit: 0.05)
    case .regressed: GateReason(.worse, limit: 0.05)
    case .notComparable: GateReason(.otherSequences)
    }
  }

  /// A report on findings, with a moment lost.
  static func report(_ findings: [GateFinding], obstacles: [String] = []) -> GateReport {
    envelope(findings, obstacles: obstacles).result
  }

  /// The report with its origin.
  static func envelope(
    _ findings: [GateFinding], obstacles: [String] = []
  ) -> ResultEnvelope<GateReport> {
    guard
      let track = try? LabelTrack([
        LabeledSegment(start: Seconds(0), end: Seconds(1), plank: .high, form: nil)
      ])
    else { preconditionFailure("one segment is in order") }
    let times = [0, 0.1, 0.2, 0.3]
    func outcome(_ answers: [UInt8]) -> SequenceOutcome {
      SequenceOutcome(
        name: "recordings/anna-1", subject: "anna", times: times, truth: track.truth(at: times),
        plank: StreamOutcome(answers: answers), form: StreamOutcome(answers: [0, 0, 0, 0]),
        frameWeight: Seconds(0.1))
    }
    let (before, after) = (outcome([2, 2, 2, 2]), outcome([2, 0, 0, 0]))
    let result = GateResult(
      name: "gate.yaml", findings: findings, obstacles: obstacles,
      worseSequences: SequenceDifference.lost(
        from: GateSide(sequences: [SequenceScores(before)]),
        to: GateSide(sequences: [SequenceScores(after)])),
      worseMoments: LostMoment.all(from: before, to: after))
    return ResultEnvelope(
      GateReport(result: result, candidate: "thresholds.json", baseline: "baseline.json"),
      on: DatasetIdentity(
        name: "sessions", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      provenance: ["resamples": "10000"])
  }
}
