import PoseModel
import Testing

@testable import Evaluation

@Suite("Gate result") struct GateResultTests {
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
      (.improved, .critical, .fail, false, false), (.regressed, .critical, .pass, true, false),
      (.regressed, .warning, .fail, false, true), (.notComparable, .critical, .pass, true, false),
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

@Suite("The cell that grew most") struct CellGrowthTests {
  private static let before = [
    Scenario("nnhhhhhhhh", name: "a", subject: "anna"),
    Scenario("nnhhhhhhhh", answers: "nnhhhhhhhf", name: "b", subject: "ben"),
  ]
  private static let after = [
    Scenario("nnhhhhhhhh", answers: "nnffffffhh", name: "a", subject: "anna"),
    Scenario("nnhhhhhhhh", answers: "fnhhhhhhff", name: "b", subject: "ben"),
  ]

  private static func side(_ scenarios: [Scenario]) -> GateSide {
    GateSide(sequences: scenarios.map { SequenceScores($0.outcome) })
  }

  private func findings(_ change: (inout GateRule) -> Void) -> [GateFinding] {
    var rule = GateRule(name: "rule", subject: .metric(MetricKey(.accuracy, in: .plank)))
    change(&rule)
    return GateJudge(candidate: Self.side(Self.after), baseline: Self.side(Self.before))
      .findings([rule])
  }

  private func growth(_ change: (inout GateRule) -> Void) -> CellGrowth? {
    CellGrowth.largest(from: Self.side(Self.before), to: Self.side(Self.after), findings(change))
  }

  @Test("It is a wrong answer, with its seconds before and now, and the people behind it")
  func largest() throws {
    let cell = try #require(growth { $0.largestDrop = 0.05 })
    #expect(cell.truth == "high" && cell.answer == "forearm")
    #expect(abs(cell.before.value - 0.1) < 1e-9 && abs(cell.after.value - 0.8) < 1e-9)
    #expect(cell.people.map(\.subject) == ["anna", "ben"])
    #expect(cell.people.most == "anna")
  }

  @Test(
    "Only what broken rules judge counts: no broken rule, no cell; a person's rule, the person's")
  func slices() throws {
    #expect(growth { $0.largestDrop = 0.9 } == nil)
    let own = try #require(
      growth {
        $0.largestDrop = 0.05
        $0.slice = .subject("ben")
      })
    #expect(own.people.map(\.subject) == ["ben"] && own.slice == .subject("ben"))
    #expect(abs(own.growth.value - 0.1) < 1e-9)
  }

  @Test("A rule failed before the change if the baseline breaks its own limit, too")
  func failedBefore() throws {
    #expect(try #require(findings { $0.atLeast = 0.99 }.first).failedBefore)
    #expect(try !#require(findings { $0.atLeast = 0.9 }.first).failedBefore)
    #expect(try !#require(findings { $0.largestDrop = 0.05 }.first).failedBefore)
  }

  @Test("The moment is the longest stretch of the cell, with all answers as stretches of time")
  func moment() throws {
    let cell = try #require(growth { $0.largestDrop = 0.05 })
    let found = zip(Self.before, Self.after).compactMap {
      BrokenMoment(cell, from: $0.outcome, to: $1.outcome)
    }
    let moment = try #require(BrokenMoment.longest(found))
    #expect(moment.sequence == "a" && moment.frame == 4)
    #expect(abs(moment.start.value - 0.2) < 1e-9 && abs(moment.duration.value - 0.6) < 1e-9)
    #expect(moment.truth.map(\.label) == ["none", "high"])
    #expect(moment.before.map(\.label) == ["none", "high"])
    #expect(moment.after.map(\.label) == ["none", "forearm", "high"])
    #expect(abs(try #require(moment.after.last).end.value - moment.length.value) < 1e-9)
  }

  @Test("People who lose most come first, with both accuracies")
  func people() throws {
    let found = PersonChange.all(from: Self.side(Self.before), to: Self.side(Self.after))
    #expect(found.map(\.subject) == ["anna", "ben"])
    let first = try #require(found.first)
    #expect(first.before.plank.number == 1)
    #expect(abs(try #require(first.after.plank.number) - 0.4) < 1e-9)
  }
}

@Suite("Lost moments") struct LostMomentTests {
  private func lost(_ truth: String, _ before: String, _ after: String) -> [LostMoment] {
    LostMoment.all(
      from: Scenario(truth, answers: before, subject: "ann").outcome,
      to: Scenario(truth, answers: after, subject: "ann").outcome)
  }

  @Test("What was wrong before is not lost, and what got right neither")
  func onlyNew() throws {
    let found = lost("hhhhhhhhhh", "nnnhhhhhhh", "nnfhhhhnnn")
    let moment = try #require(found.first)
    #expect(found.count == 1)
    #expect(abs(moment.start.value - 0.7) < 1e-12)
    #expect(abs(moment.duration.value - 0.3) < 1e-12)
    #expect((moment.truth, moment.answer) == ("high", "none"))
    #expect((moment.sequence, moment.subject) == ("sequence", "ann"))
  }

  @Test("The longest comes first; a change of the truth ends one, unscored frames do too")
  func order() {
    let found = lost("ffhhhhh.hh", "ffhhhhhnhh", "nnnnnnnnnn")
    #expect(found.map { ($0.duration.value * 10).rounded() } == [5, 2, 2])
    #expect(found.map(\.truth) == ["high", "forearm", "high"])
  }
}
