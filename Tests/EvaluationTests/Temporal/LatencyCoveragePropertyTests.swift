import Foundation
import PoseModel
import Statistics
import Testing

@testable import Evaluation

/// Simulations of planks whose true starts are known, seen in full or through labels that hide them.
///
/// `PLANKLAB_PROVE=1` runs them at full size, as `make prove` does.
@Suite("Latency coverage")
struct LatencyCoveragePropertyTests {
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
  /// How labels show the starts.
  enum Labels: String, CaseIterable {
    /// All of them.
    case observed = "observed"
    /// Two in three planks start anywhere in an ignored second.
    case hiddenAnywhere = "hidden anywhere"
    /// They start with the ignored second: labels wait until everything is still.
    case hiddenEarly = "hidden early"
    /// They start at its end, or nearly so: labels leave out the movement.
    case hiddenLate = "hidden late"
    /// Two in three recordings start with a plank under way.
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
      let found = StreamUncertainty(
        people, .plank, keys, resamples: resamples, seed: UInt64(run))
      if holds(found, keys[0], Self.median) { hits.median += 1 }
      if holds(found, keys[1], Self.ninetieth) { hits.ninetieth += 1 }
      if naive(people) == Self.median { hits.naive += 1 }
    }
    let count = Double(runs)
    return (
      Double(hits.median) / count, Double(hits.ninetieth) / count, Double(hits.naive) / count
    )
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

  /// One draw of all people.
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
        start: Seconds(Double(frame) / Self.rate), end: Seconds(Double(frame + 1) / Self.rate),
        plank: code == FrameTruth.ignored ? nil : PlankClass(code: code), form: nil)
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
