import ArgumentParser
import Foundation
import PoseDatasets
import PoseModel
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import PlankBench
@testable import Reports

@Suite("Gates for people") struct GateDocumentTests {
  private func screen(_ envelope: ResultEnvelope<GateReport>) -> [Substring] {
    TextRenderer().render(envelope.document.screen(closing: []))
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test("The first line says what to do, for every verdict")
  func answers() {
    func answer(_ findings: [GateFinding], obstacles: [String] = []) -> String {
      let envelope = GateSample.envelope(findings, obstacles: obstacles)
      let first = screen(envelope).first.map(String.init) ?? ""
      #expect(first == envelope.result.answer)
      return first
    }
    let fine = GateSample.finding("planks", .pass)
    let bad = GateSample.finding("planks", .regressed)
    let mild = GateSample.finding("planks", .regressed, severity: .warning)
    #expect(answer([fine]) == "Merge: every rule of gate.yaml holds")
    #expect(answer([fine, mild]) == "Merge: no rule blocks it; 1 warning")
    #expect(answer([bad, bad]) == "Do not merge: planks is worse by 15 points, and 1 more")
    var alone = GateFinding(fine.rule)
    alone.note(GateReason(.noBaseline))
    #expect(
      answer([alone], obstacles: ["x"]) == "Not judged: gate.yaml has no baseline to compare with")
    #expect(
      answer([fine], obstacles: ["x"]) == "Not judged: gate.yaml cannot be compared with its anchor"
    )
    #expect(
      answer([GateSample.finding("planks", .notComparable)])
        == "Not judged: planks cannot be compared")
    var unlabeled = GateFinding(fine.rule)
    unlabeled.note(GateReason(.nothingScored))
    #expect(
      answer([unlabeled, unlabeled])
        == "Not judged: no frame is labeled for planks; label some, or remove the rule")
    var blind = GateFinding(fine.rule)
    blind.note(GateReason(.noEvidence))
    #expect(
      answer([blind])
        == "Not judged: the rules decide too few frames; see `planklab evaluate`")
    var open = GateSample.finding("planks", .inconclusive)
    #expect(
      answer([open]) == "Merge: no loss is shown, but planks has too few people to tell")
    var rule = open.rule
    rule.inconclusive = .fail
    open = GateFinding(rule)
    open.note(GateReason(.cannotTell, limit: 0.05))
    #expect(answer([open]) == "Do not merge: the data are inconclusive about planks")
    let better = GateSample.finding("planks", .improved)
    #expect(answer([better]) == "Merge: planks is better by 15 points; update the baseline")
    var flickers = GateFinding(rule)
    flickers.value = 9.3
    flickers.note(GateReason(.aboveMaximum, limit: 2))
    #expect(answer([flickers]) == "Do not merge: planks is 9.3000, over the limit of 2")
    let long = GateSample.finding(String(repeating: "plank ", count: 20), .regressed)
    #expect(answer([long]) == "Do not merge: gate.yaml says regressed")
  }

  @Test("Limits broken on both sides are not a regression")
  func outside() {
    func broken(_ name: String, _ change: (inout GateRule) -> Void) -> GateFinding {
      var rule = GateRule(name: name, subject: .frameCostRatio)
      change(&rule)
      var finding = GateFinding(rule)
      finding.value = 2
      finding.checkBounds()
      return finding
    }
    let low = broken("low") { $0.atLeast = 3 }
    let high = broken("high") { $0.atMost = 1 }
    #expect(GateSample.report([low]).verdict == "below the limit")
    #expect(GateSample.report([high, high]).verdict == "over the limit")
    #expect(GateSample.report([low, high]).verdict == "outside the limits")
    let worse = GateSample.finding("worse", .regressed)
    #expect(GateSample.report([low, worse]).verdict == "regressed")
  }

  @Test("Losses are in points, or in the unit of the number")
  func losses() {
    let late = GateSample.finding(
      "late", .inconclusive, key: MetricKey(.detectionLatencyMedian, in: .plank))
    let jumpy = GateSample.finding(
      "jumpy", .inconclusive, key: MetricKey(.flickersPerMinute, in: .plank))
    #expect(late.lossText(0.25) == "0.25 s")
    #expect(jumpy.lossText(2.5) == "2.50 per minute")
    #expect(GateSample.finding("f1", .inconclusive).lossText(0.032) == "3.2 points")
  }

  @Test("Names cannot become markup")
  func escaping() {
    let text = MarkdownRenderer().render(
      GateSample.envelope([GateSample.finding(GateSample.hostile, .regressed)]).document)
    #expect(text.contains("a:b\\|&lt;c&gt; &amp;") && text.contains("\\*e\\*"))
  }
}

enum GateSample {
  static let hostile = "100 %, a:b|<c> & \"d\"\r\n*e* 🧘"

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

  private static func reason(_ verdict: GateVerdict) -> GateReason {
    switch verdict {
    case .improved: GateReason(.better, limit: 0.05)
    case .pass: GateReason(.noWorse, limit: 0.05)
    case .inconclusive: GateReason(.cannotTell, limit: 0.05)
    case .regressed: GateReason(.worse, limit: 0.05)
    case .notComparable: GateReason(.otherSequences)
    }
  }

  static func report(_ findings: [GateFinding], obstacles: [String] = []) -> GateReport {
    envelope(findings, obstacles: obstacles).result
  }

  static func envelope(
    _ findings: [GateFinding], obstacles: [String] = []
  ) -> ResultEnvelope<GateReport> {
    func outcome(_ answers: [PlankClass]) -> SequenceOutcome? {
      try? SequenceOutcome(
        "recordings/anna-1", of: "anna", times: [0, 0.1, 0.2, 0.3], [LabeledSegment(0, 1, .high)],
        plank: answers)
    }
    guard let before = outcome([.high, .high, .high, .high]),
      let after = outcome([.high, .none, .none, .none])
    else { preconditionFailure("one segment is in order") }
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

@Suite("Advice of gates") struct GateAdviceTests {
  /// A report on both streams, labeled and answered by six people whose answers change alike.
  private func envelope(
    _ findings: [GateFinding], plank: Double = 0, form: Double = 0
  ) throws -> ResultEnvelope<GateReport> {
    let scores = SequenceScores(
      try SequenceOutcome(
        "anna-1", of: "anna", times: [0, 0.1, 0.2], [LabeledSegment(0, 1, .high, .aligned)],
        plank: [.high, .high, .high]))
    let sample = GateSample.envelope(findings)
    var report = sample.result
    report.sides = [ScoredSide(name: GateReport.candidateSide, scores: [scores])]
    report.advice = StreamAdvice { stream in
      let unit = PairedCounts.Unit(
        amounts: SIMD8(repeating: 10), before: SIMD8(repeating: 6),
        after: SIMD8(repeating: 6 + 10 * (stream == .plank ? plank : form)))
      return Advice(PairedCounts(Array(repeating: unit, count: 6)), settings: 1)
    }
    return ResultEnvelope(report, on: sample.origin.dataset, provenance: [:])
  }

  private func form(
    _ verdict: GateVerdict, severity: GateRule.Severity = .critical
  ) -> GateFinding {
    GateSample.finding(
      "form", verdict, severity: severity, key: MetricKey(.f1Macro, in: .form))
  }

  @Test("Merge never stands above a stream that loses, whatever its rules say")
  func lookFirst() throws {
    let planks = GateSample.finding("planks", .improved)
    func answer(_ findings: [GateFinding], form: Double = -0.35) throws -> String {
      let report = try envelope(findings, form: form).result
      #expect(report.status == .success)
      #expect(report.tone == (report.looksFirst ? .warning : .good))
      return report.answer
    }
    #expect(
      try answer([planks]) == "Look first: form fell by 35 points and no rule judges it")
    #expect(
      try answer([planks, form(.inconclusive)])
        == "Look first: form fell by 35 points and its rules are inconclusive")
    #expect(
      try answer([planks, form(.regressed, severity: .warning)])
        == "Look first: form fell by 35 points and its rules only warn")
    #expect(
      try answer([planks, form(.pass)], form: -0.02)
        == "Look first: form fell by 2.0 points, which its rules allow")
    #expect(try answer([planks], form: -0.004).hasPrefix("Merge: planks is better"))
    #expect(try answer([planks], form: 0.2).hasPrefix("Merge: planks is better"))
  }

  @Test("A stream that loses is not without rules where one stops the gate for something else")
  func stopped() throws {
    var rule = GateRule(name: "form", subject: .metric(MetricKey(.f1Macro, in: .form)))
    rule.atLeast = 0.5
    var finding = GateFinding(rule)
    (finding.value, finding.baseline) = (0.3, 0.3)
    finding.checkBounds()
    #expect(
      try envelope([finding], form: -0.35).result.answer
        == "Do not merge: form fell by 35 points, which its rules do not show, and 1 more")
  }

  @Test("A rule that waits for labels says so, and is skipped in JUnit")
  func waits() throws {
    let rule = GateRule(name: "form", subject: .metric(MetricKey(.f1Macro, in: .form)))
    var finding = GateFinding(rule)
    finding.note(GateReason(.unlabeled))
    let envelope = GateSample.envelope([GateSample.finding("planks", .pass), finding])
    #expect(finding.verdictText == "not labeled yet")
    #expect(envelope.result.answer == "Merge: every rule of gate.yaml holds")
    let junit = JUnitReport.render(envelope)
    #expect(junit.contains("skipped=\"1\"") && junit.contains("<skipped message="))
    #expect(GateSample.report([finding]).answer == "Not judged: gate.yaml waits for labels")
  }

  @Test(
    "The advice of gate and of baseline update is that of both evaluations",
    arguments: [(["sag=9cm"], 0, 1), (["sag=9cm", "elbow_split=170deg"], 1, 1)])
  func same(assignments: [String], plank: Int, form: Int) async throws {
    let gate = try GateFolder()
    #expect(try await gate.update().sentences.isEmpty)
    try gate.write(set: assignments)
    let report = try await gate.report()
    let (before, after) = (try await gate.scores([]), try await gate.scores(assignments))
    for (stream, settings) in [(AnswerStream.plank, plank), (.form, form)] {
      let advice = try #require(Advice(PairedCounts(before, after, stream), settings: settings))
      #expect(report.advice?[stream] == advice)
    }
    let advice = try #require(report.advice)
    #expect(advice.form?.step.keeps == true)
    #expect(report.answer.hasPrefix("Look first: form fell by "))
    #expect(try await gate.update().sentences == advice.sentences)
    #expect(try await gate.report().advice?.all.map(\.step) == [.same, .same])
  }

  @Test("A baseline of other sequences gives no advice, but the reason")
  func otherSequences() async throws {
    let gate = try GateFolder()
    _ = try await gate.update()
    let text = try gate.folder.text("baseline.json")
    try gate.folder.write(text.replacing("s01-floor", with: "s09-floor"), to: "baseline.json")
    let report = try await gate.report()
    let reason = "the baseline has no answers for the sequence s01-floor"
    #expect(report.advice == nil && report.result.obstacles == [reason])
    #expect(report.answer.hasPrefix("Not judged: "))
    let updated = try await gate.update()
    #expect(updated.sentences.isEmpty && updated.remarks.contains("note: no advice: \(reason)"))
    #expect(try await gate.report().result.obstacles.isEmpty)
  }
}

/// A gate on the scripted dataset whose only rule is about planks.
private struct GateFolder {
  private static let data = Repository.file("datasets/scripted").path
  let folder: TemporaryFolder
  private var path: String { folder.path("gate.yaml") }

  init() throws {
    folder = try TemporaryFolder()
    try write(set: [])
  }

  func write(set assignments: [String]) throws {
    try folder.write(
      """
      dataset: \(Self.data)
      detector: gravity
      set: [\(assignments.joined(separator: ", "))]
      baseline: baseline.json
      rules: [{metric: plank.accuracy, at_least: 0}]
      """, to: "gate.yaml")
  }

  func update() async throws -> (sentences: [String], remarks: [String]) {
    let outcome = try await BaselineUpdate.parse([path, "--reason", "a test"]).outcome()
    return (outcome.text.split(separator: "\n").dropFirst().map(String.init), outcome.remarks)
  }

  func report() async throws -> GateReport {
    let text = try await Gate.parse([path, "--format", "json"]).outcome().text
    return try JSONDocument(text, file: "gate.json").decode(ResultEnvelope<GateReport>.self).result
  }

  func scores(_ assignments: [String]) async throws -> [SequenceScores] {
    try await DatasetEvaluation(
      of: DatasetCollection(opening: [Self.data], split: nil),
      detector: BenchDetector(.init(detector: "gravity", assignments: assignments)),
      progress: { _, _, _ in }
    ).runs.map(\.evaluation.scores)
  }
}

@Suite("Anchor of a gate") struct GateAnchorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func gate(
    _ anchor: String, rule: String = "{metric: plank.accuracy, largest_drop: 0.05}"
  ) throws -> String {
    try folder.write(
      """
      dataset: \(Repository.file("datasets/scripted").path)
      baseline: baseline.json
      \(anchor)resamples: 100
      rules: [\(rule)]
      """, to: "gate.yaml")
  }

  private func update(_ gate: String, _ more: String...) async throws {
    _ = try await BaselineUpdate.parse([gate, "--reason", "test", "--allow-dirty"] + more).outcome()
  }

  @Test("A missing anchor stops the gate, names its own remedy, and leaves what the baseline says")
  func missing() async throws {
    let path = try gate("anchor: anchor.json\n")
    try await update(path)
    let found = try await Gate.parse([path]).outcome()
    #expect(found.status == .notComparable)
    let text = found.text.replacing("\n    ", with: " ")
    #expect(text.hasPrefix("Not judged: gate.yaml cannot be compared with its anchor\n"), "\(text)")
    #expect(text.contains("no such anchor; copy the last release's"))
    #expect(text.contains(/plank.accuracy +pass/) && !text.contains("baseline update"), "\(text)")
  }

  @Test("An anchor that is the baseline is refused; the command that writes it is not")
  func same() async throws {
    let path = try gate("anchor: ./baseline.json\n")
    let failure = await #expect(throws: WorkflowFailure.self) {
      try await Gate.parse([path]).outcome()
    }
    #expect(failure?.status == .badData)
    #expect(failure?.message.contains("gate.yaml:3: `anchor`") == true, "\(failure?.message ?? "")")
    let other = try gate("anchor: anchor.json\n")
    try await update(other, "--baseline", folder.path("anchor.json"))
  }
}

enum DiagnosisSample {
  static func change(_ name: String, _ before: String = "140", _ after: String = "170")
    -> SettingChange
  {
    SettingChange(
      kind: .parameter, name: name, before: before, after: after, unit: "deg",
      options: ["--set", "\(name)=\(before)deg"])
  }

  /// A trial after which the rules of some places still fail, of two that fail now.
  static func trial(_ names: [String], failing: Set<Int>) -> PutBack {
    let rules = [0, 1].map { index in
      RuleEffect(
        index: index, rule: "rule \(index)", reference: .baseline, now: 0.75, value: 0.9,
        holds: !failing.contains(index), heldBefore: false)
    }
    return PutBack(
      changes: names, rules: rules, holds: failing.isEmpty, passes: failing.isEmpty,
      cell: Seconds(0))
  }

  static func cell(truth: String = "high", subject: String? = "s15") -> CellGrowth {
    CellGrowth(
      stream: .plank, truth: truth, answer: "forearm", slice: .all, before: Seconds(0),
      after: Seconds(21.4),
      people: [
        .init(subject: subject, seconds: Seconds(20)), .init(subject: "s02", seconds: Seconds(1.4)),
      ])
  }

  static func envelope(_ diagnosis: GateDiagnosis) -> ResultEnvelope<GateReport> {
    var envelope = GateSample.envelope([
      GateSample.finding("rule 0", .regressed), GateSample.finding("rule 1", .regressed),
    ])
    envelope.result.diagnosis = diagnosis
    envelope.result.arguments = ["gate", "gate.yaml", "--set", "a=1", "--set", "b=2"]
    return envelope
  }
}

@Suite("What a gate that stops says") struct GateDiagnosisTests {
  private func diagnosis(
    _ changes: [SettingChange], _ alone: [PutBack], fixing: PutBack? = nil,
    together: PutBack? = nil, differing: Int? = 0
  ) -> GateDiagnosis {
    GateDiagnosis(
      changes: changes, alone: alone, fixing: fixing, together: together, differing: differing)
  }

  private func answer(_ diagnosis: GateDiagnosis) -> String {
    DiagnosisSample.envelope(diagnosis).result.answer
  }

  @Test("One change after which every rule holds is what to put back")
  func one() {
    let found = diagnosis(
      [DiagnosisSample.change("a"), DiagnosisSample.change("elbow_split")],
      [
        DiagnosisSample.trial(["a"], failing: [0, 1]),
        DiagnosisSample.trial(["elbow_split"], failing: []),
      ])
    #expect(
      answer(found)
        == "Do not merge: put `elbow_split` back to 140 deg (rule 0 0.750, then 0.900)")
    #expect(found.lines.contains("putting `a` back fixes no rule"))
  }

  @Test("Several changes are put back where no single one is enough, and no more than needed")
  func several() {
    let changes = ["a", "b", "c"].map { DiagnosisSample.change($0) }
    let alone = [
      DiagnosisSample.trial(["a"], failing: [0]), DiagnosisSample.trial(["b"], failing: [1]),
      DiagnosisSample.trial(["c"], failing: [0, 1]),
    ]
    let all = DiagnosisSample.trial(["a", "b", "c"], failing: [])
    let found = diagnosis(
      changes, alone, fixing: DiagnosisSample.trial(["a", "b"], failing: []), together: all)
    #expect(answer(found).hasPrefix("Do not merge: put `a` and `b` back"))
    #expect(
      answer(diagnosis(changes, alone, together: all))
        .hasPrefix("Do not merge: put `a`, `b` and `c` back"))
  }

  @Test("Where nothing helps, the rule is named; nobody is told to put anything back")
  func none() {
    let changes = ["a", "b"].map { DiagnosisSample.change($0) }
    let found = diagnosis(
      changes, changes.map { DiagnosisSample.trial([$0.name], failing: [0, 1]) },
      together: DiagnosisSample.trial(["a", "b"], failing: [0, 1]), differing: 3)
    #expect(answer(found) == "Do not merge: rule 0 is worse by 15 points, and 1 more")
    let lines = found.lines.joined(separator: "\n")
    #expect(lines.contains("put both changes back: rule 0 still fails (0.900)"), "\(lines)")
    #expect(lines.contains("3 recordings still get different answers, so the program changed, too"))
  }

  @Test("A rule that failed in the baseline, too, is not held against the change")
  func failedBefore() throws {
    var rule = GateRule(
      name: "flickers", subject: .metric(MetricKey(.flickersPerMinute, in: .plank)))
    rule.atMost = 2
    var finding = GateFinding(rule)
    (finding.value, finding.baseline) = (12.1, 9.34)
    finding.checkBounds()
    var envelope = GateSample.envelope([GateSample.finding("rule 0", .regressed), finding])
    envelope.result.diagnosis = diagnosis(
      [DiagnosisSample.change("a")], [DiagnosisSample.trial(["a"], failing: [1])])
    #expect(
      envelope.result.answer
        == "Do not merge: put `a` back to 140 deg; flickers failed before, too")
    #expect(envelope.result.failedBefore == "failed in the baseline, too: flickers (9.340)")
    let text = JUnitReport.render(envelope)
    #expect(text.contains("; holds with `a` back to 140 deg (0.900)"), "\(text)")
    #expect(text.contains("; failed in the baseline, too (9.340)"), "\(text)")
  }
}

@Suite("Seconds won and lost") struct ChangeMatrixTests {
  private func matrix(_ after: [[Double]], labels: [String] = ["none", "high"]) -> String? {
    ChangeMatrix(
      title: "plank", before: ConfusionMatrix(labels: ["none", "high"], rows: [[1, 0], [0, 5]]),
      after: ConfusionMatrix(labels: labels, rows: after)
    )?.html.text
  }

  @Test("Less of a right answer is worse, and so is more of a wrong one")
  func signs() throws {
    let lost = try #require(matrix([[1, 0], [2, 3]]))
    for words in [
      "high answered as none: 0.00 s → 2.00 s", "high answered as high: 5.00 s → 3.00 s",
    ] {
      #expect(lost.contains("<td class=\"lost s4\" title=\"\(words)\">"), "\(lost)")
    }
    let won = try #require(matrix([[2, 0], [0, 5]]))
    #expect(won.contains("<td class=\"won s4\" title=\"none answered as none: 1.00 s → 2.00 s\">"))
  }
}
