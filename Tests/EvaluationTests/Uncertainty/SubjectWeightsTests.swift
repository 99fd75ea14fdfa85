import PoseModel
import Statistics
import Testing

@testable import Evaluation

@Suite("Weights of subjects")
struct SubjectWeightsTests {
  private func scores(
    _ subject: String, _ truth: String, _ answers: String? = nil, source: String? = nil,
    start: Double = 0
  ) -> SequenceScores {
    var scenario = Scenario(
      truth, answers: answers, start: start, name: (source ?? "") + subject, subject: subject)
    scenario.source = source
    // The median interval, whose last digits move with the zero of the clock.
    scenario.weight = nil
    return SequenceScores(scenario.outcome)
  }

  private func effective(_ key: MetricKey, _ sequences: [SequenceScores]) throws -> Double {
    try #require(SubjectPools(sequences, key.stream).weights(key)).effective
  }

  @Test("Accuracy weighs people by their scored time")
  func scoredTime() throws {
    let key = MetricKey(.accuracy, in: .plank)
    let same = [scores("a", "nnhh"), scores("b", "hhhn"), scores("c", "nnnn")]
    #expect(abs(try effective(key, same) - 3) < 1e-8)
    // 6, 2 and 2 frames: 10^2 / (36 + 4 + 4).
    let unequal = [scores("a", "nnhhhh"), scores("b", "hh.."), scores("c", "nn")]
    #expect(abs(try effective(key, unequal) - 100.0 / 44) < 1e-6)
  }

  @Test("A recall weighs people by the time of its class, a precision by the answers")
  func classTime() throws {
    let people = [
      scores("a", "hhhh", "hhnn"), scores("b", "hhnn", "hhhh"), scores("c", "nnnn", "nnnn"),
    ]
    // `high` is true for 4, 2 and 0 frames, and answered in 2, 4 and 0.
    let recall = MetricKey(.recall, in: .plank, label: "high")
    let precision = MetricKey(.precision, in: .plank, label: "high")
    #expect(abs(try effective(recall, people) - 36.0 / 20) < 1e-6)
    #expect(abs(try effective(precision, people) - 36.0 / 20) < 1e-6)
    let f1 = MetricKey(.f1, in: .plank, label: "high")
    #expect(abs(try effective(f1, people) - 2) < 1e-6)
    let weights = try #require(SubjectPools(people, .plank).weights(recall))
    #expect(abs(weights.contributing - 2) < 1e-8)
  }

  @Test("A mean over classes averages the shares of each class")
  func classMean() throws {
    // `none` is of a and b alike, `high` of c alone: shares 1/4, 1/4 and 1/2.
    let people = [scores("a", "nn"), scores("b", "nn"), scores("c", "hhhhhhhh")]
    let key = MetricKey(.balancedAccuracy, in: .plank)
    #expect(abs(try effective(key, people) - 1 / (2.0 / 16 + 1.0 / 4)) < 1e-6)
  }

  @Test("Each source counts once")
  func sources() throws {
    let people =
      [scores("a", "nh", source: "gym")]
      + ["b", "c", "d", "e"].map { scores($0, "nh", source: "web") }
    let key = MetricKey(.accuracy, in: .plank)
    #expect(abs(try effective(key, people) - 1 / (1.0 / 4 + 1.0 / 16)) < 1e-6)
  }

  @Test("Shares get the logit scale and their weights, numbers without an upper end neither")
  func scales() throws {
    let people = [
      scores("a", "nnhhhh", "nnhhhn"), scores("b", "hh", "hn"), scores("c", "nnh", "nhn"),
    ]
    let (share, rate) = (
      MetricKey(.accuracy, in: .plank), MetricKey(.falseTransitionsPerMinute, in: .plank)
    )
    let found = StreamUncertainty(people, .plank, [share, rate], resamples: 50).intervals
    let interval = try #require(found[share]?.clusterT.interval)
    #expect(interval.lower > 0 && interval.upper < 1)
    #expect(abs(try #require(found[share]?.effectiveSubjects) - 121.0 / 49) < 1e-6)
    let pools = SubjectPools(people, .plank)
    let sample = try #require(pools.samples([share], resamples: 50, seed: 0).first)
    #expect(try sample.clusterT(scale: share.metric.logitScale) == interval)
    #expect(rate.metric.logitScale == nil)
  }

  @Test("People who are all right get a bound, not silence", arguments: [2, 5])
  func allRight(people: Int) throws {
    let key = MetricKey(.accuracy, in: .plank)
    let sequences = (0..<people).map { scores("s\($0)", "nnhh") }
    let found = StreamUncertainty(sequences, .plank, [key], resamples: 20).intervals[key]
    let interval = try #require(found?.wider.interval)
    #expect(interval.method == .alike)
    #expect(interval.lower == ClusterSample.leastShareAlike(Double(people)))
    #expect(interval.upper == 1)
    #expect(found?.bca == .undefined(.noVariation))
  }

  @Test(
    "The zero of the clock changes no digit of an interval",
    arguments: [1.0, -1000, 0.1, 12_345.678])
  func clocks(shift: Double) throws {
    let texts = [
      ("nnnhhhhhff", "nnhhhhfhff"), ("hhhhnnnnff", "hhhnnnfnfh"), ("nnhhhhhhhh", "nnhhhhnnhh"),
      ("ffffffhhhn", "ffnfffhhhn"), ("nnnnnnffff", "nnhnnfffhf"),
    ]
    let keys = MetricKey.all.filter { $0.stream == .plank }
    func intervals(_ start: Double) -> [MetricKey: MetricIntervals] {
      let people = texts.enumerated().map { index, text in
        scores("s\(index)", text.0 + text.0, text.1 + text.0, start: start)
      }
      return StreamUncertainty(people, .plank, keys, resamples: 300).intervals
    }
    #expect(intervals(0) == intervals(shift))
  }
}
