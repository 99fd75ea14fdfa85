import PoseModel
import TestSupport
import Testing

@testable import Evaluation

@Suite("Transitions") struct TransitionTests {
  private func counts(_ scenario: Scenario) -> StabilityCounts {
    SequenceScores(scenario.outcome).plank.stability
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

@Suite("Flicker") struct FlickerTests {
  private func flickers(_ truth: String, _ answers: String, rate: Double = 10) -> Int {
    SequenceScores(Scenario(truth, answers: answers, rate: rate).outcome).plank.stability.flickers
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
}

/// The size of a maximum matching by augmenting paths, which assumes nothing about the line.
@Suite("Transition matching oracle") struct TransitionOracleTests {
  private struct Change {
    let time: Double
    let to: Character
  }

  private func changes(_ text: String, _ scenario: Scenario) -> [Change] {
    let letters = Array(text)
    let truth = Array(scenario.plankTruth)
    return letters.indices.dropFirst().compactMap { frame in
      let isScored = !".x".contains(truth[frame]) && !".x".contains(truth[frame - 1])
      guard isScored, letters[frame] != letters[frame - 1] else { return nil }
      return Change(time: scenario.times[frame], to: letters[frame])
    }
  }

  private func maximumMatching(_ predicted: [Change], _ truth: [Change]) -> Int {
    var partner = [Int?](repeating: nil, count: truth.count)
    func augment(_ index: Int, _ seen: inout Set<Int>) -> Bool {
      for other in truth.indices where !seen.contains(other) {
        guard truth[other].to == predicted[index].to,
          abs(truth[other].time - predicted[index].time) <= 0.5 + 1e-9
        else { continue }
        seen.insert(other)
        let taken = partner[other]
        if taken.map({ augment($0, &seen) }) ?? true {
          partner[other] = index
          return true
        }
      }
      return false
    }
    return predicted.indices.count { index in
      var seen: Set<Int> = []
      return augment(index, &seen)
    }
  }

  @Test("The greedy matching is a maximum matching", arguments: Draws.seeds(200 as UInt64))
  func greedyIsMaximum(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let letters = Array("nnf")
    func text() -> String { String((0..<60).map { _ in letters[random.index(below: 3)] }) }
    let scenario = Scenario(text(), answers: text(), rate: 2 + 10 * random.unit())
    let predicted = changes(scenario.plankAnswers, scenario)
    let truth = changes(scenario.plankTruth, scenario)
    let matched = maximumMatching(predicted, truth)
    let result = SequenceScores(scenario.outcome).plank.stability
    #expect(result.falseTransitions == predicted.count - matched)
    #expect(result.missedTransitions == truth.count - matched)
  }
}

@Suite("Flicker without labels") struct AnswerFlickerTests {
  /// Ten frames per second; `.` marks unlabeled frames.
  private func flicker(
    _ answers: String, form: String? = nil, missing: String? = nil, name: String = "sequence"
  ) -> AnswerFlicker {
    var scenario = Scenario(
      String(repeating: ".", count: answers.count), answers: answers, name: name)
    scenario.formAnswers = form
    return AnswerFlicker(scenario.outcome, isMissing: (missing ?? answers).map { $0 == "-" })
  }

  @Test("An answer between two changes is short under half a second, which is excluded")
  func shortAnswers() {
    #expect(flicker("nnnnnnffffnnnnn").plank.shortAnswers == 1)
    #expect(flicker("nnnnnnfffffnnnn").plank.shortAnswers == 0)
    #expect(flicker("nnnnnnffffhhhhh").plank.shortAnswers == 1)
  }

  @Test("What the recording cuts off is not short")
  func edges() { #expect(flicker("nnfffffffnn").plank.shortAnswers == 0) }

  @Test("Forms count only while the answer is a plank")
  func forms() {
    let result = flicker("nnnnnnffffffffff", form: "asaasasaaaaassss")
    #expect(result.form.changes == 2)
    #expect(isNear(.value(result.form.seconds), 1))
    #expect(result.form.secondsByAnswer.count == 3)
  }

  @Test("Stretches without a pose are counted, timed, and the longest is kept")
  func dropouts() {
    let result = flicker("ffffffffff", missing: "f-ff---fff").dropouts
    #expect(result.count == 2)
    #expect(isNear(.value(result.seconds), 0.4))
    #expect(isNear(.value(result.longest), 0.3))
  }

  @Test("Restless moments have the most changes within two seconds, do not overlap, and come first")
  func moments() {
    let still = String(repeating: "f", count: 30)
    let result = flicker(still + "hfhf" + still + "hf" + still)
    #expect(result.restlessMoments.map(\.changes) == [4, 2])
    #expect(isNear(.value(result.restlessMoments[0].start.value), 3))
    let one = flicker(still + "hhhhhhhhhhhhhhhhhhhhhhhhh" + still)
    #expect(one.restlessMoments.isEmpty)
  }

  @Test("The parts of a dataset add up, and the worst of all moments are kept")
  func sums() {
    var sum = flicker("fffffhffff", name: "b")
    sum += flicker("ffhfhfffff", missing: "-fffffffff", name: "a")
    #expect(sum.plank.changes == 6)
    #expect(sum.dropouts.count == 1)
    #expect(sum.restlessMoments.map(\.sequence) == ["a", "b"])
    #expect(isNear(.value(sum.plank.secondsByAnswer.values.reduce(0, +)), sum.plank.seconds))
  }

  @Test(
    "Jitter without labels is measured while the answer is a plank, including gaps up to half a second"
  ) func holds() {
    let outcome = Scenario("...........................", answers: "nnfffhhhnnnnnfffnnnnnnnfffn")
      .outcome
    #expect(HoldSegments.find(in: outcome.answeredHolds) == [2..<16, 23..<26])
  }
}

@Suite("Headlines")
struct HeadlineTests {
  @Test("A mean over classes is a headline only if two are labeled")
  func oneClass() {
    let view = report([Scenario("nnnn", answers: "nnff")]).plank.view
    #expect(view.trueLabels == ["none"])
    #expect(view.strayLabels == ["forearm"])
    #expect(view.tells(.accuracy) && !view.tells(.balancedAccuracy) && !view.tells(.f1Macro))
  }

  @Test("The macro F1 is not a headline if a class is answered that nobody labeled")
  func stray() {
    let strayed = report([Scenario("nnff", answers: "nhff")]).plank.view
    #expect(strayed.tells(.balancedAccuracy) && !strayed.tells(.f1Macro))
    #expect(report([Scenario("nnff", answers: "nfff")]).plank.view.tells(.f1Macro))
  }

  @Test("Events and latencies are headlines only if there is an event")
  func events() {
    let none = report([Scenario("nnnn")]).plank
    #expect(!none.headlines.map(\.metric).contains(.eventF1))
    #expect(!none.headlines.map(\.metric).contains(.hitRate))
    #expect(none.headlines.map(\.metric).contains(.flickersPerMinute))
    #expect(report([Scenario("nnff")]).plank.headlines.map(\.metric).contains(.hitRate))
  }
}
