import PoseModel
import Testing

@testable import Evaluation

@Suite("Flicker without labels")
struct AnswerFlickerTests {
  /// Ten frames per second; `.` marks unlabeled frames.
  private func flicker(
    _ answers: String, form: String? = nil, missing: String? = nil, name: String = "sequence"
  ) -> AnswerFlicker {
    var scenario = Scenario(
      String(repeating: ".", count: answers.count), answers: answers, name: name)
    scenario.formAnswers = form
    return AnswerFlicker(
      scenario.outcome, isMissing: (missing ?? answers).map { $0 == "-" })
  }

  @Test("Changes count though no frame has a label")
  func changes() {
    let result = flicker("nnnnnffffffhhhhhhhhh")
    #expect(result.plank.changes == 2)
    #expect(result.plank.shortAnswers == 0)
    #expect(isNear(result.plank.changesPerMinute, 60))
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

  @Test("A rate of nothing is undefined and says why")
  func nothing() {
    #expect(AnswerFlicker().plank.changesPerMinute == .undefined(.noAnsweredTime))
    #expect(AnswerFlicker().dropoutsPerMinute == .undefined(.noAnsweredTime))
  }

  @Test(
    "Jitter without labels is measured while the answer is a plank, including gaps up to half a second"
  )
  func holds() {
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
    #expect(view.classMean == nil)
  }

  @Test("The macro F1 is not a headline if a class is answered that nobody labeled")
  func stray() {
    let strayed = report([Scenario("nnff", answers: "nhff")]).plank.view
    #expect(strayed.classMean == .balancedAccuracy)
    #expect(report([Scenario("nnff", answers: "nfff")]).plank.view.classMean == .f1Macro)
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
