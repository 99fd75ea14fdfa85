import Foundation
import PoseModel
import Testing

@testable import Evaluation
@testable import PlankBench

/// Gates that stop, with changes put back.
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

@Suite("What a gate that stops says")
struct GateDiagnosisTests {
  private func diagnosis(
    _ changes: [SettingChange], _ alone: [PutBack], mending: PutBack? = nil,
    together: PutBack? = nil, differing: Int? = 0
  ) -> GateDiagnosis {
    GateDiagnosis(
      changes: changes, alone: alone, mending: mending, together: together, differing: differing)
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
    #expect(found.lines().contains("putting `a` back mends no rule"))
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
      changes, alone, mending: DiagnosisSample.trial(["a", "b"], failing: []), together: all)
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
    let lines = found.lines().joined(separator: "\n")
    #expect(lines.contains("put both changes back: rule 0 still fails (0.900)"), "\(lines)")
    #expect(lines.contains("3 recordings still get other answers: the program changed, too"))
  }

  @Test("Without a changed setting, the program is what changed")
  func program() {
    #expect(
      diagnosis([], [], differing: 2).lines() == [
        "no setting changed since the baseline: the program answers 2 recordings differently"
      ])
    #expect(diagnosis([], [], differing: nil).lines().isEmpty)
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

  @Test("A warning that stays is counted")
  func warning() {
    var trial = DiagnosisSample.trial(["a"], failing: [1])
    trial = PutBack(
      changes: trial.changes, rules: trial.rules, holds: false, passes: true, cell: nil)
    let found = diagnosis([DiagnosisSample.change("a")], [trial])
    #expect(answer(found).hasPrefix("Do not merge: put `a` back to 140 deg; 1 warning stays"))
  }

  @Test("The sentence names the cell; a parameter only if most of the growth is its own")
  func sentence() {
    var found = GateDiagnosis(
      changes: [DiagnosisSample.change("elbow_split")], cell: DiagnosisSample.cell())
    #expect(
      found.sentence
        == "21.4 s more of `high` is answered `forearm` than in the baseline, most of it for s15.")
    found.cause = .init(change: "elbow_split", seconds: Seconds(21), subject: nil)
    #expect(
      found.sentence == "`elbow_split` 140 -> 170 deg turns 21.0 s of `high` into `forearm`.")
    found.cell = nil
    #expect(found.sentence == nil)
  }

  @Test("A saved result gives the same page and text; a command replaces what it sets")
  func saved() throws {
    var found = diagnosis(
      [DiagnosisSample.change("a")], [DiagnosisSample.trial(["a"], failing: [])])
    found.cell = DiagnosisSample.cell()
    let envelope = DiagnosisSample.envelope(found)
    let again = try JSONDecoder().decode(
      ResultEnvelope<GateReport>.self, from: Data(envelope.json.utf8))
    #expect(again == envelope)
    #expect(again.page == envelope.page)
    let page = envelope.page.html.text
    #expect(page.contains("planklab gate gate.yaml --set b=2 --set a=140deg"), "\(page)")
  }

  @Test("Names from data are escaped on the page and fit the screen")
  func hostile() {
    let name = GateSample.hostile
    var found = diagnosis(
      [DiagnosisSample.change(name)], [DiagnosisSample.trial([name], failing: [])])
    found.cell = DiagnosisSample.cell(truth: "<b>", subject: name)
    let envelope = DiagnosisSample.envelope(found)
    let page = envelope.page.html.text
    #expect(!page.contains("<c>") && !page.contains("<b>&lt;") && page.contains("&lt;c&gt;"))
    let screen = TextRenderer().render(GateScreen(envelope: envelope).document)
    #expect(screen.split(separator: "\n", omittingEmptySubsequences: false).count <= 26)
    #expect(envelope.result.answer.count <= 80)
  }
}

@Suite("Seconds won and lost")
struct ChangeMatrixTests {
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

  @Test("Without a change it says so; other classes are not compared")
  func empty() {
    #expect(matrix([[1, 0], [0, 5]])?.contains("Every cell is the same on both sides.") == true)
    #expect(matrix([[1, 0], [0, 5]], labels: ["none", "low"]) == nil)
  }
}
