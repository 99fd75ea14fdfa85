import PoseModel
import TestSupport
import Testing

@testable import Evaluation

@Suite("Temporal metrics") struct TemporalMetricsTests {
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
}

/// The cases that `docs/metrics.md` works out by hand, with the numbers that it has.
@Suite("Cases by hand") struct HandDerivedTests {
  private struct Course {
    let metrics: TemporalMetrics
    let stability: StabilityCounts

    init(_ truth: String, _ answers: String, rate: Double = 8) {
      let scores = SequenceScores(
        Scenario(Self.spelled(truth), answers: Self.spelled(answers), rate: rate).outcome)
      metrics = TemporalMetrics(scores.plank.temporal)
      stability = scores.plank.stability
    }

    func events(_ collar: Double = 0.5, ends: Bool = true) throws -> EventScores {
      let rule = EventRule(collar: Seconds(collar), countsEnds: ends)
      return metrics.events[try #require(metrics.rules.firstIndex(of: rule))]
    }

    func classMetrics(_ label: String) throws -> ClassTemporalMetrics {
      try #require(metrics.classes.first { $0.label == label })
    }

    /// `n8 f24` as letters.
    private static func spelled(_ text: String) -> String {
      text.split(separator: " ").map { part in
        String(repeating: String(part.prefix(1)), count: Int(part.dropFirst()) ?? 1)
      }.joined()
    }
  }

  @Test("1: another class")
  func anotherClass() throws {
    let course = Course("n8 f24 n8", "n8 h24 n8")
    #expect(try course.events().f1 == .value(0))
    #expect(try course.events().errorRate == .value(1))
    #expect(try course.classMetrics("forearm").ward.seconds(.deletion) == 3)
    #expect(try course.classMetrics("high").ward.seconds(.insertion) == 3)
    #expect(course.metrics.detection.hitRate == .value(0))
    #expect(course.metrics.detection.median == .undefined(.tooManyMisses))
    #expect(course.metrics.release.changes == 0)
    #expect(course.metrics.any.holds.error == .value(0))
    #expect(course.stability.falseTransitions == 1)
    #expect(course.stability[.missedTransitions] == .value(1))
  }

  @Test("2: fragmented")
  func fragmented() throws {
    let course = Course("n8 f48 n8", "n8 f16 n2 f30 n8")
    #expect(try course.events().f1 == .value(0))
    #expect(isNear(try course.events(ends: false).f1, 2.0 / 3))
    let ward = try course.classMetrics("forearm").ward
    #expect(ward.seconds(.fragmenting) == 0.25 && ward.seconds(.truePositive) == 5.75)
    #expect(ward.truth(.fragmented) == 1 && ward.answers(.fragmented) == 2)
    #expect(course.metrics.any.holds.signedError == .value(-0.25))
    #expect(course.metrics.any.holds.longestError == .value(0))
    #expect(course.metrics.segments.editScore == .value(50))
    #expect(course.metrics.detection.median == .value(0))
    #expect(course.stability.predictedTransitions == 4)
    #expect(course.stability.falseTransitions == 2)
    #expect(course.stability.flickers == 1)
    #expect(course.stability[.flickersPerMinute] == .value(1 / (8.0 / 60)))
  }

  @Test("3: merged")
  func merged() throws {
    let course = Course("n2 f16 n3 f16 n2", "n2 f35 n2")
    #expect(try course.events().f1 == .value(0))
    #expect(isNear(try course.events(ends: false).f1, 2.0 / 3))
    let ward = try course.classMetrics("forearm").ward
    #expect(ward.seconds(.merge) == 0.375 && ward.seconds(.truePositive) == 4)
    #expect(ward.truth(.merged) == 2 && ward.answers(.merged) == 1)
    #expect(course.metrics.release.changes == 2 && course.metrics.release.hits == 1)
    #expect(course.metrics.release.median == .value(0))
    #expect(course.metrics.release.ninetieth == .undefined(.tooManyMisses))
    #expect(course.metrics.segments.greedyHits == [1, 1, 0])
    #expect(isNear(course.metrics.segments.f1()[0], 2.0 / 3))
    #expect(course.metrics.any.holds.signedError == .value(0.375))
    #expect(course.metrics.any.holds.longestError == .value(0))
  }

  @Test("4: late")
  func late() throws {
    let course = Course("n10 f40 n14", "n14 f42 n8")
    #expect(try course.events(0.25).f1 == .value(0))
    #expect(try course.events().f1 == .value(1))
    let ward = try course.classMetrics("forearm").ward
    #expect(ward.seconds(.underfillStart) == 0.5 && ward.seconds(.overfillEnd) == 0.75)
    #expect(ward.seconds(.truePositive) == 4.5 && ward.seconds(.trueNegative) == 2.25)
    #expect(course.metrics.detection.median == .value(0.5))
    #expect(course.metrics.release.median == .value(0.75))
    #expect(course.metrics.any.holds.signedError == .value(0.25))
    #expect(course.stability.falseTransitions == 1)
    #expect(course.stability[.missedTransitions] == .value(1))
  }

  @Test("5: a frame each")
  func backAndForth() throws {
    let course = Course(
      "f64", (0..<32).map { _ in "f1 h1" }.joined(separator: " "), rate: 16)
    #expect(try course.events().f1 == .value(0))
    #expect(isNear(try course.events(ends: false).f1, 2.0 / 65))
    let ward = try course.classMetrics("forearm").ward
    #expect(ward.seconds(.truePositive) == 2 && ward.seconds(.fragmenting) == 31.0 / 16)
    #expect(ward.seconds(.underfillEnd) == 1.0 / 16)
    #expect(try course.classMetrics("high").ward.seconds(.insertion) == 2)
    #expect(course.metrics.any.holds.error == .value(0))
    #expect(course.metrics.segments.editScore == .value(1.5625))
    #expect(isNear(course.stability[.transitionsPerMinute], 945))
    #expect(isNear(course.stability[.flickersPerMinute], 930))
    #expect(course.stability.transitionRatio == .undefined(.noTrueEvent))
  }

  @Test("6: misses in a median")
  func censored() {
    let latencies = [
      Latency(seconds: 0.25, isCensored: false), Latency(seconds: 0.5, isCensored: false),
      Latency(seconds: 0.75, isCensored: true), Latency(seconds: 1, isCensored: false),
      Latency(seconds: 3, isCensored: true),
    ]
    let metrics = LatencyMetrics(latencies)
    #expect(metrics.median == .value(1))
    #expect(metrics.ninetieth == .undefined(.tooManyMisses))
    #expect(isNear(metrics.meanOverHits, 1.75 / 3))
    #expect(metrics.hitRate == .value(0.6))
    // S falls to 3/10 at 1 s and stays there.
    #expect(SurvivalCurve(latencies).quantile(0.7) == 1)
    #expect(SurvivalCurve(latencies).quantile(0.71) == nil)
  }
}

/// Values of sed_eval, rapidfuzz, lifelines and of the definitions; `scripts/oracles` says how.
@Suite("Temporal metrics goldens") struct TemporalMetricsGoldenTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let rate: Double
    let truth: String
    let answers: String
    let events: [EventRow]
    let bins: [Int]
    let edit: Double
    let segmentHits: [Int]
    let optimalHits: [Int]
    let stability: [Int]
    let dwells: [[Double?]]
    let detection: [Double?]
    let release: [Double?]
    let holds: [Double]
    var testDescription: String { name }
    var metrics: TemporalMetrics { TemporalMetrics(counts) }
    var counts: TemporalCounts { scores.plank.temporal }

    var scores: SequenceScores {
      SequenceScores(Scenario(truth, answers: answers, rate: rate).outcome)
    }
  }

  /// Collar, whether ends count, matched, truth, answers, substitutions.
  struct EventRow: Decodable, Sendable {
    let collar: Double
    let countsEnds: Bool
    let counts: [Int]
    let substitutions: Int?

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      collar = try container.decode(Double.self)
      countsEnds = try container.decode(Bool.self)
      counts = [
        try container.decode(Int.self), try container.decode(Int.self),
        try container.decode(Int.self),
      ]
      substitutions = try container.decodeNil() ? nil : try container.decode(Int.self)
    }
  }

  static let cases = GoldenFile.cases(
    "EvaluationTests/Goldens/temporal_metrics.json", of: Case.self)

  @Test("The file has edge cases and at least fifty random ones")
  func fileIsComplete() {
    #expect(Self.cases.count { $0.name.hasPrefix("random") } >= 50)
    #expect(Self.cases.contains { $0.name == "all none" })
    #expect(Self.cases.contains { $0.name == "one class throughout" })
  }

  @Test("Events under every rule are matched as sed_eval matches them", arguments: cases)
  func events(golden: Case) throws {
    let tallies = golden.counts.events
    #expect(golden.events.count == tallies.count)
    for row in golden.events {
      let tally = try #require(
        tallies.first {
          $0.rule == EventRule(collar: Seconds(row.collar), countsEnds: row.countsEnds)
        })
      let pooled = tally.pooled
      #expect([pooled.matched, pooled.truth, pooled.predicted] == row.counts)
      if let substitutions = row.substitutions { #expect(tally.substitutions == substitutions) }
    }
  }

  @Test("Bins of a second are active as in sed_eval", arguments: cases)
  func bins(golden: Case) {
    let bins = golden.counts.classes.map(\.bins)
    #expect(
      [
        bins.reduce(0) { $0 + $1.both }, bins.reduce(0) { $0 + $1.truth },
        bins.reduce(0) { $0 + $1.answers },
      ] == golden.bins)
  }

  @Test("Orders and overlaps of segments are those of the definitions", arguments: cases)
  func segments(golden: Case) {
    let segments = golden.metrics.segments
    #expect(isNear(segments.editScore, golden.edit))
    #expect(segments.greedyHits == golden.segmentHits)
    #expect(segments.optimalHits == golden.optimalHits)
  }

  @Test(
    "Transitions are matched as scipy matches them, flickers counted as defined", arguments: cases)
  func stability(golden: Case) {
    let own = golden.scores.plank.stability
    #expect(
      [
        own.predictedTransitions, own.trueTransitions, own.falseTransitions,
        own.missedTransitions, own.flickers,
      ] == golden.stability)
  }

  @Test("Dwells have numpy's quantiles", arguments: cases)
  func dwells(golden: Case) {
    for (durations, expected) in zip(golden.scores.plank.dwells.answers, golden.dwells) {
      let own = DwellSummary(durations)
      #expect(own.runs == expected[0].map { Int($0) })
      for (value, number) in zip(
        [own.tenth, own.median, own.ninetieth, own.longest, own.shortShare], expected.dropFirst())
      { #expect(isNear(value, number)) }
    }
  }

  @Test("Censored latencies have the quantiles of Kaplan and Meier", arguments: cases)
  func latencies(golden: Case) {
    let metrics = golden.metrics
    for (own, expected) in [
      (metrics.detection, golden.detection), (metrics.release, golden.release),
    ] {
      #expect(own.changes == expected[0].map { Int($0) })
      #expect(own.hits == expected[1].map { Int($0) })
      #expect(own.observedChanges == expected[5].map { Int($0) })
      #expect(isNear(own.median, expected[2]))
      #expect(isNear(own.ninetieth, expected[3]))
      #expect(isNear(own.meanOverHits, expected[4]))
    }
  }

  @Test("Holds last as long as the definitions say", arguments: cases)
  func holds(golden: Case) {
    let counts = golden.counts.any.holds
    for (own, expected) in zip(
      [counts.trueSeconds, counts.answeredSeconds, counts.longestTrue, counts.longestAnswered],
      golden.holds)
    {
      #expect(abs(own - expected) < 1e-9)
    }
  }
}

@Suite("Temporal metrics properties") struct TemporalMetricsPropertyTests {
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
    "A shift whose times are rounded changes no count and no number beyond rounding",
    arguments: Draws.seeds(30 as UInt64))
  func roundedShift(seed: UInt64) {
    let one = Scenario.random(seed: seed)
    var other = one
    other.times = one.times.map { $0 + 1234.567 }
    let (left, right) = (SequenceScores(one.outcome).plank, SequenceScores(other.outcome).plank)
    let (old, new) = (TemporalMetrics(left.temporal), TemporalMetrics(right.temporal))
    let views = [one, other].map { ScoreView(PooledCounts([SequenceScores($0.outcome)], .plank)) }
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
    "Ward's pieces add up to the time in which the class is true, and to all other time",
    arguments: Draws.seeds(30 as UInt64))
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

  @Test("Sequences add up in any grouping", arguments: UInt64(0)..<10)
  func grouping(seed: UInt64) {
    let parts = (0..<3).map { counts(even(3 * seed + $0)) }
    let (left, right) = bothGroupings(parts) { $0 += $1 }
    let (one, two) = (TemporalMetrics(left), TemporalMetrics(right))
    #expect(one.events == two.events)
    #expect(one.segments.greedyHits == two.segments.greedyHits)
    #expect(agree(one.segments.editScore, two.segments.editScore))
    #expect(one.detection == two.detection && one.release == two.release)
    for (a, b) in [
      (one.any.holds.error, two.any.holds.error),
      (one.any.holds.longestError, two.any.holds.longestError),
    ] { #expect(agree(a, b)) }
  }
}

/// Values that aqudem agrees with; `scripts/oracles` says how.
@Suite("Ward goldens") struct WardCountsGoldenTests {
  /// One sequence with frames and events of each class by kind of error.
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let rate: Double
    let truth: String
    let answers: String
    let classes: [String: Values]

    var testDescription: String { name }
  }

  /// Frames in the order of `pieces`; events of truth and answers in the order of `events`.
  struct Values: Decodable, Sendable {
    let frames: [Int]
    let events: [[Int]]
  }

  static let cases = GoldenFile.cases("EvaluationTests/Goldens/ward_metrics.json", of: Case.self)
  private let pieces: [WardPiece] = [
    .truePositive, .trueNegative, .deletion, .fragmenting, .underfillStart, .underfillEnd,
    .insertion, .merge, .overfillStart, .overfillEnd,
  ]
  private let events: [WardEvent] = [.correct, .alone, .fragmented, .merged, .fragmentedAndMerged]

  @Test("The file has at least fifty random cases")
  func fileIsComplete() {
    #expect(Self.cases.count { $0.name.hasPrefix("random") } >= 50)
    #expect(Self.cases.contains { $0.classes.isEmpty })
  }

  @Test("Every piece of time and every event is sorted as Ward sorts it", arguments: cases)
  func agrees(golden: Case) throws {
    let counts = SequenceScores(
      Scenario(golden.truth, answers: golden.answers, rate: golden.rate).outcome
    ).plank.temporal
    for (letter, expected) in golden.classes {
      let code = Int(Scenario.plankCode(try #require(letter.first)))
      let ward = counts.classes[code - 1].ward
      for (piece, frames) in zip(pieces, expected.frames) {
        #expect(abs(ward.seconds(piece) * golden.rate - Double(frames)) < 1e-9, "\(piece)")
      }
      #expect(events.map(ward.truth) == expected.events[0])
      #expect(events.map(ward.answers) == expected.events[1])
    }
  }
}
