import Evaluation
import Testing

@Suite("Flicker")
struct FlickerTests {
  private func flickers(_ truth: String, _ answers: String, rate: Double = 10) -> Int {
    SequenceScores(Scenario(truth, answers: answers, rate: rate).outcome).plank.stability.flickers
  }

  @Test("An answer that leaves and comes back within half a second is a flicker")
  func flicker() {
    #expect(flickers("ffffffffff", "fffhhhhfff") == 1)
  }

  @Test("A stay of half a second is none, whatever the rounding of times", arguments: 1..<40)
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
