import Evaluation
import PoseModel
import Testing

@Suite("Slices") struct ScoreSliceTests {
  private var slices: [ScoreSlice] {
    var first = Scenario("ffff", answers: "ffff", name: "one", subject: "s2")
    first.tags = ["light": "dim", "distance_m": "2"]
    var second = Scenario("ffff", answers: "hhhh", name: "two", subject: "s1")
    second.tags = ["light": "bright"]
    second.plankDetermined = "d---"
    let third = Scenario("ffff", answers: "ffhh", name: "three", subject: "s2")
    let fourth = Scenario("hhhh", name: "four")
    var unscored = Scenario("xx", name: "five", subject: "s0")
    unscored.tags = ["light": "none"]
    return report([first, second, third, fourth, unscored]).plank.slices.full
  }

  @Test(
    "Slices with scored frames come by subject, the unknown last, then by tag in order of names")
  func order() {
    #expect(
      slices.map(\.key) == [
        .subject, .subject, .subject, .tag("distance_m"), .tag("light"), .tag("light"),
      ])
    #expect(slices.map(\.value) == ["s1", "s2", nil, "2", "bright", "dim"])
    #expect(slices.map(\.sequenceCount) == [1, 2, 1, 1, 1, 1])
  }

  @Test("Sources come first, each with its own scores")
  func sources() {
    var first = Scenario("ffff", answers: "ffff", name: "one", subject: "s1")
    var second = Scenario("ffffffff", answers: "hhhhhhhh", name: "two", subject: "s2")
    (first.source, second.source) = ("b", "a")
    let found = report([first, second]).plank.slices.full
    #expect(found.map(\.key) == [.source, .source, .subject, .subject])
    #expect(found.map(\.value) == ["a", "b", "s1", "s2"])
    #expect(isNear(found[0].view[.accuracy], 0) && isNear(found[1].view[.accuracy], 1))
  }

  @Test("A slice has the pooled scores of its sequences")
  func scores() {
    for (slice, accuracy) in zip(slices, [0, 0.75, 1, 1, 0, 1]) {
      #expect(isNear(slice.view[.accuracy], accuracy))
    }
  }

  @Test("Slices by subject add up to the whole")
  func whole() {
    let scenarios = (UInt64(0)..<8).map { Scenario.random(seed: $0, name: "r\($0)") }
    let stream = report(scenarios).plank
    let parts = stream.slices.full.filter { $0.key == .subject }
    #expect(parts.reduce(0) { $0 + $1.view.confusion.total } == stream.view.confusion.total)
    #expect(parts.reduce(0) { $0 + $1.sequenceCount } == scenarios.count)
  }

  @Test("Of up to 50 values of a key all are scored one by one")
  func fewValues() {
    let slices = Self.manyPeople(50)
    #expect(slices.full.count == 50 && slices.summaries.isEmpty)
  }

  @Test("Of more values the 50 least accurate are scored one by one, the others summed up")
  func manyValues() throws {
    let slices = Self.manyPeople(60)
    #expect(slices.full.count == 50)
    #expect(slices.full.allSatisfy { $0.view[.accuracy].number ?? 1 < 0.834 })
    let summary = try #require(slices.summaries.first)
    #expect(slices.summaries.count == 1 && summary.key == .subject)
    #expect(summary.valueCount == 10 && summary.sequenceCount == 10)
    #expect(summary.scoredFrames == 600)
    #expect(abs(summary.leastAccuracy - 50.0 / 60) < 1e-12)
    #expect(abs(summary.greatestAccuracy - 59.0 / 60) < 1e-12)
    #expect(abs(summary.medianAccuracy - 54.5 / 60) < 1e-12)
  }

  /// People with sixty frames each, of which as many as the number of the person are right.
  private static func manyPeople(_ count: Int) -> ScoreSlices {
    let people = (0..<count).reversed().map { right in
      Scenario(
        String(repeating: "h", count: 60),
        answers: String(repeating: "h", count: right) + String(repeating: "n", count: 60 - right),
        name: "q\(right)", subject: "s\(right)")
    }
    return report(people).plank.slices
  }
}

@Suite("Means over sources")
struct SourceMeanTests {
  private func scenario(
    _ source: String?, _ truth: String, _ answers: String, form: String? = nil
  ) -> Scenario {
    var scenario = Scenario(truth, answers: answers, name: "\(source ?? "-")\(truth)")
    scenario.source = source
    scenario.formTruth = form
    return scenario
  }

  @Test("A metric is the mean of its values in each source, whatever their sizes")
  func mean() {
    let small = scenario("small", "ff", "ff")
    let large = scenario("large", "ffffffff", "ffhhhhhh")
    let view = report([small, large]).plank.view
    #expect(isNear(view[.accuracy], (1 + 0.25) / 2))
    #expect(isNear(view[.recall, "forearm"], (1 + 0.25) / 2))
    #expect(view.confusion.total == 10 && view.confusion.right == 4)
  }

  @Test("A source that does not define a metric is left out of its mean")
  func undefined() {
    let planks = scenario("planks", "ffff", "fffh", form: "aass")
    let others = scenario("others", "nnnn", "nnff")
    let found = report([planks, others])
    #expect(isNear(found.plank.view[.recall, "forearm"], 0.75))
    #expect(isNear(found.plank.view[.recall, "none"], 0.5))
    #expect(isNear(found.form.view[.accuracy], 0.5))
    #expect(found.plank.view[.recall, "high"].reason == .noTruth)
  }

  @Test("One source alone has the metrics of its pool")
  func single() {
    let parts = [("ff", "ff"), ("ffffffff", "ffhhhhhh")]
    let named = report(parts.map { scenario("all", $0.0, $0.1) }).plank.view
    let plain = report(parts.map { scenario(nil, $0.0, $0.1) }).plank.view
    for metric in MetricKey.headlines(.plank) {
      #expect(named.value(metric) == plain.value(metric))
    }
  }
}

@Suite("Worst moments") struct WorstMomentTests {
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
