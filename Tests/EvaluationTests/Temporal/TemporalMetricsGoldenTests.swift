import PoseModel
import Testing

@testable import Evaluation

/// Values of sed_eval, rapidfuzz, lifelines and of the definitions; `scripts/oracles` says how.
@Suite("Temporal metrics goldens")
struct TemporalMetricsGoldenTests {
  /// One sequence with its metrics.
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
      substitutions =
        try container.decodeNil() ? nil : try container.decode(Int.self)
    }
  }

  static let cases = GoldenFile.cases("temporal_metrics.json", of: Case.self)

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
      #expect([pooled.matched, pooled.truth, pooled.answers] == row.counts)
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
