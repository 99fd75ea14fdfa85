import Evaluation
import PoseModel
import Testing

@Suite("Temporal metrics properties")
struct TemporalMetricsPropertyTests {
  private func counts(_ scenario: Scenario) -> TemporalCounts {
    SequenceScores(scenario.outcome).plank.temporal
  }

  /// The same classes with exact times at a rate, so that rounding changes nothing.
  private func even(_ seed: UInt64, answers: String? = nil, start: Double = 0) -> Scenario {
    let random = Scenario.random(seed: seed)
    return Scenario(
      random.plankTruth, answers: answers ?? random.plankAnswers, rate: 16, start: start)
  }

  @Test(
    "Truth against itself is perfect in every metric of every stream", arguments: UInt64(0)..<60)
  func identity(seed: UInt64) {
    var scenario = Scenario.random(seed: seed)
    scenario.plankAnswers = String(scenario.plankTruth.map { ".x".contains($0) ? "h" : $0 })
    scenario.formAnswers = scenario.formTruth.map { String($0.map { $0 == "." ? "s" : $0 }) }
    let scores = SequenceScores(scenario.outcome)
    for counts in [scores.plank, scores.form, scores.formEndToEnd] {
      let metrics = TemporalMetrics(counts.temporal)
      expectPerfect(metrics)
      let stability = counts.stability
      expect(
        [
          stability[.excessTransitionsPerMinute], stability[.falseTransitionsPerMinute],
          stability[.missedTransitions], stability[.flickersPerMinute],
        ], are: 0)
      expect([stability.transitionRatio], are: 1)
      #expect(counts.dwells.truth == counts.dwells.answers)
    }
    for stream in AnswerStream.allCases {
      let view = ScoreView(PooledCounts([scores], stream))
      // Sums of seconds are rounded; nothing else may be off.
      for result in view.classification where result.value.number != nil {
        #expect(agree(result.value, .value(1), within: 1e-12), "\(result.key)")
      }
    }
    let session = ScoreView(PooledCounts([scores], .plank)).results(.overTime, .session)
    expect(session.map(\.value), are: 0)
  }

  private func expectPerfect(_ metrics: TemporalMetrics) {
    for scores in metrics.events + metrics.classes.flatMap(\.events) {
      expect([scores.f1, scores.precision, scores.recall], are: 1)
      expect([scores.errorRate], are: 0)
    }
    expect(metrics.segments.f1() + metrics.segments.f1(isOptimal: true), are: 1)
    expect([metrics.segments.editScore], are: 100)
    expect([metrics.detection, metrics.release])
    for part in metrics.classes + [metrics.any] {
      for piece in WardPiece.allCases where piece != .truePositive && piece != .trueNegative {
        #expect(part.ward.seconds(piece) == 0, "\(piece)")
        expect([part.ward.rate(piece)], are: 0)
      }
      for event in WardEvent.allCases where event != .correct {
        #expect(part.ward.truth(event) == 0 && part.ward.answers(event) == 0)
      }
      expect([part.binF1], are: 1)
      expect([part.detection, part.release])
      expect(
        [
          part.holds.error, part.holds.signedError, part.holds.relativeError,
          part.holds.longestError, part.holds.longestSignedError,
        ], are: 0)
    }
  }

  /// Every change followed at once.
  private func expect(_ latencies: [LatencyMetrics]) {
    for latency in latencies {
      expect([latency.hitRate], are: 1)
      expect([latency.median, latency.ninetieth, latency.meanOverHits, latency.earlyShare], are: 0)
    }
  }

  /// Every value that is defined is a number.
  private func expect(
    _ values: [MetricValue], are number: Double, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      values.allSatisfy { $0.number == nil || $0 == .value(number) }, "\(values)",
      sourceLocation: location)
  }

  @Test("A shift in time changes nothing", arguments: UInt64(0)..<30)
  func timeShift(seed: UInt64) {
    let (left, right) = (even(seed), even(seed, start: 512))
    #expect(counts(left) == counts(right))
    #expect(
      SequenceScores(left.outcome).plank.stability == SequenceScores(right.outcome).plank.stability)
  }

  @Test(
    "A shift whose times are rounded changes no count and no number beyond rounding",
    arguments: UInt64(0)..<30)
  func roundedShift(seed: UInt64) {
    let one = Scenario.random(seed: seed)
    var other = one
    other.times = one.times.map { $0 + 1234.567 }
    let (left, right) = (SequenceScores(one.outcome).plank, SequenceScores(other.outcome).plank)
    let (old, new) = (TemporalMetrics(left.temporal), TemporalMetrics(right.temporal))
    let views = [one, other].map {
      ScoreView(PooledCounts([SequenceScores($0.outcome)], .plank))
    }
    for section in [Metric.Section.stability, .overTime] {
      for scope in [Metric.Scope.stream, .session] {
        let results = views.map { $0.results(section, scope) }
        for (a, b) in zip(results[0], results[1]) { #expect(agree(a.value, b.value), "\(a.key)") }
      }
    }
    for (a, b) in zip(old.events, new.events) { #expect(a.counts == b.counts) }
    #expect(old.segments == new.segments)
  }

  @Test("Misses and answers at one time are tied, however it was rounded")
  func ties() {
    // 0.1 + 0.2 is more than 0.3: as a later time the answer would find the miss gone.
    let latencies = [0.1, 0.3].map { Latency(seconds: $0, isCensored: false) }
    let tied = [
      Latency(seconds: 0.1 + 0.2, isCensored: false), Latency(seconds: 0.3, isCensored: true),
    ]
    let exact = [Latency(seconds: 0.3, isCensored: false), Latency(seconds: 0.3, isCensored: true)]
    #expect(
      SurvivalCurve(latencies + tied).quantile(0.75)
        == SurvivalCurve(latencies + exact).quantile(0.75))
    #expect(SurvivalCurve(latencies + tied).quantile(0.8) == nil)
  }

  @Test(
    "Twice the frames of the same course change nothing",
    arguments: UInt64(0)..<30)
  func resampling(seed: UInt64) {
    let one = even(seed)
    func doubled(_ text: String) -> String { text.map { "\($0)\($0)" }.joined() }
    let other = Scenario(
      doubled(one.plankTruth), answers: doubled(one.plankAnswers), rate: 32)
    let (left, right) = (counts(one), counts(other))
    #expect(left.events == right.events)
    #expect(left.segments == right.segments)
    let (steady, same) = (
      SequenceScores(one.outcome).plank, SequenceScores(other.outcome).plank
    )
    #expect(steady.stability == same.stability)
    #expect(steady.dwells == same.dwells)
    for (a, b) in zip(left.classes + [left.any], right.classes + [right.any]) {
      for piece in WardPiece.allCases {
        #expect(abs(a.ward.seconds(piece) - b.ward.seconds(piece)) < 1e-9)
      }
      for event in WardEvent.allCases {
        #expect(a.ward.truth(event) == b.ward.truth(event))
        #expect(a.ward.answers(event) == b.ward.answers(event))
      }
      #expect(a.detections == b.detections && a.releases == b.releases)
      #expect(a.bins == b.bins && a.holds == b.holds)
    }
  }

  @Test(
    "Ward's pieces add up to the time in which the class is true, and to all other time",
    arguments: UInt64(0)..<30)
  func wardAddsUp(seed: UInt64) {
    let scores = SequenceScores(Scenario.random(seed: seed).outcome)
    let dwells = scores.plank.dwells.truth
    guard !dwells.isEmpty else { return }
    let all = scores.plank.stability.evaluatedSeconds
    for (index, part) in scores.plank.temporal.classes.enumerated() {
      let own = dwells[index + 1].reduce(0, +)
      #expect(abs(part.ward.seconds(isTrue: true) - own) < 1e-9)
      #expect(abs(part.ward.seconds(isTrue: false) - (all - own)) < 1e-9)
    }
  }

  @Test(
    "Truth and answers exchanged exchange misses with insertions and cuts with merges",
    arguments: UInt64(0)..<30)
  func exchange(seed: UInt64) {
    let random = Scenario.random(seed: seed)
    let letters = zip(random.plankTruth, random.plankAnswers).filter { !".x".contains($0.0) }
    let truth = String(letters.map(\.0))
    let answers = String(letters.map(\.1))
    let left = counts(Scenario(truth, answers: answers, rate: 16))
    let right = counts(Scenario(answers, answers: truth, rate: 16))
    for (a, b) in zip(left.classes, right.classes) {
      #expect(abs(a.ward.seconds(.fragmenting) - b.ward.seconds(.merge)) < 1e-9)
      #expect(abs(a.ward.seconds(.deletion) - b.ward.seconds(.insertion)) < 1e-9)
      #expect(abs(a.ward.seconds(.underfillStart) - b.ward.seconds(.overfillStart)) < 1e-9)
      #expect(abs(a.ward.seconds(.underfillEnd) - b.ward.seconds(.overfillEnd)) < 1e-9)
      #expect(a.ward.truth(.fragmented) == b.ward.answers(.merged))
    }
    for (a, b) in zip(left.events, right.events) where !a.rule.countsEnds {
      #expect(a.pooled.matched == b.pooled.matched)
    }
  }

  @Test("Sequences add up in any grouping", arguments: UInt64(0)..<10)
  func grouping(seed: UInt64) {
    let parts = (0..<3).map { counts(even(3 * seed + $0)) }
    var left = parts[0]
    left += parts[1]
    left += parts[2]
    var right = parts[1]
    right += parts[2]
    var other = parts[0]
    other += right
    let (one, two) = (TemporalMetrics(left), TemporalMetrics(other))
    #expect(one.events == two.events)
    #expect(one.segments.greedyHits == two.segments.greedyHits)
    #expect(agree(one.segments.editScore, two.segments.editScore))
    #expect(one.detection == two.detection && one.release == two.release)
    for (a, b) in [
      (one.any.holds.error, two.any.holds.error),
      (one.any.holds.longestError, two.any.holds.longestError),
    ] { #expect(agree(a, b)) }
  }

  @Test("A wider collar never matches fewer events", arguments: UInt64(0)..<30)
  func collars(seed: UInt64) {
    let events = counts(Scenario.random(seed: seed)).events
    for (narrow, wide) in zip(events, events.dropFirst())
    where narrow.rule.countsEnds == wide.rule.countsEnds {
      #expect(narrow.pooled.matched <= wide.pooled.matched)
    }
  }
}
