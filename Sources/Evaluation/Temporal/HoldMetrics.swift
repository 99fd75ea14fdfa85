package import PoseModel

/// The error of the timer that a user sees, averaged over sequences, and then over sources.
package struct HoldMetrics: Codable, Hashable, Sendable {
  package let counts: HoldCounts
  /// The mean over sequences of |answered - true| seconds.
  package let error: MetricValue
  /// The mean over sequences of answered - true seconds: positive is too long.
  package let signedError: MetricValue
  /// The sum of |answered - true| over the sum of true seconds.
  package let relativeError: MetricValue
  /// The mean over sequences of |answered - true| for the longest hold, in seconds.
  package let longestError: MetricValue
  /// The mean over sequences of answered - true for the longest hold, in seconds.
  package let longestSignedError: MetricValue

  private enum CodingKeys: String, CodingKey {
    case counts
    case error = "error_s"
    case signedError = "signed_error_s"
    case relativeError = "relative_error"
    case longestError = "longest_error_s"
    case longestSignedError = "longest_signed_error_s"
  }

  package init(_ counts: HoldCounts) {
    let sequences = Double(counts.sequences)
    self.counts = counts
    error = .ratio(counts.absoluteError, sequences, orElse: .noScoredFrames)
    signedError = .ratio(
      counts.answeredSeconds - counts.trueSeconds, sequences, orElse: .noScoredFrames)
    relativeError = .ratio(
      counts.absoluteError, counts.trueSeconds,
      orElse: counts.sequences == 0 ? .noScoredFrames : .noTruth)
    longestError = .ratio(counts.longestAbsoluteError, sequences, orElse: .noScoredFrames)
    longestSignedError = .ratio(
      counts.longestAnswered - counts.longestTrue, sequences, orElse: .noScoredFrames)
  }

  /// Averages over the sources with a scored frame, each of which counts once; the counts are those
  /// of all sources.
  init(sources: [HoldCounts]) {
    let scored = sources.filter { $0.sequences > 0 }
    let parts = (scored.isEmpty ? [sources[0]] : scored).map { HoldMetrics($0) }
    func mean(_ metric: KeyPath<HoldMetrics, MetricValue>) -> MetricValue {
      .mean(parts.map { $0[keyPath: metric] })
    }
    counts = sources.dropFirst().reduce(into: sources[0]) { $0 += $1 }
    error = mean(\.error)
    signedError = mean(\.signedError)
    relativeError = mean(\.relativeError)
    longestError = mean(\.longestError)
    longestSignedError = mean(\.longestSignedError)
  }
}

package struct HoldRule: Hashable, Sendable {
  /// The longest gap (inclusive) that does not end a hold; it counts as held.
  package let forgivenGap: Seconds

  /// The rule of the metrics: half a second, which is also how long an answer is kept over missing
  /// frames.
  package static let standard = HoldRule(forgivenGap: Seconds(0.5))
}

/// The timer's error of a class; each sequence has its own: too long in one does not make up for
/// too short in another.
package struct HoldCounts: Codable, Hashable, Sendable {
  package private(set) var sequences = 0
  package private(set) var trueSeconds = 0.0
  package private(set) var answeredSeconds = 0.0
  package private(set) var absoluteError = 0.0
  package private(set) var longestTrue = 0.0
  package private(set) var longestAnswered = 0.0
  package private(set) var longestAbsoluteError = 0.0

  private enum CodingKeys: String, CodingKey {
    case sequences
    case trueSeconds = "true_s"
    case answeredSeconds = "answered_s"
    case absoluteError = "absolute_error_s"
    case longestTrue = "longest_true_s"
    case longestAnswered = "longest_answered_s"
    case longestAbsoluteError = "longest_absolute_error_s"
  }

  package init() {}

  init(_ spans: [ScoredSpan], rule: HoldRule = .standard) {
    guard !spans.isEmpty else { return }
    sequences = 1
    for span in spans {
      trueSeconds += ScoredSpan.events(span.truth).reduce(0) { $0 + $1.seconds }
      answeredSeconds += ScoredSpan.events(span.answers).reduce(0) { $0 + $1.seconds }
      longestTrue = max(longestTrue, Self.longest(span.truth, rule))
      longestAnswered = max(longestAnswered, Self.longest(span.answers, rule))
    }
    absoluteError = abs(answeredSeconds - trueSeconds)
    longestAbsoluteError = abs(longestAnswered - longestTrue)
  }

  package static func += (left: inout HoldCounts, right: HoldCounts) {
    left.sequences += right.sequences
    left.trueSeconds += right.trueSeconds
    left.answeredSeconds += right.answeredSeconds
    left.absoluteError += right.absoluteError
    left.longestTrue += right.longestTrue
    left.longestAnswered += right.longestAnswered
    left.longestAbsoluteError += right.longestAbsoluteError
  }

  private static func longest(_ runs: [LabelRun], _ rule: HoldRule) -> Double {
    var longest = 0.0
    var held = 0.0
    var gap = 0.0
    for run in runs {
      if run.code == 1 {
        let isForgiven = gap <= rule.forgivenGap.value + FrameTiming.slack
        held = isForgiven && held > 0 ? held + gap + run.seconds : run.seconds
        longest = max(longest, held)
        gap = 0
      } else {
        gap = run.seconds
      }
    }
    return longest
  }
}

extension Metric {
  static let holds: [Metric] = [.holdError, .longestHoldError]

  package static let holdError = Metric(
    name: "hold_error_s", meaning: "How wrong the time held is, in a session on average.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), scope: .session,
    formula: .holds { HoldMetrics($0).error })

  package static let longestHoldError = Metric(
    name: "longest_hold_error_s",
    meaning: "How wrong the longest hold is, in a session on average; gaps up to 0.5 s are "
      + "forgiven.",
    unit: "s", higherIsBetter: false, range: 0...(.infinity), scope: .session,
    formula: .holds { HoldMetrics($0).longestError })
}
