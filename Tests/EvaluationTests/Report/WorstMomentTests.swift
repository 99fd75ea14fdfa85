import Evaluation
import PoseModel
import Testing

@Suite("Worst moments")
struct WorstMomentTests {
  private func moments(_ scenarios: [Scenario]) -> [WorstMoment] {
    report(scenarios).plank.worstMoments
  }

  @Test("A moment is a stretch of wrong scored frames of one truth")
  func stretches() {
    let found = moments([Scenario("ffffhhhh.ll", answers: "fhhhffhhhrr")])
    #expect(found.map(\.firstFrame) == [1, 4, 9])
    #expect(found.map(\.frameCount) == [3, 2, 2])
    #expect(found.map(\.truth) == ["forearm", "high", "sideLeft"])
    #expect(found.map(\.answer) == ["high", "forearm", "sideRight"])
    #expect(found.map(\.sequence) == ["sequence", "sequence", "sequence"])
  }

  @Test("Unscored frames end a stretch")
  func unscored() {
    let found = moments([Scenario("ff.ff", answers: "hhhhh")])
    #expect(found.map(\.firstFrame) == [0, 3])
  }

  @Test("The answer is the most frequent one, and the frame to examine gave it")
  func majority() throws {
    let found = moments([Scenario("ffffffff", answers: "fhnhhnrf")])
    let moment = try #require(found.first)
    #expect(moment.answer == "high")
    #expect(moment.frameCount == 6)
    #expect(moment.frame == 3)
    #expect(abs(moment.frameTime.value - 0.3) < 1e-12)
  }

  @Test("A frame to examine is determined if one of the majority is")
  func determinedFrame() {
    var scenario = Scenario("ffff", answers: "nnnn")
    scenario.plankDetermined = "---d"
    #expect(moments([scenario]).first?.frame == 3)
    scenario.plankDetermined = "----"
    #expect(moments([scenario]).first?.frame == 2)
  }

  @Test("A tie goes to the first class in order")
  func tie() {
    #expect(moments([Scenario("ffff", answers: "hnhn")]).first?.answer == "none")
  }

  @Test("Rank is by seconds wrong, then by name, then by time; ten are kept")
  func ranking() {
    let many = Scenario(
      String(repeating: "ff", count: 12), answers: String(repeating: "fh", count: 12), rate: 8,
      name: "b")
    let long = Scenario("ffff", answers: "fhhf", rate: 8, name: "c")
    let equal = Scenario("ff", answers: "hf", rate: 8, name: "a")
    let found = moments([many, long, equal])
    #expect(found.count == 10)
    #expect(found.map(\.sequence).prefix(3) == ["c", "a", "b"])
    #expect(found.dropFirst(2).map(\.firstFrame) == [1, 3, 5, 7, 9, 11, 13, 15])
  }

  @Test("Seconds count a frame up to the next one, half a second at most")
  func seconds() throws {
    var scenario = Scenario("fff", answers: "hhf")
    scenario.times = [0, 0.25, 3]
    let moment = try #require(moments([scenario]).first)
    #expect(moment.duration == Seconds(0.75))
    #expect(moment.start == Seconds(0))
  }

  @Test("Form has moments of its own, where the truth has a form")
  func form() {
    var scenario = Scenario("ffff")
    scenario.formTruth = "as.p"
    scenario.formAnswers = "aasp"
    let found = report([scenario]).form.worstMoments
    #expect(found.map(\.firstFrame) == [1])
    #expect(found.map(\.stream) == [.form])
    #expect(found.map(\.truth) == ["sag"])
  }

  @Test("A moment carries the threshold that the caller finds nearest in its frame")
  func threshold() throws {
    let outcome = Scenario("ffhh", answers: "hhhh").outcome
    let plain = SequenceEvaluation(outcome, detail: .report)
    #expect(plain.worstMoments.plank.map(\.nearestThreshold) == [nil])
    let found = SequenceEvaluation(outcome, detail: .report) { stream, frame in
      WorstMoment.NearestThreshold(text: stream.rawValue, margin: Double(frame), unit: "deg")
    }
    let moment = try #require(found.worstMoments.plank.first)
    #expect(moment.nearestThreshold?.text == "plank")
    #expect(moment.nearestThreshold?.margin == Double(moment.frame))
  }
}
