import PoseModel
import Testing

@testable import Evaluation

@Suite("Transitions")
struct TransitionTests {
  private func counts(_ scenario: Scenario) -> StabilityCounts {
    SequenceScores(scenario.outcome).plank.stability
  }

  @Test("A change within half a second of a true one to the same class is not false")
  func matched() {
    let result = counts(Scenario("nnnnnnffffff", answers: "nnnnnnnnffff"))
    #expect(result.predictedTransitions == 1)
    #expect(result.trueTransitions == 1)
    #expect(result.falseTransitions == 0)
    #expect(result.missedTransitions == 0)
  }

  @Test("The half second is included, whatever the rounding of frame times", arguments: 0..<40)
  func bound(start: Int) {
    // 15 frames at 30 Hz late.
    let truth = String(repeating: "n", count: start + 5) + String(repeating: "f", count: 40)
    let late = String(repeating: "n", count: start + 20) + String(repeating: "f", count: 25)
    let result = counts(Scenario(truth, answers: late, rate: 30))
    #expect(result.falseTransitions == 0)
    let later = String(repeating: "n", count: start + 21) + String(repeating: "f", count: 24)
    #expect(counts(Scenario(truth, answers: later, rate: 30)).falseTransitions == 1)
  }

  @Test("A change to another class is false, and the true one is missed")
  func wrongClass() {
    let result = counts(Scenario("nnnnffff", answers: "nnnnhhhh"))
    #expect(result.falseTransitions == 1)
    #expect(result.missedTransitions == 1)
  }

  @Test("One true change matches one predicted change only")
  func oneToOne() {
    let result = counts(Scenario("nnnnffffff", answers: "nnfnfnffff"))
    #expect(result.predictedTransitions == 5)
    #expect(result.trueTransitions == 1)
    #expect(result.falseTransitions == 4)
  }

  @Test("A change from, to or across an unscored frame is none")
  func unscored() {
    let result = counts(Scenario("nn.ffx.hh", answers: "nnfffhhhh"))
    #expect(result.predictedTransitions == 0)
    #expect(result.trueTransitions == 0)
  }

  @Test("Rates are a minute of evaluated time, in which a frame lasts at most half a second")
  func rates() {
    var scenario = Scenario("nnff", answers: "nfnf")
    scenario.times = [0, 0.2, 5, 5.25]
    scenario.weight = 0.25
    let metrics = counts(scenario)
    #expect(abs(metrics.evaluatedSeconds - (0.2 + 0.5 + 0.25 + 0.25)) < 1e-12)
    #expect(isNear(metrics[.transitionsPerMinute], 3 / (1.2 / 60)))
    #expect(isNear(metrics[.excessTransitionsPerMinute], 2 / (1.2 / 60)))
  }

  @Test("Fewer changes than there truly are is not a negative excess")
  func noNegativeExcess() {
    let metrics = counts(Scenario("nnffhh", answers: "nnnnnn"))
    #expect(metrics[.excessTransitionsPerMinute] == .value(0))
    #expect(metrics[.missedTransitions] == .value(2))
  }

  @Test("Nothing scored leaves every metric undefined")
  func nothingScored() {
    let metrics = counts(Scenario("....", answers: "nfnf"))
    #expect(Metric.stability.allSatisfy { metrics[$0] == .undefined(.noScoredFrames) })
  }
}

@Suite("Flicker")
struct FlickerTests {
  private func flickers(_ truth: String, _ answers: String, rate: Double = 10) -> Int {
    SequenceScores(Scenario(truth, answers: answers, rate: rate).outcome).plank.stability.flickers
  }

  @Test("An answer that leaves and comes back within half a second is a flicker")
  func flicker() {
    #expect(flickers("ffffffffff", "fffhhhhfff") == 1)
  }

  @Test(
    "A stay of half a second is not a flicker, whatever the rounding of times", arguments: 1..<40)
  func bound(start: Int) {
    let before = String(repeating: "f", count: start)
    let stay = String(repeating: "h", count: 15)
    let truth = String(repeating: "f", count: start + 16)
    #expect(flickers(truth, before + stay + "f", rate: 30) == 0)
    #expect(flickers(truth, before + stay.dropLast() + "ff", rate: 30) == 1)
  }

  @Test("A truth that changes anywhere from the last A to the first A after is none")
  func changingTruth() {
    #expect(flickers("ffhffff", "ffhffff") == 0)
    #expect(flickers("nfffff", "ffhfff") == 1)
    #expect(flickers("nnffff", "ffhfff") == 0)
    #expect(flickers("fffnnn", "ffhfff") == 0)
    #expect(flickers("ffffnn", "ffhfff") == 1)
  }

  @Test("Every frame from the last A to the first A after must be scored")
  func unscored() {
    #expect(flickers("fffff.", "ffhfff") == 1)
    #expect(flickers("ff.fff", "ffhfff") == 0)
    #expect(flickers("f.ffff", "ffhfff") == 0)
    #expect(flickers("fffxff", "ffhfff") == 0)
    #expect(flickers("......", "ffhfff") == 0)
  }

  @Test("An answer that goes on to a third class, or ends the sequence, is none")
  func noReturn() {
    #expect(flickers("ffffff", "ffhlll") == 0)
    #expect(flickers("ffffff", "ffffhh") == 0)
    #expect(flickers("ffffff", "hhffff") == 0)
  }

  @Test("Back and forth counts every inner run")
  func backAndForth() {
    #expect(flickers("ffffff", "fhfhff") == 3)
  }
}
