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

  @Test("Truth against itself is perfect in every metric", arguments: UInt64(0)..<60)
  func identity(seed: UInt64) {
    var scenario = Scenario.random(seed: seed)
    scenario.plankAnswers = String(scenario.plankTruth.map { ".x".contains($0) ? "h" : $0 })
    let metrics = TemporalMetrics(counts(scenario))
    for scores in metrics.events where scores.counts.truth > 0 {
      #expect(scores.f1 == .value(1))
      #expect(scores.errorRate == .value(0))
    }
    #expect(metrics.segments.f1().allSatisfy { [.value(1), .undefined(.noEvent)].contains($0) })
    #expect(metrics.segments.editScore == .value(100))
    for part in metrics.classes + [metrics.any] {
      for piece in WardPiece.allCases where piece != .truePositive && piece != .trueNegative {
        #expect(part.ward.seconds(piece) == 0, "\(piece)")
      }
      #expect([.value(1), .undefined(.noEvent)].contains(part.binF1))
      for latency in [part.detection, part.release] where latency.changes > 0 {
        #expect(latency.hitRate == .value(1))
        #expect(latency.median == .value(0) && latency.ninetieth == .value(0))
      }
      #expect(part.holds.error == .value(0) && part.holds.longestError == .value(0))
    }
    let stability = StabilityMetrics(SequenceScores(scenario.outcome).plank.stability)
    #expect(stability.falseTransitionsPerMinute == .value(0))
    #expect(stability.missedTransitions == .value(0))
    #expect(stability.flickersPerMinute == .value(0))
    #expect(stability.counts.dwells.truth == stability.counts.dwells.answers)
  }

  @Test("A shift in time changes nothing", arguments: UInt64(0)..<30)
  func timeShift(seed: UInt64) {
    #expect(counts(even(seed)) == counts(even(seed, start: 512)))
  }

  @Test(
    "Twice the frames of the same course change nothing but single-frame runs' ends",
    arguments: UInt64(0)..<30)
  func resampling(seed: UInt64) {
    let one = even(seed)
    func doubled(_ text: String) -> String { text.map { "\($0)\($0)" }.joined() }
    let other = Scenario(
      doubled(one.plankTruth), answers: doubled(one.plankAnswers), rate: 32)
    let (left, right) = (counts(one), counts(other))
    #expect(left.events == right.events)
    #expect(left.segments == right.segments)
    for (a, b) in zip(left.classes + [left.any], right.classes + [right.any]) {
      for piece in WardPiece.allCases {
        #expect(abs(a.ward.seconds(piece) - b.ward.seconds(piece)) < 1e-9)
      }
      for event in WardEvent.allCases {
        #expect(a.ward.truth(event) == b.ward.truth(event))
        #expect(a.ward.answers(event) == b.ward.answers(event))
      }
      #expect(a.detections == b.detections && a.releases == b.releases)
      #expect(a.bins == b.bins)
    }
  }

  @Test(
    "Ward's pieces add up to the time in which the class is true, and to all other time",
    arguments: UInt64(0)..<30)
  func wardAddsUp(seed: UInt64) {
    let scores = SequenceScores(Scenario.random(seed: seed).outcome)
    let dwells = scores.plank.stability.dwells.truth
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
    #expect(one.results == two.results)
    #expect(one.events == two.events)
    #expect(one.segments.greedyHits == two.segments.greedyHits)
    #expect(agree(one.segments.editScore, two.segments.editScore))
    #expect(one.detection == two.detection && one.release == two.release)
    #expect(
      zip(one.sessionResults, two.sessionResults).allSatisfy { agree($0.value, $1.value) })
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
