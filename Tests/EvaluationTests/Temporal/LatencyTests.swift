import PoseModel
import Testing

@testable import Evaluation

@Suite("Latency")
struct LatencyTests {
  private func latencies(
    _ truth: String, _ answers: String, rule: LatencyRule = .standard
  ) -> (detections: [Latency], releases: [Latency]) {
    Scenario(truth, answers: answers, rate: 8).outcome.latencies(
      .plank, of: Scenario.plankCode("f"), rule: rule)
  }

  @Test("A detection takes from the true start to the first answer")
  func detection() {
    #expect(
      latencies("nnffffnn", "nnnnffnn").detections
        == [Latency(seconds: 0.25, isCensored: false)])
  }

  @Test("An event that is never answered is censored at its length")
  func miss() {
    #expect(
      latencies("nnffffnn", "nnnnnnff").detections == [Latency(seconds: 0.5, isCensored: true)])
  }

  @Test("An answer that is there already has latency 0 and is early")
  func early() {
    #expect(
      latencies("nnffffnn", "nfffffnn").detections
        == [Latency(seconds: 0, isCensored: false, isEarly: true)])
  }

  @Test("The start of an event that starts with scoring is not observed")
  func unknownStart() {
    #expect(
      latencies("ffff", "nfff").detections
        == [Latency(seconds: 0.125, isCensored: false, change: .unknown)])
    // The plank may have gone on behind the stretch that is ignored.
    #expect(
      latencies("nffxxff", "nffffff").detections.map(\.change) == [.observed, .unknown])
  }

  @Test(
    "A start in an ignored stretch lies between its two ends",
    arguments: [
      // Answered 1 frame after scoring starts: the plank may be 3 frames older, back to the n's
      // end.
      ("nnxxxffff", "nnnnnnfff", 0.125, 0.375),
      // Answered in the stretch, 2 frames before scoring: it was followed within 1 frame at most.
      ("nnxxxffff", "nnnffffff", 0, 0.125),
      // Answered all the time since before: at once.
      ("nnxxxffff", "nfffffffff", 0, 0),
      // Never answered: it lasted 4 frames, perhaps 3 more.
      ("nnxxxffffn", "nnnnnnnnnn", 0.5, 0.375),
    ])
  func hiddenStart(truth: String, answers: String, seconds: Double, upTo: Double) {
    let answers = String(answers.prefix(truth.count))
    let found = latencies(truth, answers).detections
    #expect(found.map(\.seconds) == [seconds])
    #expect(found.map(\.change) == [.hidden(upTo: upTo)])
  }

  @Test("Quantiles are of observed starts; hidden ones widen the bounds, unknown ones do nothing")
  func quantilesOfObserved() throws {
    let observed = [0.1, 0.2, 0.3].map { Latency(seconds: $0, isCensored: false) }
    let hidden = Latency(seconds: 0, isCensored: false, change: .hidden(upTo: 2))
    let unknown = Latency(seconds: 0, isCensored: false, change: .unknown)
    let metrics = LatencyMetrics(observed + [hidden, hidden, unknown])
    #expect(metrics.median == .value(0.2))
    #expect(isNear(metrics.meanOverHits, 0.2))
    #expect(metrics.medianBounds == 0.1...0.3)
    #expect(LatencyMetrics(observed + [unknown]).medianBounds == 0.2...0.2)
    #expect((metrics.observedChanges, metrics.hiddenChanges, metrics.unknownChanges) == (3, 2, 1))
    #expect(metrics.hitRate == .value(1))
    let blind = LatencyMetrics([hidden, unknown])
    #expect(blind.median == .undefined(.noObservedStart))
    #expect(blind.earlyShare == .undefined(.noObservedStart))
    #expect(blind.medianBounds == 0...2)
    #expect(LatencyMetrics([unknown]).medianBounds == nil)
  }

  @Test("Where answers may come early, latencies are below 0")
  func allowedEarly() {
    let rule = LatencyRule(early: Seconds(0.25))
    #expect(
      latencies("nnnnffffnn", "nnnfffffnn", rule: rule).detections
        == [Latency(seconds: -0.125, isCensored: false, isEarly: true)])
    #expect(
      latencies("nnnnffffnn", "nfffffffnn", rule: rule).detections
        == [Latency(seconds: -0.25, isCensored: false, isEarly: true)])
  }

  @Test("An answer that must stay counts from when it comes to stay")
  func confirmed() {
    let rule = LatencyRule(confirm: Seconds(0.25))
    #expect(
      latencies("nnffffffnn", "nnfnnfffnn", rule: rule).detections
        == [Latency(seconds: 0.375, isCensored: false)])
    #expect(
      latencies("nnffff", "nnnfnf", rule: rule).detections
        == [Latency(seconds: 0.5, isCensored: true)])
  }

  @Test("A release lasts from the true end to the first other answer, whatever it is")
  func release() {
    #expect(
      latencies("nffffhhhh", "nffffffhh").releases
        == [Latency(seconds: 0.25, isCensored: false)])
  }

  @Test("A release is censored where the class starts again, and where scoring ends")
  func censoredRelease() {
    #expect(
      latencies("fffnnfff", "ffffffff").releases == [Latency(seconds: 0.25, isCensored: true)])
    #expect(
      latencies("fffnnn..", "ffffffff").releases == [Latency(seconds: 0.375, isCensored: true)])
  }

  @Test("What was never answered, and what has no end, has no release")
  func noRelease() {
    #expect(latencies("nfffnn", "nnnnnn").releases.isEmpty)
    #expect(latencies("nffff", "nffff").releases.isEmpty)
  }

  @Test("Quantiles count misses; with too many they are undefined")
  func quantiles() {
    let hits = [0.1, 0.2, 0.3, 0.4].map { Latency(seconds: $0, isCensored: false) }
    let miss = Latency(seconds: 2, isCensored: true)
    #expect(LatencyMetrics(hits).median == .value(0.2))
    #expect(LatencyMetrics(hits).ninetieth == .value(0.4))
    let some = LatencyMetrics(hits + [miss, miss])
    #expect(some.median == .value(0.3))
    #expect(some.ninetieth == .undefined(.tooManyMisses))
    #expect(isNear(some.meanOverHits, 0.25))
    #expect(isNear(some.hitRate, 4.0 / 6))
  }

  @Test("An early censoring takes its event out of those that could still be followed")
  func censoring() {
    // Of four, one ends unanswered after 0.1 s: S = 2/3 at 0.2, 1/3 at 0.3.
    let latencies =
      [0.2, 0.3, 0.4].map { Latency(seconds: $0, isCensored: false) }
      + [Latency(seconds: 0.1, isCensored: true)]
    #expect(LatencyMetrics(latencies).median == .value(0.3))
  }

  @Test("Without an event everything is undefined")
  func nothing() {
    let metrics = LatencyMetrics([])
    #expect(metrics.hitRate == .undefined(.noTrueEvent))
    #expect(metrics.median == .undefined(.noTrueEvent))
    #expect(metrics.meanOverHits == .undefined(.noTrueEvent))
    let missed = LatencyMetrics([Latency(seconds: 1, isCensored: true)])
    #expect(missed.meanOverHits == .undefined(.noHit))
    #expect(missed.median == .undefined(.tooManyMisses))
    #expect(missed.hitRate == .value(0))
  }
}
