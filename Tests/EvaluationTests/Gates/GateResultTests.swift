import PoseModel
import Testing

@testable import Evaluation

@Suite("Gate result")
struct GateResultTests {
  private func finding(
    _ verdict: GateVerdict, _ severity: GateRule.Severity = .critical,
    _ policy: GateRule.Policy = .warn
  ) -> GateFinding {
    var rule = GateRule(name: "rule", subject: .frameCostRatio)
    rule.severity = severity
    rule.inconclusive = policy
    var finding = GateFinding(rule)
    finding.verdict = verdict
    return finding
  }

  @Test(
    "What stops and what warns follows from verdict, severity and policy",
    arguments: [
      (GateVerdict.pass, GateRule.Severity.critical, GateRule.Policy.fail, false, false),
      (.improved, .critical, .fail, false, false),
      (.regressed, .critical, .pass, true, false),
      (.regressed, .warning, .fail, false, true),
      (.notComparable, .critical, .pass, true, false),
      (.notComparable, .warning, .pass, true, false),
      (.inconclusive, .critical, .pass, false, false),
      (.inconclusive, .critical, .warn, false, true),
      (.inconclusive, .critical, .fail, true, false),
      (.inconclusive, .warning, .fail, false, true),
    ])
  func stops(
    verdict: GateVerdict, severity: GateRule.Severity, policy: GateRule.Policy, stops: Bool,
    warns: Bool
  ) {
    let found = finding(verdict, severity, policy)
    #expect(found.stops == stops)
    #expect(found.warns == warns)
  }

  @Test(
    "The worst that stops decides; what only warns does not",
    arguments: [
      ([GateVerdict.pass, .pass], GateVerdict.pass), ([.pass, .improved], .improved),
      ([.improved, .regressed, .pass], .regressed),
      ([.regressed, .notComparable], .notComparable), ([.inconclusive, .pass], .pass),
      ([.inconclusive, .improved], .improved),
    ])
  func worst(verdicts: [GateVerdict], expected: GateVerdict) {
    #expect(GateResult(name: "g", findings: verdicts.map { finding($0) }).verdict == expected)
  }

  @Test("An inconclusive rule that must tell stops, behind a regression")
  func inconclusive() {
    let open = finding(.inconclusive, .critical, .fail)
    #expect(GateResult(name: "g", findings: [open, finding(.pass)]).verdict == .inconclusive)
    #expect(GateResult(name: "g", findings: [open, finding(.regressed)]).verdict == .regressed)
  }

  @Test("No rule, or an obstacle, is never a pass")
  func nothing() {
    #expect(GateResult(name: "g", findings: []).verdict == .notComparable)
    let blocked = GateResult(name: "g", findings: [finding(.improved)], obstacles: ["other poses"])
    #expect(blocked.verdict == .notComparable)
  }

  @Test("A rule that waits for labels holds beside others, and alone is never a pass")
  func unlabeled() {
    var waiting = finding(.pass)
    waiting.note(GateReason(.unlabeled))
    #expect(waiting.verdict == .pass && !waiting.stops && !waiting.warns)
    #expect(GateResult(name: "g", findings: [waiting]).verdict == .notComparable)
    #expect(GateResult(name: "g", findings: [waiting, finding(.pass)]).verdict == .pass)
    #expect(GateResult(name: "g", findings: [waiting, finding(.regressed)]).verdict == .regressed)
  }

  /// A reason of every verdict.
  private static let reasons: [GateReason] = [
    GateReason(.better), GateReason(.unchanged), GateReason(.cannotTell), GateReason(.worse),
    GateReason(.noBaseline),
  ]

  @Test("Further demands never make a verdict better")
  func notes() {
    #expect(Set(Self.reasons.map(\.kind.verdict)) == Set(GateVerdict.allCases))
    for first in Self.reasons {
      for second in Self.reasons {
        var found = finding(.pass)
        found.note(first)
        found.note(second)
        // A margin that shows an improvement is no better than a pass.
        #expect(
          max(found.verdict, .pass) == max(first.kind.verdict, second.kind.verdict, .pass),
          "\(first) then \(second) is \(found.verdict)")
        #expect(found.reasons == [first, second])
      }
    }
  }

  @Test("Only a broken limit is over the limit; a loss beside it is a regression")
  func overLimit() {
    var found = finding(.pass)
    found.note(GateReason(.aboveMaximum, limit: 2))
    found.note(GateReason(.withinDrop, limit: 0.1))
    #expect(found.verdict == .regressed && found.isOverLimit)
    found.note(GateReason(.beyondDrop, limit: 0.1))
    #expect(!found.isOverLimit)
  }
}

@Suite("Runs of answers")
struct AnswerRunsTests {
  @Test("Answers come back from their text, determined or not")
  func roundTrip() {
    var scenario = Scenario("nnnhhh", answers: "nnhhhn")
    scenario.plankDetermined = "d-ddd-"
    let outcome = scenario.outcome.plank
    let runs = AnswerRuns(outcome, .plank)
    #expect(runs.text == "none*1 none?*1 high*3 none?*1")
    let back = runs.outcome(.plank, frames: 6)
    #expect(back?.answers == outcome.answers)
    #expect(back?.isDetermined == outcome.isDetermined)
  }

  @Test(
    "What does not fit the frames or the classes is refused",
    arguments: [
      "high*5", "high*7", "tall*6", "high*6 none*0", "high", "high*-6", "high*3*3", "",
      "high*99999999999999999999",
    ])
  func refused(text: String) {
    #expect(AnswerRuns(text: text).outcome(.plank, frames: 6) == nil)
  }
}
