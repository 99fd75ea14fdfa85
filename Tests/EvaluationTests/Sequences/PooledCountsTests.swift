import Evaluation
import PoseModel
import Testing

@Suite("Pooling")
struct PooledCountsTests {
  @Test("In seconds, 60 Hz does not outvote 8 Hz")
  func frameRates() {
    // One minute each: the fast one is always wrong, the slow one always right.
    let fast = Scenario(
      String(repeating: "f", count: 3600), answers: String(repeating: "h", count: 3600), rate: 60,
      name: "fast")
    let slow = Scenario(String(repeating: "f", count: 480), rate: 8, name: "slow")
    let view = report([fast, slow]).plank.view
    #expect(view.confusion.rows[1] == [0, 480, 3600, 0, 0, 0])
    #expect(abs(view.confusionSeconds[1, 1] - 60) < 1e-9)
    #expect(abs(view.confusionSeconds[1, 2] - 60) < 1e-9)
    #expect(isNear(view[.accuracy], 0.5))
  }

  @Test("At equal rates, two sequences pool as their concatenation does")
  func concatenation() {
    let first = Scenario("nnffffhhhh", answers: "nnfhffhhnh", rate: 8)
    let second = Scenario("llllrrvvnn", answers: "llrlrrvvnf", rate: 8)
    // An unlabeled frame between them, so that no change runs across.
    let joined = Scenario(
      first.plankTruth + "." + second.plankTruth,
      answers: first.plankAnswers + "n" + second.plankAnswers, rate: 8)
    let two = report([first, second]).plank.view
    let one = report([joined]).plank.view
    #expect(two.confusion == one.confusion)
    #expect(two.confusionSeconds == one.confusionSeconds)
    #expect(two.stability == one.stability)
    #expect(agree(two.classification, one.classification))
  }

  @Test("Metrics are of the pooled counts, not means over sequences")
  func pooledMetrics() {
    let view = report([
      Scenario("ffff", answers: "fffh"), Scenario("ffffffffffff", answers: "hhhhffffffff"),
    ]).plank.view
    #expect(isNear(view[.accuracy], 11.0 / 16))
  }

  @Test("Pools of subjects add up to the pool of everyone, repeats included")
  func multisets() {
    let scores = (UInt64(0)..<6).map { SequenceScores(Scenario.random(seed: $0).outcome) }
    let people = Dictionary(grouping: scores) { $0.subject ?? "" }
    let order = people.keys.sorted()
    var summed = PooledCounts(.plank)
    for person in order + order.prefix(1) { summed += PooledCounts(people[person] ?? [], .plank) }
    let resample = (order + order.prefix(1)).flatMap { people[$0] ?? [] }
    let pooled = PooledCounts(resample, .plank)
    #expect(summed.frames == pooled.frames)
    #expect(summed.frameCounts == pooled.frameCounts)
    #expect(summed.stability.flickers == pooled.stability.flickers)
    #expect(agree(ScoreView(summed).classification, ScoreView(pooled).classification))
  }

  @Test("Determined shares come overall and by true class, in frames and in seconds")
  func determinedShares() {
    var fast = Scenario("ffffhhhh", rate: 8, name: "fast")
    fast.plankDetermined = "dddd-===".replacing("=", with: "-")
    let slow = Scenario("ffff", rate: 2, name: "slow")
    let view = report([fast, slow]).plank.view
    #expect(isNear(view.determinedFrames.overall, 8.0 / 12))
    #expect(isNear(view.determinedSeconds.overall, 2.5 / 3))
    #expect(view.determinedFrames.perClass["forearm"] == .value(1))
    #expect(view.determinedFrames.perClass["high"] == .value(0))
    #expect(view.determinedFrames.perClass["sideLeft"] == .undefined(.noTruth))
  }

  @Test("Metrics over determined frames leave the others out")
  func determinedMetrics() {
    var scenario = Scenario("ffff", answers: "ffnn")
    scenario.plankDetermined = "dd--"
    let view = report([scenario]).plank.view
    #expect(isNear(view[.accuracy], 0.5))
    #expect(view.value(MetricKey(.accuracy, in: .plank), determined: true) == .value(1))
  }
}
