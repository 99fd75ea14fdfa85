import Evaluation
import PoseModel
import TestSupport
import Testing

@Suite("Sequence scores") struct SequenceScoresTests {
  @Test("Frames are counted as scored, ignored, unlabeled, missing, undetermined and held")
  func frameCounts() {
    var scenario = Scenario("nnff.xhh", answers: "nfffhhhn")
    scenario.plankDetermined = "dd=-d-dd"
    scenario.missing = 2
    let counts = SequenceScores(scenario.outcome).plank.frames
    #expect(counts.frames == 8)
    #expect(counts.scored == 6)
    #expect(counts.scoredDetermined == 4)
    #expect(counts.ignored == 1)
    #expect(counts.unlabeled == 1)
    #expect(counts.unjudged == 0)
    #expect(counts.missing == 2)
    #expect(counts.undetermined == 3)
    #expect(counts.held == 1)
  }

  @Test("Form is scored if the truth has a form, whatever plank was answered")
  func form() {
    var scenario = Scenario("nffffhx.", answers: "nfhffhnn")
    scenario.formTruth = ".as.pass"
    scenario.formAnswers = "aaasspas"
    let scores = SequenceScores(scenario.outcome)
    #expect(scores.form.confusion.rows == [[1, 0, 1], [1, 0, 0], [0, 1, 0]])
    #expect(scores.form.frames.unjudged == 2)
    #expect(scores.form.frames.ignored == 1)
    #expect(scores.form.frames.unlabeled == 1)
    // Without frame 2, whose plank answer is wrong.
    #expect(scores.formEndToEnd.confusion.rows == [[1, 0, 1], [0, 0, 0], [0, 1, 0]])
  }

  @Test(
    "Under half determined is no evidence; half is some; nothing scored is neither",
    arguments: [("ffff", "d---", true), ("ffff", "dd--", false), ("....", "----", false)])
  func noEvidence(truth: String, determined: String, expected: Bool) {
    var scenario = Scenario(truth)
    scenario.plankDetermined = determined
    #expect(SequenceScores(scenario.outcome).plank.frames.isNoEvidence == expected)
  }

  @Test("Undetermined frames that are not scored do not take evidence away")
  func unscoredDropouts() {
    var scenario = Scenario("ff......")
    scenario.plankDetermined = "dd------"
    #expect(!SequenceScores(scenario.outcome).plank.frames.isNoEvidence)
  }
}

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

  @Test("Metrics over determined frames leave the others out")
  func determinedMetrics() {
    var scenario = Scenario("ffff", answers: "ffnn")
    scenario.plankDetermined = "dd--"
    let view = report([scenario]).plank.view
    #expect(isNear(view[.accuracy], 0.5))
    #expect(view.value(MetricKey(.accuracy, in: .plank), determined: true) == .value(1))
  }
}

/// Activities slice the scores of a sequence and change none of them.
@Suite("Activities, properties") struct ActivityPropertyTests {
  /// A random sequence with segments of random activities, and gaps.
  private func scenario(_ seed: UInt64, name: String) throws -> Scenario {
    var scenario = Scenario.random(seed: seed, name: name)
    var random = SplitMix64(seed: seed ^ 0xAC71)
    guard random.unit() < 0.9, let first = scenario.times.first, let last = scenario.times.last
    else { return scenario }
    var segments: [ActivitySegment] = []
    var start = first - random.unit()
    while start < last {
      let end = start + 0.05 + 2 * random.unit()
      segments.append(
        ActivitySegment(
          start: Seconds(start), end: Seconds(end), name: "act\(random.index(below: 4))"))
      start = end + (random.unit() < 0.3 ? random.unit() : 0)
    }
    scenario.activities = try ActivityTrack(segments)
    return scenario
  }

  @Test(
    "The activities of a sequence add up to all of its scored frames",
    arguments: Draws.seeds(40 as UInt64))
  func sequence(seed: UInt64) throws {
    let outcome = try scenario(seed, name: "one").outcome
    let scores = SequenceScores(outcome)
    try #require(outcome.activities == nil || !scores.activities.isEmpty)
    guard outcome.activities != nil else { return #expect(scores.activities.isEmpty) }
    for stream in AnswerStream.allCases {
      var sum = ConfusionMatrix<Int>(labels: stream.labels)
      for counts in scores.activities { sum += counts.confusion(stream) }
      #expect(sum == scores[stream].confusion)
    }
    #expect(Set(scores.activities.map(\.activity)).count == scores.activities.count)
  }

  @Test(
    "Activities of several sequences add up to the whole, in seconds",
    arguments: Draws.seeds(20 as UInt64))
  func pooled(seed: UInt64) throws {
    let scores = try (0..<5).map {
      SequenceScores(try scenario(100 + 5 * seed + $0, name: "part \($0)").outcome)
    }
    let whole = PlankTime(PooledCounts(scores, .plank).seconds)
    let parts = ActivityScore.all(scores).map(\.time)
    for part in [\PlankTime.none, \.falsePlank, \.plank, \.missed, \.mistaken] {
      #expect(abs(parts.reduce(0) { $0 + $1[keyPath: part] } - whole[keyPath: part]) < 1e-9)
    }
    #expect(parts.map(\.wrong) == parts.map(\.wrong).sorted(by: >))
  }

  @Test(
    "Seconds of an activity are those of a count frame by frame",
    arguments: Draws.seeds(20 as UInt64))
  func naive(seed: UInt64) throws {
    let outcome = try scenario(500 + seed, name: "one").outcome
    var expected: [String?: Double] = [:]
    for frame in outcome.times.indices where outcome.truth.plank[frame] == 0 {
      let time = outcome.times[frame]
      let segment = outcome.activities?.segments.first {
        $0.start.value <= time && time < $0.end.value
      }
      guard outcome.plank.answers[frame] != 0 else { continue }
      expected[segment?.name, default: 0] += outcome.frameWeight.value
    }
    for score in ActivityScore.all([SequenceScores(outcome)]) {
      #expect(abs(score.time.falsePlank - (expected[score.activity] ?? 0)) < 1e-9)
    }
  }

  @Test("The metric of one activity is its share, and no other activity moves it")
  func during() throws {
    var scenario = Scenario("nnnnnnnnhh", answers: "hhnnnnnhhn")
    scenario.activities = try ActivityTrack([
      ActivitySegment(start: Seconds(0), end: Seconds(0.4), name: "sitting"),
      ActivitySegment(start: Seconds(0.4), end: Seconds(2), name: "rising"),
    ])
    let scores = SequenceScores(scenario.outcome)
    let key = MetricKey(.falsePlankShare, in: .plank)
    func share(_ parts: [SequenceScores]) -> Double? {
      SubjectPools(parts, .plank).values([key])[0].number.map { ($0 * 1e9).rounded() / 1e9 }
    }
    #expect(share([scores]) == 0.375)
    #expect(share(GateSlice.activity("sitting").of([scores])) == 0.5)
    #expect(share(GateSlice.activity("rising").of([scores])) == 0.25)
    #expect(GateSlice.activity("lying").of([scores]).isEmpty)
    let sitting = try #require(scores.during("sitting"))
    #expect(sitting.plank.frames.scored == 4 && sitting.plank.frames.frames == 4)
  }

  @Test("A change by activity is the difference of the seconds that are wrong")
  func change() throws {
    let track = try ActivityTrack([
      ActivitySegment(start: Seconds(0), end: Seconds(0.5), name: "x"),
      ActivitySegment(start: Seconds(0.5), end: Seconds(1), name: "y"),
    ])
    let sides = ["hhhnnnnnnn", "nnnnnnnnnf"].map { answers in
      var scenario = Scenario("nnnnnnnnnn", answers: answers)
      scenario.activities = track
      return [SequenceScores(scenario.outcome)]
    }
    let changes = ActivityChange.all(sides[0], sides[1])
    #expect(changes.map(\.activity) == ["x", "y"])
    #expect(abs(changes[0].change + 0.3) < 1e-12 && abs(changes[1].change - 0.1) < 1e-12)
  }
}

/// The oracle of the contract, which shares no code with what it checks.
@Suite("Scores oracle") struct ScoresOracleTests {
  private func oracle(_ outcome: SequenceOutcome, _ stream: AnswerStream) -> OracleSequence {
    let labels = stream.labels
    return OracleSequence(
      times: outcome.times,
      truth: outcome.truth.codes(stream).map { FrameTruth.isScored($0) ? labels[Int($0)] : nil },
      answers: outcome[stream].answers.map { labels[Int($0)] },
      isDetermined: outcome[stream].isDetermined)
  }

  @Test(
    "Random sequences score as the oracle scores them", arguments: Draws.seeds(40 as UInt64),
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
    "What is taken from earlier scores is what counting gives",
    arguments: Draws.seeds(20 as UInt64),
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

  @Test("Metrics need no more than what is counted for them", arguments: Draws.seeds(40 as UInt64))
  func metricsAlone(seed: UInt64) {
    let outcomes = (0..<4).map { Scenario.random(seed: 3000 + 4 * seed + $0).outcome }
    let whole = outcomes.map { SequenceScores($0) }
    let scores = outcomes.map { SequenceScores($0, detail: .metrics) }
    for stream in AnswerStream.allCases {
      let pools = (PooledCounts(scores, stream), PooledCounts(whole, stream))
      #expect(MetricCounts(pools.0) == MetricCounts(pools.1))
      #expect(MetricCounts(pools.0, determined: true) == MetricCounts(pools.1, determined: true))
      #expect(ScoreView(pools.0) == ScoreView(pools.1))
    }
  }

  @Test(
    "Random sequences are as steady as the oracle finds them", arguments: Draws.seeds(40 as UInt64),
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
    #expect(isNear(view[.excessTransitionsPerMinute], expected.excessTransitionsPerMinute))
  }
}
