import Evaluation
import Foundation
import PoseModel
import TestSupport
import Testing

@Suite("Scores of other detectors, and what recordings lack")
struct DetectorScoreTests {
  /// Two sequences of one source and one of another, at different rates.
  private var scenarios: [Scenario] {
    var all = [
      Scenario("nnffhhhh", answers: "nnfnhhhf", name: "one"),
      Scenario("ffffnn", answers: "ffhhnn", rate: 5, name: "two"),
      Scenario("hhhhhhhhhh.x", answers: "hhhhhhhhhnnn", rate: 30, name: "three"),
    ]
    for index in all.indices { all[index].source = index < 2 ? "home" : "studio" }
    return all
  }

  @Test("The accuracy is that of an evaluation: of time, and the mean over sources")
  func accuracy() throws {
    let outcomes = scenarios.map(\.outcome)
    var tally = AccuracyTally()
    for outcome in outcomes {
      let codes = PerStream { outcome[$0].answers }
      tally += AccuracyTally(outcome, answers: codes, raw: codes, undetermined: 255)
    }
    let report = EvaluationReport(
      detector: DetectorFacts(name: "scripted", description: "Answers from a script."),
      sequences: outcomes.map { SequenceEvaluation($0, detail: .report) })
    let score = DetectorScore(name: "scripted", tally)
    let expected = try #require(report.plank.view[.accuracy].number)
    #expect(abs(try #require(score.accuracy.plank.number) - expected) < 1e-12)
    #expect(score.accuracy.form == .undefined(.noScoredFrames))
    #expect(score.determined.plank == .value(1))
  }

  @Test("Undetermined frames are counted, and nothing counted is undefined")
  func determined() throws {
    let outcome = Scenario("nnffhhhh").outcome
    let answers = PerStream { outcome[$0].answers }
    let raw = PerStream { stream in answers[stream].enumerated().map { $0 < 6 ? 255 : $1 } }
    let tally = AccuracyTally(outcome, answers: answers, raw: raw, undetermined: 255)
    #expect(DetectorScore(name: "some", tally).determined.plank == .value(0.25))
    let nothing = DetectorScore(name: "none", AccuracyTally())
    #expect(nothing.accuracy.plank == .undefined(.noScoredFrames))
  }

  @Test("Needs of recordings add up by fact, and JSON keeps them")
  func needs() throws {
    let height = UnmetNeed(.bodyHeight, rules: 3, recordings: 1)
    let wrist = UnmetNeed(.joint, joint: "leftWrist", rules: 2, recordings: 1)
    let sum = UnmetNeed.sum([
      [height], [], [height, wrist], [UnmetNeed(.pose, rules: 5, recordings: 1)],
    ])
    #expect(sum.map(\.recordings) == [2, 1, 1] && sum.map(\.rules) == [3, 2, 5])
    let again = try JSONDecoder().decode([UnmetNeed].self, from: JSONEncoder().encode(sum))
    #expect(again == sum)
  }

  @Test("The timer's mean with a sign is never larger than the mean without, whatever the sources")
  func timer() throws {
    var outcomes: [SequenceOutcome] = []
    for index in 0..<8 {
      var short = Scenario("nnffffffff", answers: "nnffffffnn", name: "short\(index)")
      short.source = "large"
      outcomes.append(short.outcome)
    }
    var long = Scenario("nnffnnnnnn", answers: "ffffffffff", name: "long")
    long.source = "small"
    let report = EvaluationReport(
      detector: DetectorFacts(name: "scripted", description: "Answers from a script."),
      sequences: (outcomes + [long.outcome]).map { SequenceEvaluation($0, detail: .report) })
    let holds = report.plank.overTime.holds
    let error = try #require(holds.error.number)
    // 0.2 s short in one source, 0.8 s long in the other.
    #expect(abs(error - 0.5) < 1e-9)
    #expect(abs(try #require(holds.signedError.number) - 0.3) < 1e-9)
    #expect(report.plank.view[.holdError].number == error)
    #expect(holds.counts.sequences == 9)
  }
}
