import Evaluation
import TestSupport
import Testing

/// The size of a maximum matching by augmenting paths, which assumes nothing about the line.
@Suite("Transition matching oracle")
struct TransitionOracleTests {
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

  @Test("The greedy matching is a maximum matching", arguments: UInt64(0)..<200)
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
