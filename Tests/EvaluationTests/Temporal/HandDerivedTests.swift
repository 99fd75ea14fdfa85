import PoseModel
import Testing

@testable import Evaluation

/// Cases worked out by hand; `docs/metrics.md` derives the numbers of two.
@Suite("Cases by hand")
struct HandDerivedTests {
  /// One sequence with everything that is counted of it.
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
