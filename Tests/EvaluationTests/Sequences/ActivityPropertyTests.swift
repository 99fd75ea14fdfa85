import Evaluation
import PoseModel
import TestSupport
import Testing

/// Activities slice the scores of a sequence and change none of them.
@Suite("Activities, properties")
struct ActivityPropertyTests {
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
    "The activities of a sequence add up to all of its scored frames", arguments: UInt64(0)..<40)
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
    "Activities of several sequences add up to the whole, in seconds", arguments: UInt64(0)..<20)
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

  @Test("Seconds of an activity are those of a count frame by frame", arguments: UInt64(0)..<20)
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
