import Evaluation
import Foundation
import PoseModel
import TestSupport
import Testing

@Suite("Evaluation report") struct EvaluationReportTests {
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
    var result = EvaluationReport(
      detector: anyDetector, sequences: [SequenceEvaluation(scenario.outcome, detail: .all)])
    result.explain = ExplainCommand(places: ["one": ["data", "one"]])
    result.cautions = ["careful"]
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
}

@Suite("Answer comparison") struct AnswerComparisonTests {
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
    let comparison = AnswerComparison(scenario.outcome, device: device("ff fh ", form: "a  a p"))
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

@Suite("Frame cost")
struct FrameCostTests {
  @Test("Percentiles are over batches, with linear interpolation")
  func percentiles() throws {
    let cost = try #require(FrameCost(secondsPerFrame: (0...100).map { Double($0) * 1e-6 }))
    #expect(cost.batches == 101)
    #expect(abs(cost.p50.value - 50e-6) < 1e-15)
    #expect(abs(cost.p90.value - 90e-6) < 1e-15)
    #expect(abs(cost.p99.value - 99e-6) < 1e-15)
    #expect(abs(cost.maximum.value - 100e-6) < 1e-15)
    let two = try #require(FrameCost(secondsPerFrame: [2, 1]))
    #expect(abs(two.p50.value - 1.5) < 1e-12 && abs(two.p90.value - 1.9) < 1e-12)
  }

  @Test("The budget of a frame is a thirtieth of a second")
  func budget() throws {
    let cost = try #require(FrameCost(secondsPerFrame: [1.0 / 300]))
    #expect(abs(cost.p99BudgetShare - 0.1) < 1e-12)
  }

  @Test("Without a batch, or with an invalid time, there is no cost")
  func undefined() {
    #expect(FrameCost(secondsPerFrame: []) == nil)
    #expect(FrameCost(secondsPerFrame: [1e-6, .nan]) == nil)
  }
}

@Suite("Scores of other detectors, and what recordings lack") struct DetectorScoreTests {
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
      detector: anyDetector,
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
      detector: anyDetector,
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
