import Evaluation
import PoseModel
import Testing

@Suite("Lost moments")
struct LostMomentTests {
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

  @Test("The same answers lose nothing")
  func same() { #expect(lost("nnhhff", "nhhhfn", "nhhhfn") == []) }

  @Test("The form stream has moments of its own")
  func form() {
    var before = Scenario("hhhhhh")
    before.formTruth = "ssssss"
    before.formAnswers = "ssssss"
    var after = before
    after.formAnswers = "ssaaas"
    let found = LostMoment.all(from: before.outcome, to: after.outcome)
    #expect(found.map(\.stream) == [.form])
    #expect(found.map(\.truth) == ["sag"])
    #expect(found.map(\.answer) == ["aligned"])
  }
}
