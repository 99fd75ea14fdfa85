import PoseModel
import Statistics
import Testing

@testable import Evaluation

@Suite("Trials of gates")
struct GateTrialsTests {
  /// Recordings of people, 20 frames of nothing and 80 of a high plank each, all answered right.
  private func outcomes(_ people: Int) -> [SequenceOutcome] {
    (0..<people).map { person in
      Scenario(
        String(repeating: "n", count: 20) + String(repeating: "h", count: 80),
        name: "p\(person)", subject: "s\(person)"
      ).outcome
    }
  }

  private func trials(_ people: Int, spread: Double = 0.06) -> GateTrials {
    var rule = GateRule(name: "r", subject: .metric(MetricKey(.accuracy, in: .plank)))
    rule.margin = 0.02
    rule.largestDrop = 0.2
    var limit = rule
    limit.margin = nil
    limit.largestDrop = nil
    limit.atLeast = 2
    return GateTrials(
      outcomes(people), rules: [rule, limit], spread: spread, resamples: 200, seed: 1)
  }

  @Test("A planted share is the share that becomes wrong", arguments: [0.0, 0.1, 0.25, 1])
  func share(share: Double) {
    let outcome = outcomes(1)[0]
    let others = PlantedLoss.others([outcome], .plank)
    let wrong = PlantedLoss.planted(
      in: outcome, .plank, share: share, others: others,
      random: RandomStream(seed: 3, purpose: "test"))
    let matrix = SequenceScores(wrong).plank.confusion
    #expect(matrix.total - matrix.right == Int(100 * share))
    // Wrong answers are of classes that are true somewhere.
    #expect(ScoreView(PooledCounts([SequenceScores(wrong)], .plank)).strayLabels.isEmpty)
  }

  @Test("The same answers twice pass; limits are not tried")
  func same() {
    let trials = trials(6)
    #expect(trials.rules.count == 1 && trials.people == 6)
    #expect(trials.same().map(\.verdict) == [.pass])
  }

  @Test("The same number gives the same trial, another number another one")
  func seeded() {
    let trials = trials(6)
    #expect(trials.findings(loss: 0.1, number: 4) == trials.findings(loss: 0.1, number: 4))
    #expect(trials.findings(loss: 0.1, number: 4) != trials.findings(loss: 0.1, number: 5))
  }

  @Test("Harmless changes lose nothing on the mean, and a planted loss is lost")
  func means() {
    let trials = trials(6)
    for loss in [0, 0.15] {
      let found = (0..<60).compactMap { trials.findings(loss: loss, number: $0)[0].difference }
      let mean = found.reduce(0, +) / Double(found.count)
      // The standard error is 0.06 / sqrt(6 * 60) = 0.0032.
      #expect(abs(mean + loss) < 0.013, "\(loss): \(mean)")
    }
  }

  @Test("Large losses are found and harmless changes pass")
  func found() {
    let trials = trials(8)
    func alarms(_ loss: Double) -> Int {
      (0..<40).count { trials.findings(loss: loss, number: $0)[0].verdict == .regressed }
    }
    #expect(alarms(0) <= 4)
    #expect(alarms(0.3) == 40)
  }
}

@Suite("One more person for whom nothing changed")
struct UnmovedPersonTests {
  @Test("The least loss is the one whose probability is the risk", arguments: [4, 6, 12, 20])
  func least(people: Int) throws {
    let some = UnmovedPerson(loss: 0, standardError: 0.024, people: people)
    let least = try #require(some.leastLoss(beyond: 0.02, risk: 0.025))
    let there = UnmovedPerson(loss: least, standardError: 0.024, people: people)
    #expect(abs(there.probability(beyond: 0.02) - 0.025) < 1e-9)
  }

  @Test("Three people who lose alike never speak for the rest; six do for a loss of two margins")
  func few() throws {
    let three = UnmovedPerson(loss: 0.5, standardError: 0, people: 3)
    #expect(three.leastLoss(beyond: 0.02, risk: 0.025) == nil)
    #expect(three.probability(beyond: 0.02) > 0.025)
    let six = UnmovedPerson(loss: 0.04, standardError: 0, people: 6)
    // (6 + 1) / (6 - 2.447) margins.
    #expect(abs(try #require(six.leastLoss(beyond: 0.02, risk: 0.025)) - 0.0394) < 1e-4)
    #expect(six.probability(beyond: 0.02) < 0.025)
  }

  @Test("The mean and its error are those of the people with one more")
  func mean() {
    // Losses of 0.1, 0.2, 0.3 and 0: mean 0.15, standard error 0.06455, t(3) = 2.3238 for 0.
    let three = UnmovedPerson(loss: 0.2, standardError: 0.1 / 3.0.squareRoot(), people: 3)
    #expect(
      abs(three.probability(beyond: 0) - StudentT.cumulative(-2.323790, freedom: 3)) < 1e-6)
  }
}
