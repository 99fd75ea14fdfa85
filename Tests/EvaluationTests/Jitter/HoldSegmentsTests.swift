import Evaluation
import Testing

@Suite("Hold segments")
struct HoldSegmentsTests {
  @Test("A hold is one plank class and one form, without gaps")
  func holds() {
    var scenario = Scenario("nnffff.ffxhhn")
    scenario.formTruth = "..aass.ss.a.."
    #expect(HoldSegments.find(in: scenario.truth) == [2..<4, 4..<6, 7..<9, 10..<11, 11..<12])
  }

  @Test("The last hold ends with the sequence; none is no hold")
  func edges() {
    #expect(HoldSegments.find(in: Scenario("fff").truth) == [0..<3])
    #expect(HoldSegments.find(in: Scenario("nnn").truth).isEmpty)
    #expect(HoldSegments.find(in: Scenario("").truth).isEmpty)
  }
}
