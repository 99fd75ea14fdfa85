import Evaluation
import Foundation
import PoseModel
import Testing

@Suite("Evaluation report")
struct EvaluationReportTests {
  @Test("Truth against itself is perfect and never flickers", arguments: UInt64(0)..<30)
  func identity(seed: UInt64) throws {
    var scenario = Scenario.random(seed: seed, frames: 300)
    scenario.plankAnswers = String(scenario.plankTruth.map { ".x".contains($0) ? "n" : $0 })
    scenario.formAnswers = scenario.formTruth.map { $0.replacing(".", with: "a") }
    let result = report([scenario])
    for stream in [result.plank, result.form] {
      #expect(stream.view[.accuracy] == .value(1))
      #expect(stream.view[.balancedAccuracy] == .value(1))
      #expect(stream.view[.f1Macro] == .value(1))
      #expect(isNear(stream.view[.cohenKappa], 1))
      #expect(isNear(stream.view[.matthewsCorrelation], 1))
      #expect(stream.view[.excessTransitionsPerMinute] == .value(0))
      #expect(stream.view[.falseTransitionsPerMinute] == .value(0))
      #expect(stream.view[.missedTransitions] == .value(0))
      #expect(stream.view[.flickersPerMinute] == .value(0))
      #expect(stream.worstMoments.isEmpty)
    }
    #expect(result.form.endToEnd?[.accuracy] == .value(1))
  }

  @Test("A dataset without sequences, or without scored frames, has a report all the same")
  func nothingScored() {
    var empty = Scenario("", name: "empty")
    empty.weight = 1.0 / 30
    for result in [report([]), report([empty, Scenario("..x.")])] {
      for stream in [result.plank, result.form] {
        let metrics =
          stream.view.classification + stream.view.results(.classification, determined: true)
        #expect(metrics.allSatisfy { $0.value == .undefined(.noScoredFrames) })
        #expect(stream.view.determinedFrames.overall == .undefined(.noScoredFrames))
        #expect(stream.noEvidence.isEmpty && stream.worstMoments.isEmpty)
      }
      #expect(result.dataset.counts.scored == 0)
    }
  }

  @Test("Facts of the dataset are sums over the plank stream")
  func datasetFacts() {
    var first = Scenario("nnff.x", name: "one", subject: "s2")
    first.plankDetermined = "dd-=d-"
    first.formDetermined = "------"
    first.missing = 1
    var second = Scenario("ffff", name: "two", subject: "s1")
    second.plankDetermined = "====".replacing("=", with: "d")
    second.missing = 2
    let third = Scenario("..", name: "three")
    let facts = report([first, second, third]).dataset
    #expect(facts.sequenceCount == 3)
    #expect(facts.subjects == ["s1", "s2"])
    #expect(facts.counts.frames == 12)
    #expect(facts.counts.scored == 8)
    #expect(facts.counts.ignored == 1)
    #expect(facts.counts.unlabeled == 3)
    #expect(facts.counts.missing == 3)
    #expect(facts.counts.undetermined == 3)
    #expect(facts.counts.held == 1)
  }

  @Test("Sequences without evidence are listed by stream, and still count")
  func noEvidence() {
    var blind = Scenario("nnnn", name: "squat")
    blind.plankDetermined = "d---"
    let good = Scenario("ffff", name: "plank")
    let result = report([blind, good])
    #expect(result.plank.noEvidence == ["squat"])
    #expect(result.form.noEvidence.isEmpty)
    #expect(result.plank.view.confusion.total == 8)
    #expect(result.sequences.map(\.plank.isNoEvidence) == [true, false])
  }

  @Test("The report has every metric of both streams and of the session, and its JSON has them all")
  func codable() throws {
    var scenario = Scenario("nnff.xhh", answers: "nnfhffhh", name: "one", subject: "s1")
    scenario.tags = ["light": "dim"]
    var facts = EvaluationReport.Facts()
    facts.explain = ExplainCommand(places: ["one": ["data", "one"]])
    facts.cautions = ["careful"]
    let result = EvaluationReport(
      detector: anyDetector, sequences: [SequenceEvaluation(scenario.outcome, detail: .all)], facts)
    #expect(result.isDetailed)
    #expect(result.metrics.keys == MetricKey.all)
    let text = try JSONEncoder().encode(result)
    #expect(try JSONDecoder().decode(EvaluationReport.self, from: text) == result)
  }

  @Test("Details are there only if they were counted in every sequence, and change no metric")
  func details() {
    let scenarios = [
      Scenario("nnff.xhh", answers: "nnfhffhh", name: "one", subject: "s1"),
      Scenario("hhhh", answers: "hhhf", name: "two", subject: "s2"),
    ]
    func report(_ details: [SequenceScores.Detail]) -> EvaluationReport {
      let sequences = zip(scenarios, details).map { scenario, detail in
        SequenceEvaluation(scenario.outcome, detail: detail)
      }
      return EvaluationReport(detector: anyDetector, sequences: sequences)
    }
    let whole = report([.all, .all])
    let plain = report([.report, .report])
    #expect(whole.isDetailed && whole.form.details != nil)
    #expect(!plain.isDetailed && plain == report([.all, .report]))
    #expect(plain.metrics == whole.metrics && plain.plank.overTime == whole.plank.overTime)
    #expect(!EvaluationReport(detector: anyDetector, sequences: []).isDetailed)
  }

  @Test("Each sequence has a row with its own numbers")
  func rows() {
    var scenario = Scenario("ffff..", answers: "ffhhff", name: "a", subject: "s1")
    scenario.formTruth = "aa...."
    scenario.plankDetermined = "ddd-dd"
    let row = report([scenario]).sequences[0]
    #expect(row.name == "a" && row.subject == "s1" && row.frames == 6)
    #expect(row.plank.scoredFrames == 4 && row.form.scoredFrames == 2)
    #expect(row.plank.determinedShare == .value(0.75))
    #expect(row.plank.accuracy == .value(0.5))
    #expect(row.form.accuracy == .value(1))
    #expect(report([Scenario("....")]).sequences[0].plank.accuracy == .undefined(.noScoredFrames))
  }

  @Test("The end-to-end view of form leaves out frames with a wrong plank")
  func endToEnd() {
    var scenario = Scenario("ffff", answers: "ffhh")
    scenario.formTruth = "aass"
    scenario.formAnswers = "aaas"
    let result = report([scenario])
    #expect(isNear(result.form.view[.accuracy], 0.75))
    #expect(result.form.endToEnd?[.accuracy] == .value(1))
    #expect(result.form.endToEnd?.confusion.total == 2)
    #expect(result.plank.endToEnd == nil)
  }
}
