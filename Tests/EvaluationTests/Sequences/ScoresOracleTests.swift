import Evaluation
import PoseModel
import TestSupport
import Testing

/// The oracle of the contract, which shares no code with what it checks.
@Suite("Scores oracle")
struct ScoresOracleTests {
  private func oracle(_ outcome: SequenceOutcome, _ stream: AnswerStream) -> OracleSequence {
    let labels = stream.labels
    return OracleSequence(
      times: outcome.times,
      truth: outcome.truth.codes(stream).map { FrameTruth.isScored($0) ? labels[Int($0)] : nil },
      answers: outcome[stream].answers.map { labels[Int($0)] },
      isDetermined: outcome[stream].isDetermined)
  }

  @Test(
    "Random sequences score as the oracle scores them", arguments: UInt64(0)..<40,
    AnswerStream.allCases)
  func pooledScores(seed: UInt64, stream: AnswerStream) throws {
    let outcomes = (0..<4).map { part in
      Scenario.random(seed: 4 * seed + part, name: "part \(part)").outcome
    }
    let expected = OracleScores(
      classes: stream.labels, sequences: outcomes.map { oracle($0, stream) })
    let view = ScoreView(PooledCounts(outcomes.map { SequenceScores($0) }, stream))
    #expect(view.confusion.rows == expected.confusion)
    for (row, other) in zip(view.confusionSeconds.rows, expected.confusionSeconds) {
      #expect(zip(row, other).allSatisfy { abs($0 - $1) < 1e-9 })
    }
    #expect(isNear(view.determinedFrames.overall, expected.determinedShare))
    #expect(isNear(view.determinedSeconds.overall, expected.determinedShareSeconds))
    for (label, other) in zip(stream.labels, expected.determinedShareSecondsByClass) {
      #expect(isNear(try #require(view.determinedSeconds.perClass[label]), other))
    }
    let named = expected.metrics.named(stream.labels)
    for result in view.classification {
      let suffix = result.key.label.map { "[\($0)]" } ?? ""
      #expect(isNear(result.value, named[result.key.metric.name + suffix] ?? nil))
    }
  }

  @Test(
    "What is taken from earlier scores is what counting gives", arguments: UInt64(0)..<20,
    [(plank: false, form: false), (true, false), (false, true), (true, true)])
  func scoresBesideEarlier(seed: UInt64, isOld: (plank: Bool, form: Bool)) {
    let old = Scenario.random(seed: seed).outcome
    let new = Scenario.random(seed: seed + 500).outcome
    let frames = min(old.frameCount, new.frameCount)
    func other(_ stream: AnswerStream) -> StreamOutcome {
      var answers = old[stream].answers
      for frame in 0..<frames { answers[frame] = new[stream].answers[frame] }
      return StreamOutcome(
        answers: answers, isDetermined: old[stream].isDetermined, isHeld: old[stream].isHeld)
    }
    let outcome = old.answered(
      PerStream(
        plank: isOld.plank ? old.plank : other(.plank),
        form: isOld.form ? old.form : other(.form)))
    let scores = SequenceScores(outcome, beside: (outcome: old, scores: SequenceScores(old)))
    let whole = SequenceScores(outcome)
    for stream in AnswerStream.allCases {
      let (found, expected) = (scores[stream], whole[stream])
      #expect(found.frames == expected.frames && found.stability == expected.stability)
      #expect(found.confusion == expected.confusion && found.determined == expected.determined)
      #expect(outcome[stream] != old[stream] || found == expected)
    }
    let isWhole = isOld.plank && isOld.form
    #expect((scores == whole) == isWhole)
    #expect(scores.detail == (isWhole ? .all : .frames))
    #expect(isWhole || scores.activities.isEmpty && scores.formEndToEnd.frames.frames == 0)
    for stream in AnswerStream.allCases where outcome[stream] != old[stream] {
      #expect(scores[stream].temporal == TemporalCounts(stream))
    }
  }

  @Test("Metrics need no more than what is counted for them", arguments: UInt64(0)..<40)
  func metricsAlone(seed: UInt64) {
    let outcomes = (0..<4).map { Scenario.random(seed: 3000 + 4 * seed + $0).outcome }
    let whole = outcomes.map { SequenceScores($0) }
    let scores = outcomes.map { SequenceScores($0, detail: .metrics) }
    for stream in AnswerStream.allCases {
      let pools = (PooledCounts(scores, stream), PooledCounts(whole, stream))
      #expect(MetricCounts(pools.0) == MetricCounts(pools.1))
      #expect(
        MetricCounts(pools.0, determined: true) == MetricCounts(pools.1, determined: true))
      #expect(ScoreView(pools.0) == ScoreView(pools.1))
    }
  }

  @Test(
    "Random sequences are as steady as the oracle finds them", arguments: UInt64(0)..<40,
    AnswerStream.allCases)
  func pooledStability(seed: UInt64, stream: AnswerStream) {
    let outcomes = (0..<4).map { Scenario.random(seed: 1000 + 4 * seed + $0).outcome }
    let expected = OracleScores(
      classes: stream.labels, sequences: outcomes.map { oracle($0, stream) })
    let view = ScoreView(PooledCounts(outcomes.map { SequenceScores($0) }, stream))
    #expect(view.stability.predictedTransitions == expected.predictedTransitions)
    #expect(view.stability.trueTransitions == expected.trueTransitions)
    #expect(view.stability.flickers == expected.flickers)
    #expect(abs(view.stability.evaluatedSeconds - expected.evaluatedSeconds) < 1e-9)
    #expect(isNear(view[.flickersPerMinute], expected.flickersPerMinute))
    #expect(
      isNear(view[.excessTransitionsPerMinute], expected.excessTransitionsPerMinute))
  }
}
