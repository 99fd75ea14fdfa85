import PoseModel
import Testing

@testable import Evaluation

@Suite("The cell that grew most")
struct CellGrowthTests {
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
    CellGrowth.largest(
      from: Self.side(Self.before), to: Self.side(Self.after), findings(change))
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
