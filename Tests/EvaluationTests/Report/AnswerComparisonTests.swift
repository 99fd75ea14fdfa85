import Evaluation
import PoseModel
import Testing

@Suite("Answer comparison")
struct AnswerComparisonTests {
  private func device(_ plank: String, form: String) -> [DeviceAnswer?] {
    zip(plank, form).map { plank, form in
      plank == " " && form == " "
        ? nil
        : DeviceAnswer(
          plank: plank == " " ? nil : PlankClass(code: Scenario.plankCode(plank)),
          form: form == " " ? nil : FormClass(code: Scenario.formCode(form)))
    }
  }

  @Test("Only frames with an answer of the device are compared, each stream for itself")
  func frames() throws {
    var scenario = Scenario("ffffff", answers: "ffhhff")
    scenario.formAnswers = "aasaaa"
    let comparison = AnswerComparison(
      scenario.outcome, device: device("ff fh ", form: "a  a p"))
    #expect(comparison.plank.framesCompared == 4)
    #expect(comparison.plank.framesDiffering == 2)
    #expect(comparison.form.framesCompared == 3)
    #expect(comparison.form.framesDiffering == 1)
    #expect(comparison.sequencesCompared == 1)
    #expect(!comparison.isEqual)
    let first = try #require(comparison.plank.firstDifferences.first)
    #expect(first.frame == 3 && abs(first.time.value - 0.3) < 1e-12)
    #expect(first.device == "forearm" && first.answer == "high")
    #expect(comparison.form.firstDifferences.map(\.device) == ["pike"])
  }

  @Test("Unscored frames are compared too: the truth plays no part")
  func unscored() {
    let outcome = Scenario("....", answers: "ffff").outcome
    let comparison = AnswerComparison(outcome, device: device("ffff", form: "    "))
    #expect(comparison.plank.framesCompared == 4)
    #expect(comparison.isEqual)
  }

  @Test("A recording without answers adds nothing")
  func withoutAnswers() {
    let outcome = Scenario("ff").outcome
    #expect(AnswerComparison(outcome, device: [nil, nil]) == AnswerComparison())
  }

  @Test("Comparisons add up; the first few differences are kept in order")
  func sum() {
    var total = AnswerComparison()
    for name in ["a", "b", "c"] {
      let scenario = Scenario("fff", answers: "hhh", name: name)
      total += AnswerComparison(scenario.outcome, device: device("fff", form: "aaa"))
    }
    #expect(total.sequencesCompared == 3)
    #expect(total.plank.framesCompared == 9 && total.plank.framesDiffering == 9)
    #expect(total.plank.firstDifferences.count == AnswerComparison.differenceLimit)
    #expect(total.plank.firstDifferences.map(\.sequence) == ["a", "a", "a", "b", "b"])
    #expect(total.form.framesDiffering == 0)
  }
}
