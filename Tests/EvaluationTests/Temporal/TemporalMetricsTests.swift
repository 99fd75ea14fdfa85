import Evaluation
import PoseModel
import Testing

@Suite("Temporal metrics")
struct TemporalMetricsTests {
  private func metrics(_ truth: String, _ answers: String, rate: Double = 8) -> TemporalMetrics {
    TemporalMetrics(
      SequenceScores(Scenario(truth, answers: answers, rate: rate).outcome).plank.temporal)
  }

  @Test("Nothing scored leaves everything undefined")
  func nothingScored() {
    let result = metrics("....", "nfff")
    let silent = SequenceScores(Scenario("....", answers: "nfff", rate: 8).outcome)
    let view = ScoreView(PooledCounts([silent], .plank))
    let all = view.results(.overTime) + view.results(.overTime, .session)
    #expect(all.count == 7 && all.allSatisfy { $0.value.number == nil })
    #expect(result.any.holds.error == .undefined(.noScoredFrames))
    #expect(result.segments.editScore == .undefined(.noScoredFrames))
  }

  @Test("Without any event, F1 and latencies are undefined and the timer is right")
  func noEvent() {
    let result = metrics("nnnnnn", "nnnnnn")
    #expect(result.events.allSatisfy { $0.f1 == .undefined(.noEvent) })
    #expect(result.detection.hitRate == .undefined(.noTrueEvent))
    #expect(result.any.holds.error == .value(0))
    #expect(result.any.holds.relativeError == .undefined(.noTruth))
  }

  @Test(
    "A clock that jumps costs nothing: bins are counted as ranges, and sums stay within integers",
    .timeLimit(.minutes(1)), arguments: [1.7e9, 1e15])
  func clockJump(jump: Double) throws {
    var scenario = Scenario("ffff", answers: "ffff", rate: 8)
    scenario.times = [0, jump, jump * 1.5, jump * 2]
    let bins = SequenceScores(scenario.outcome).plank.temporal.any.bins
    #expect(bins.f1 == .value(1))
    #expect(bins.truth == Int(min(jump * 2 + 1, 0x1p40)))
    var sum = BinCounts()
    for _ in 0..<10_000 { sum += bins }
    #expect(sum.f1 == .value(1))
  }

  @Test("The empty answer is not an event")
  func background() {
    let scores = metrics("nnffnn", "nnnnnn").events[0]
    #expect(scores.counts.truth == 1 && scores.counts.answers == 0)
    #expect(scores.precision == .undefined(.noAnsweredEvent))
    #expect(scores.f1 == .value(0))
  }

  @Test("Ends may differ by half of the true event's length")
  func ends() throws {
    // 16 frames, 2 s: half is 1 s, 8 frames.
    let truth = "nn" + String(repeating: "f", count: 16) + "nnnnnnnn"
    func matched(_ length: Int) throws -> Int {
      let answers = "nn" + String(repeating: "f", count: length)
      let padded = answers.padding(to: truth.count, with: "n")
      let result = metrics(truth, padded)
      let index = try #require(result.rules.firstIndex(of: .headline))
      return result.events[index].counts.matched
    }
    #expect(try matched(8) == 1)
    #expect(try matched(7) == 0)
  }

  @Test("A wrong class at the right time is one error, not two")
  func substitution() {
    let scores = metrics("nnnffffnnn", "nnnhhhhnnn").events[0]
    #expect(scores.errorRate == .value(1))
    #expect(scores.f1 == .value(0))
  }

  @Test("Unscored frames cut events on both sides alike")
  func cut() {
    let scores = metrics("nff.ffn", "nfffffn").events[0]
    #expect(scores.counts.truth == 2 && scores.counts.answers == 2)
    #expect(scores.f1 == .value(1))
  }

  @Test(
    "A gap of half a second does not end the longest hold and counts as held; a longer one does")
  func forgiveness() {
    let truth = String(repeating: "f", count: 24)
    func answers(_ gap: Int) -> String {
      String(repeating: "f", count: 10) + String(repeating: "n", count: gap)
        + String(repeating: "f", count: 14 - gap)
    }
    #expect(metrics(truth, answers(4)).any.holds.longestError == .value(0))
    #expect(metrics(truth, answers(5)).any.holds.longestError == .value((24 - 10) / 8.0))
    #expect(metrics(truth, answers(4)).any.holds.error == .value(0.5))
  }

  @Test("Errors of sequences do not make up for each other")
  func errorsPool() {
    let long = SequenceScores(Scenario("nnffnn", answers: "nffffn", rate: 8).outcome)
    let short = SequenceScores(Scenario("nffffn", answers: "nnffnn", rate: 8).outcome)
    let holds = TemporalMetrics(PooledCounts([long, short], .plank).temporal).any.holds
    #expect(holds.error == .value(0.25))
    #expect(holds.signedError == .value(0))
  }

  @Test("A change from one plank to another goes on as a hold")
  func anyPlank() {
    let result = metrics("nffffhhhhn", "nffffhhhhn")
    #expect(result.any.holds.counts.longestTrue == 1)
    #expect(result.any.detection.changes == 1)
    #expect(result.detection.changes == 2)
  }

  @Test("The second best overlap is not tried, and an optimal matching is reported beside it")
  func greedyQuirk() {
    // The second answer overlaps the first event by 5/15, the second one by 2/8.
    let segments = metrics("ffffffffffffnff", "ffffffnffffffff").segments
    #expect(segments.greedyHits == [1, 1, 1])
    #expect(segments.optimalHits == [2, 2, 1])
  }

  @Test("Dwells are sorted by class, short ones counted")
  func dwells() {
    let scores = SequenceScores(Scenario("nnffffnn", answers: "nnfhffnn", rate: 8).outcome)
    let dwells = scores.plank.dwells
    #expect(dwells.answers[1] == [0.125, 0.25])
    #expect(dwells.truth[1] == [0.5])
    let summary = DwellSummary(dwells.answers[1])
    #expect(summary.shortShare == .value(1))
    #expect(summary.longest == .value(0.25))
    #expect(DwellSummary([]).median == .undefined(.occursNowhere))
    let stability = scores.plank.stability
    #expect(stability.transitionRatio == .value(2))
    #expect(scores.plank.dwells.longestAnswer == .value(0.25))
  }
}

extension String {
  fileprivate func padding(to count: Int, with letter: Character) -> String {
    self + String(repeating: letter, count: Swift.max(0, count - self.count))
  }
}
