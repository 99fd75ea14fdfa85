internal import PoseModel
internal import Statistics

package struct ChangeCounts: Hashable, Sendable {
  package var predicted = 0.0
  package var truth = 0.0
  package var evaluatedSeconds = 0.0

  package init(predicted: Double = 0, truth: Double = 0, evaluatedSeconds: Double = 0) {
    self.predicted = predicted
    self.truth = truth
    self.evaluatedSeconds = evaluatedSeconds
  }

  func perMinute(_ count: Double) -> MetricValue {
    .ratio(count, evaluatedSeconds / 60, orElse: .noScoredFrames)
  }
}

package struct StabilityCounts: Codable, Hashable, Sendable {
  package private(set) var predictedTransitions = 0
  package private(set) var trueTransitions = 0
  /// Changes of the answer that match no true change to the same class within 0.5 s.
  package private(set) var falseTransitions = 0
  package private(set) var missedTransitions = 0
  /// Answers that leave and come back within 0.5 s while the truth stays the same.
  package private(set) var flickers = 0
  package private(set) var evaluatedSeconds = 0.0

  private enum CodingKeys: String, SnakeCaseKey {
    case predictedTransitions, trueTransitions, falseTransitions, missedTransitions, flickers,
      evaluatedSeconds
  }

  package init() {}

  /// `truth` and `answers` are codes, one per frame; `frameSeconds` is the median frame interval.
  package init(times: [Double], truth: [UInt8], answers: [UInt8], frameSeconds: Double) {
    self.init(
      ScoredStream(times: times, truth: truth, answers: answers, frameSeconds: frameSeconds))
  }

  init(_ stream: ScoredStream) {
    let predicted = stream.transitions(of: stream.answers)
    let truth = stream.transitions(of: stream.truth)
    let matched = TransitionMatching.matches(predicted: predicted, true: truth)
    predictedTransitions = predicted.count
    trueTransitions = truth.count
    falseTransitions = predicted.count - matched
    missedTransitions = truth.count - matched
    flickers = stream.flickerCount
    evaluatedSeconds = stream.scoredSeconds
  }

  package var changes: ChangeCounts {
    ChangeCounts(
      predicted: Double(predictedTransitions), truth: Double(trueTransitions),
      evaluatedSeconds: evaluatedSeconds)
  }

  package var transitionRatio: MetricValue {
    .ratio(
      Double(predictedTransitions), Double(trueTransitions),
      orElse: evaluatedSeconds > 0 ? .noTrueEvent : .noScoredFrames)
  }

  package static func += (left: inout StabilityCounts, right: StabilityCounts) {
    left.predictedTransitions += right.predictedTransitions
    left.trueTransitions += right.trueTransitions
    left.falseTransitions += right.falseTransitions
    left.missedTransitions += right.missedTransitions
    left.flickers += right.flickers
    left.evaluatedSeconds += right.evaluatedSeconds
  }
}

/// The stability of answers; if nothing was scored, all metrics are undefined, even counts.
extension Metric {
  static let stability: [Metric] = [
    .transitionsPerMinute, .excessTransitionsPerMinute, .falseTransitionsPerMinute,
    .missedTransitions, .flickersPerMinute,
  ]

  package static let transitionsPerMinute = Metric(
    name: "transitions_per_minute", meaning: "Answer changes per minute.", unit: "1/min",
    higherIsBetter: false, range: 0...(.infinity), formula: .changes { $0.perMinute($0.predicted) })

  package static let excessTransitionsPerMinute = Metric(
    name: "excess_transitions_per_minute",
    meaning: "Answer changes per minute beyond the number of true transitions.",
    unit: "1/min", higherIsBetter: false, range: 0...(.infinity),
    formula: .changes { $0.perMinute(max(0, $0.predicted - $0.truth)) })

  package static let falseTransitionsPerMinute = Metric(
    name: "false_transitions_per_minute",
    meaning: "Answer changes per minute without a true transition to the same class within 0.5 s.",
    unit: "1/min", higherIsBetter: false, range: 0...(.infinity),
    formula: .stability { $0.changes.perMinute(Double($0.falseTransitions)) })

  package static let missedTransitions = Metric(
    name: "missed_transitions",
    meaning: "True transitions without an answer change to the same class within 0.5 s.",
    unit: "transitions", higherIsBetter: false, range: 0...(.infinity), spread: .bootstrap,
    formula: .stability {
      $0.evaluatedSeconds > 0 ? .value(Double($0.missedTransitions)) : .undefined(.noScoredFrames)
    })

  package static let flickersPerMinute = Metric(
    name: "flickers_per_minute",
    meaning: "Answers per minute that leave and return within 0.5 s while the label stays.",
    unit: "1/min", higherIsBetter: false, range: 0...(.infinity),
    formula: .stability { $0.changes.perMinute(Double($0.flickers)) })
}

package struct DwellSummary: Codable, Hashable, Sendable {
  package let runs: Int
  package let median: MetricValue
  package let tenth: MetricValue
  package let ninetieth: MetricValue
  package let longest: MetricValue
  package let shortShare: MetricValue

  private enum CodingKeys: String, CodingKey {
    case runs
    case median = "p50_s"
    case tenth = "p10_s"
    case ninetieth = "p90_s"
    case longest = "longest_s"
    case shortShare = "share_under_500_ms"
  }

  package init(_ durations: [Double]) {
    let quantiles = Description.quantiles(durations, at: [0.1, 0.5, 0.9, 1])
    func quantile(_ index: Int) -> MetricValue {
      quantiles.map { .value($0[index]) } ?? .undefined(.occursNowhere)
    }
    runs = durations.count
    tenth = quantile(0)
    median = quantile(1)
    ninetieth = quantile(2)
    longest = quantile(3)
    let bound = ScoredStream.flickerBound - FrameTiming.slack
    shortShare = .ratio(
      Double(durations.count { $0 < bound }), Double(durations.count), orElse: .occursNowhere)
  }
}

package struct ClassDwells: Codable, Hashable, Sendable {
  package let truth: DwellSummary
  package let answers: DwellSummary

  private enum CodingKeys: String, CodingKey {
    case truth = "true"
    case answers = "predicted"
  }
}

/// How long truth and answers stay in each class.
///
/// A dwell is a run of consecutive scored frames of one class. Runs interrupted by unscored frames
/// are counted in parts.
package struct DwellCounts: Hashable, Sendable {
  package private(set) var truth: [[Double]] = []
  package private(set) var answers: [[Double]] = []

  package init() {}

  init(_ spans: [ScoredSpan], labelCount: Int) {
    guard !spans.isEmpty else { return }
    truth = Array(repeating: [], count: labelCount)
    answers = truth
    for span in spans {
      for run in span.truth { truth[Int(run.code)].append(run.seconds) }
      for run in span.answers { answers[Int(run.code)].append(run.seconds) }
    }
  }

  package static func += (left: inout DwellCounts, right: DwellCounts) {
    add(&left.truth, right.truth)
    add(&left.answers, right.answers)
  }

  func summaries(_ labels: [String]) -> [String: ClassDwells] {
    func summary(_ durations: [[Double]], _ code: Int) -> DwellSummary {
      DwellSummary(code < durations.count ? durations[code] : [])
    }
    return Dictionary(
      uniqueKeysWithValues: labels.enumerated().map { code, label in
        (label, ClassDwells(truth: summary(truth, code), answers: summary(answers, code)))
      })
  }

  package var longestAnswer: MetricValue { .of(answers.joined().max(), orElse: .noScoredFrames) }

  private static func add(_ left: inout [[Double]], _ right: [[Double]]) {
    if left.isEmpty { left = Array(repeating: [], count: right.count) }
    for (code, durations) in right.enumerated() { left[code] += durations }
  }
}

struct Transition: Hashable {
  let time: Double
  let to: UInt8
}

extension ScoredStream {
  func transitions(of codes: [UInt8]) -> [Transition] {
    var found: [Transition] = []
    for frame in times.indices.dropFirst() where codes[frame] != codes[frame - 1] {
      guard isScored(frame), isScored(frame - 1) else { continue }
      found.append(Transition(time: times[frame], to: codes[frame]))
    }
    return found
  }
}

enum TransitionMatching {
  /// The largest distance of two matched changes in seconds, inclusive.
  static let collar = 0.5

  /// The size of a maximum one-to-one matching of changes to equal classes within the collar.
  ///
  /// Within a class, all changes can match intervals of equal width, so matching the earliest two
  /// that can match is never worse than leaving one of them for a later partner.
  static func matches(predicted: [Transition], true truth: [Transition]) -> Int {
    Set(predicted.map(\.to)).reduce(0) { sum, label in
      sum
        + matches(
          predicted.filter { $0.to == label }.map(\.time),
          truth.filter { $0.to == label }.map(\.time))
    }
  }

  private static func matches(_ predicted: [Double], _ truth: [Double]) -> Int {
    var count = 0
    var (left, right) = (0, 0)
    while left < predicted.count, right < truth.count {
      let difference = predicted[left] - truth[right]
      if abs(difference) <= collar + FrameTiming.slack {
        count += 1
        left += 1
        right += 1
      } else if difference < 0 {
        left += 1
      } else {
        right += 1
      }
    }
    return count
  }
}

extension ScoredStream {
  /// The duration in seconds below which a passing answer is a flicker; 0.5 s is not a flicker.
  static let flickerBound = 0.5

  /// A flicker is a run B between two runs of A that lasts less than 0.5 s, from its first frame to
  /// the first frame of the next run.
  ///
  /// Every frame from the last A before it to the first A after it must be scored and of one true
  /// class. In A, B, A, B, A, both B runs and the inner A may count.
  var flickerCount: Int {
    var count = 0
    var start: Int?  // first frame of the current run, if another run precedes it
    for frame in answers.indices.dropFirst() where answers[frame] != answers[frame - 1] {
      if let start, answers[start - 1] == answers[frame],
        times[frame] - times[start] < Self.flickerBound - FrameTiming.slack,
        isScored(frame), truth[start - 1...frame].allSatisfy({ $0 == truth[frame] })
      {
        count += 1
      }
      start = frame
    }
    return count
  }
}
