import Foundation
import PoseModel
import Statistics
import TestSupport
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

  @Test(
    "A detection takes from the true start to the first answer that counts",
    arguments: [
      // Answered late; never, and so censored at its length; already there, and so early.
      ("nnffffnn", "nnnnffnn", 0.0, 0.0, Latency(seconds: 0.25, isCensored: false)),
      ("nnffffnn", "nnnnnnff", 0, 0, Latency(seconds: 0.5, isCensored: true)),
      ("nnffffnn", "nfffffnn", 0, 0, Latency(seconds: 0, isCensored: false, isEarly: true)),
      // Where answers may come early, latencies are below 0.
      (
        "nnnnffffnn", "nnnfffffnn", 0.25, 0,
        Latency(seconds: -0.125, isCensored: false, isEarly: true)
      ),
      (
        "nnnnffffnn", "nfffffffnn", 0.25, 0,
        Latency(seconds: -0.25, isCensored: false, isEarly: true)
      ),
      // An answer that must stay counts from when it comes to stay.
      ("nnffffffnn", "nnfnnfffnn", 0, 0.25, Latency(seconds: 0.375, isCensored: false)),
      ("nnffff", "nnnfnf", 0, 0.25, Latency(seconds: 0.5, isCensored: true)),
    ])
  func detection(
    truth: String, answers: String, early: Double, confirm: Double, expected: Latency
  ) {
    let rule = LatencyRule(early: Seconds(early), confirm: Seconds(confirm))
    #expect(latencies(truth, answers, rule: rule).detections == [expected])
  }

  @Test("The start of an event that starts with scoring is not observed")
  func unknownStart() {
    #expect(
      latencies("ffff", "nfff").detections
        == [Latency(seconds: 0.125, isCensored: false, change: .unknown)])
    // The plank may have gone on behind the stretch that is ignored.
    #expect(latencies("nffxxff", "nffffff").detections.map(\.change) == [.observed, .unknown])
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

  @Test(
    "A release lasts to the first other answer, or is censored where the class starts again or scoring ends",
    arguments: [
      ("nffffhhhh", "nffffffhh", 0.25, false), ("fffnnfff", "ffffffff", 0.25, true),
      ("fffnnn..", "ffffffff", 0.375, true),
    ])
  func release(truth: String, answers: String, seconds: Double, isCensored: Bool) {
    #expect(
      latencies(truth, answers).releases == [Latency(seconds: seconds, isCensored: isCensored)])
  }

  @Test("What was never answered, and what has no end, has no release")
  func noRelease() {
    #expect(latencies("nfffnn", "nnnnnn").releases.isEmpty)
    #expect(latencies("nffff", "nffff").releases.isEmpty)
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

@Suite("Latency from onsets") struct LatencyOnsetTests {
  /// Eight frames per second; a forearm plank, or something else, starts at a frame.
  private func latencies(
    _ truth: String, _ answers: String, _ onset: Int, _ plank: PlankClass = .forearm
  ) -> (detections: [Latency], releases: [Latency]) {
    var scenario = Scenario(truth, answers: answers, rate: 8)
    scenario.onsets = [LabelOnset(time: Seconds(Double(onset) / 8), plank: plank)]
    return scenario.outcome.latencies(.plank, of: Scenario.plankCode("f"))
  }

  @Test(
    "A detection takes from the onset to the first answer, in scoring or before it",
    arguments: [
      ("nnnffffff", Latency(seconds: 0.125, isCensored: false)),
      ("nnnnnnfff", Latency(seconds: 0.5, isCensored: false)),
      // There at the onset; gone before scoring starts, which answers nothing.
      ("nffffffff", Latency(seconds: 0, isCensored: false, isEarly: true)),
      ("nnffnnnnn", Latency(seconds: 0.875, isCensored: true)),
    ])
  func detection(answers: String, expected: Latency) {
    #expect(latencies("nxxxxffff", answers, 2).detections == [expected])
  }

  @Test("A release takes from the onset of what follows to the first other answer")
  func release() {
    #expect(
      latencies("fffxxxxnn", "ffffffnnn", 4, .none).releases
        == [Latency(seconds: 0.25, isCensored: false)])
    #expect(
      latencies("fffxxxxnn", "fffnnnnnn", 4, .none).releases
        == [Latency(seconds: 0, isCensored: false, isEarly: true)])
  }

  @Test("Without an onset the same start is hidden")
  func withoutOnset() {
    let scenario = Scenario("nxxxxffff", answers: "nnnffffff", rate: 8)
    let found = scenario.outcome.latencies(.plank, of: Scenario.plankCode("f")).detections
    #expect(found.map(\.change) == [.hidden(upTo: 0.25)])
  }
}

@Suite("Latency from onsets, on random sequences") struct LatencyOnsetPropertyTests {
  @Test(
    "Leaving out a movement whose onset is known changes no latency of an event that is seen answered",
    arguments: Draws.seeds(60 as UInt64))
  func asIfAllWereScored(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var whole = Scenario.random(seed: seed, frames: 300)
    whole.plankTruth = String(whole.plankTruth.map { ".x".contains($0) ? "n" : $0 })
    whole.formTruth = nil
    let (partial, hidden) = Self.leftOut(whole, &random)
    #expect(!partial.onsets.isEmpty)
    let answers = whole.outcome.plank.answers
    for code in UInt8(1)..<6 {
      let expected = whole.outcome.latencies(.plank, of: code).detections
      let found = partial.outcome.latencies(.plank, of: code).detections
      let events = Self.events(whole, of: code)
      try #require(expected.count == found.count && events.count == found.count)
      for (event, (all, some)) in zip(events, zip(expected, found)) {
        let isSeen = event.contains { !hidden.contains($0) && answers[$0] == code }
        #expect(some == (isSeen ? all : Self.missed(event, whole, all.change)))
      }
    }
  }

  /// The scenario with frames around most changes ignored, and an onset at each of these changes.
  private static func leftOut(
    _ whole: Scenario, _ random: inout SplitMix64
  ) -> (Scenario, hidden: Set<Int>) {
    var partial = whole
    var truth = Array(whole.plankTruth)
    let changes = truth.indices.dropFirst().filter { truth[$0] != truth[$0 - 1] }
    let limits = [0] + changes + [truth.count]
    var hidden: Set<Int> = []
    for (index, change) in changes.enumerated() where random.unit() < 0.7 {
      let before = (change - limits[index] - 1) / 2
      let after = (limits[index + 2] - change - 1) / 2
      let frames =
        change - random.index(below: before + 1)..<change + random.index(below: after + 1)
      guard !frames.isEmpty else { continue }
      hidden.formUnion(frames)
      partial.onsets.append(
        LabelOnset(
          time: Seconds(whole.times[change]),
          plank: PlankClass(code: Scenario.plankCode(truth[change]))))
    }
    for frame in hidden { truth[frame] = "x" }
    partial.plankTruth = String(truth)
    return (partial, hidden)
  }

  private static func events(_ scenario: Scenario, of code: UInt8) -> [Range<Int>] {
    let codes = scenario.outcome.truth.plank
    var events: [Range<Int>] = []
    for frame in codes.indices where codes[frame] == code {
      if let last = events.last, last.upperBound == frame {
        events[events.count - 1] = last.lowerBound..<frame + 1
      } else {
        events.append(frame..<frame + 1)
      }
    }
    return events
  }

  private static func missed(
    _ event: Range<Int>, _ scenario: Scenario, _ change: Latency.Change
  ) -> Latency {
    let times = scenario.times
    let last = event.upperBound - 1
    let end =
      last + 1 < times.count ? times[last + 1] : times[last] + scenario.outcome.frameWeight.value
    return Latency(seconds: end - times[event.lowerBound], isCensored: true, change: change)
  }
}

/// Simulations of planks whose true starts are known, seen in full or through labels that hide them.
///
/// `PLANKLAB_PROVE=1` runs them at full size, as `make prove` does.
@Suite("Latency coverage") struct LatencyCoveragePropertyTests {
  private static let isFull = ProcessInfo.processInfo.environment["PLANKLAB_PROVE"] != nil

  @Test(
    "Intervals of latencies hold the true quantiles, however starts are hidden",
    arguments: LatencySimulation.Labels.allCases)
  func coverage(labels: LatencySimulation.Labels) throws {
    let simulation = LatencySimulation(
      labels: labels, runs: Self.isFull ? 1000 : 40, resamples: Self.isFull ? 1000 : 200)
    let found = try simulation.run()
    let least = Self.isFull ? 0.93 : 0.85
    #expect(found.median >= least, "\(labels): \(found)")
    #expect(found.ninetieth >= least - 0.02, "\(labels): \(found)")
    if labels != .observed, labels != .hiddenLate {
      // Taking the start of scoring for the start of the plank makes the detector look fast.
      #expect(found.naiveMedian < 0.5, "\(labels): \(found)")
    }
    if Self.isFull {
      print(
        "latency, \(labels.rawValue): median covered \(found.median), 90th percentile "
          + "\(found.ninetieth), median with the start of scoring as start \(found.naiveMedian)")
    }
  }

  @Test("Without an observed start there is no latency, and the bounds hold the truth")
  func allHidden() throws {
    var simulation = LatencySimulation(labels: .hiddenAnywhere, runs: 1, resamples: 1)
    simulation.hiddenShare = 1
    let stream = RandomStream(seed: 3, purpose: "latency simulation")
    let pool = PooledCounts(simulation.people(stream), .plank)
    let view = ScoreView(pool)
    #expect(view[.detectionLatencyMedian] == .undefined(.noObservedStart))
    #expect(view[.hitRate] == .value(1))
    let bounds = try #require(TemporalMetrics(pool.temporal).detection.medianBounds)
    #expect(bounds.contains(LatencySimulation.median))
    #expect(bounds.upperBound - bounds.lowerBound > 0.3)
  }
}

/// Twelve people of eight planks each, with latencies that differ by person and by plank.
struct LatencySimulation {
  enum Labels: String, CaseIterable {
    case observed = "observed"
    /// Two in three planks start anywhere in an ignored second.
    case hiddenAnywhere = "hidden anywhere"
    /// They start with the ignored second: labels wait until everything is still.
    case hiddenEarly = "hidden early"
    /// They start at its end, or nearly so: labels leave out the movement.
    case hiddenLate = "hidden late"
    case beforeRecording = "before the recording"
  }

  let labels: Labels
  let runs: Int
  let resamples: Int
  /// The share of unobserved starts.
  var hiddenShare = 2.0 / 3

  /// Frames per second.
  static let rate = 30.0
  /// The median of exp(N(log 0.25, 0.35^2 + 0.2^2)) seconds, up to the next frame.
  static let median = 8 / rate
  /// Its 90th percentile, up to the next frame: 0.25 exp(1.2816 x 0.4031) = 0.419 s.
  static let ninetieth = 13 / rate

  /// How often the intervals hold the true quantiles, and how often the median's would if every
  /// plank began where scoring begins.
  func run() throws -> (median: Double, ninetieth: Double, naiveMedian: Double) {
    let stream = RandomStream(seed: 2, purpose: "latency simulation \(labels)")
    let keys = [
      MetricKey(.detectionLatencyMedian, in: .plank),
      MetricKey(.detectionLatencyNinetieth, in: .plank),
    ]
    var hits = (median: 0, ninetieth: 0, naive: 0)
    for run in 0..<runs {
      let people = people(stream)
      let found = StreamUncertainty(people, .plank, keys, resamples: resamples, seed: UInt64(run))
      if holds(found, keys[0], Self.median) { hits.median += 1 }
      if holds(found, keys[1], Self.ninetieth) { hits.ninetieth += 1 }
      if naive(people) == Self.median { hits.naive += 1 }
    }
    let count = Double(runs)
    return (Double(hits.median) / count, Double(hits.ninetieth) / count, Double(hits.naive) / count)
  }

  private func holds(_ found: StreamUncertainty, _ key: MetricKey, _ truth: Double) -> Bool {
    guard let interval = found.intervals[key]?.wider.interval else { return false }
    return interval.lower - 1e-9 <= truth && truth <= interval.upper + 1e-9
  }

  /// The median with the start of scoring as the start of every plank, to the frame.
  private func naive(_ people: [SequenceScores]) -> Double {
    let all = PooledCounts(people, .plank).temporal.classes.flatMap(\.detections)
    let median = SurvivalCurve(all).quantile(0.5) ?? .infinity
    return (median * Self.rate).rounded() / Self.rate
  }

  func people(_ stream: RandomStream) -> [SequenceScores] {
    (0..<12).flatMap { person in
      let pace = stream.gaussian(standardDeviation: 0.2)
      return (0..<8).map { plank in
        let seconds = 0.25 * stream.lognormal(logMean: pace, logStandardDeviation: 0.35)
        return scores(
          "p\(person)-\(plank)", "p\(person)", Int((seconds * Self.rate).rounded(.up)), stream)
      }
    }
  }

  /// Two seconds of nothing and three of a plank that is answered some frames after its start.
  private func scores(
    _ name: String, _ person: String, _ latency: Int, _ stream: RandomStream
  ) -> SequenceScores {
    let (start, count) = (60, 150)
    let isHidden = labels != .observed && stream.bernoulli(hiddenShare)
    // How many frames after the start scoring starts again, of the thirty that are ignored.
    let late = labels == .hiddenEarly ? 29 : labels == .hiddenLate ? 0 : stream.index(below: 30)
    var truth = (0..<count).map { $0 < start ? UInt8(0) : 2 }
    var answers = (0..<count).map { $0 < start + latency ? UInt8(0) : 2 }
    if isHidden, labels == .beforeRecording {
      truth.removeFirst(start + late)
      answers.removeFirst(start + late)
    } else if isHidden {
      for frame in start + late - 30..<start + late { truth[frame] = FrameTruth.ignored }
    }
    let segments = truth.enumerated().map { frame, code in
      LabeledSegment(
        Double(frame) / Self.rate, Double(frame + 1) / Self.rate,
        code == FrameTruth.ignored ? nil : PlankClass(code: code))
    }
    let times = truth.indices.map { Double($0) / Self.rate }
    guard let track = try? LabelTrack(segments) else { preconditionFailure("one after another") }
    return SequenceScores(
      SequenceOutcome(
        name: name, subject: person, times: times, truth: track.truth(at: times),
        plank: StreamOutcome(answers: answers),
        form: StreamOutcome(answers: answers.map { _ in 0 }), frameWeight: Seconds(1 / Self.rate)))
  }
}
