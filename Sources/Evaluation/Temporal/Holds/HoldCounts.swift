internal import PoseModel

/// How wrong a timer of one class is; sums over sequences.
///
/// A sequence's error is its own: too long in one does not make up for too short in another.
package struct HoldCounts: Hashable, Sendable {
  /// Sequences with a scored frame.
  package private(set) var sequences = 0
  /// The seconds of the class in truth.
  package private(set) var trueSeconds = 0.0
  /// The seconds of the class in answers.
  package private(set) var answeredSeconds = 0.0
  /// The sum over sequences of |answered - true| seconds.
  package private(set) var absoluteError = 0.0
  /// The sum over sequences of the longest true hold in seconds.
  package private(set) var longestTrue = 0.0
  /// The sum over sequences of the longest answered hold in seconds.
  package private(set) var longestAnswered = 0.0
  /// The sum over sequences of the longest holds' |answered - true| seconds.
  package private(set) var longestAbsoluteError = 0.0

  /// No sequence.
  package init() {}

  /// Times the spans of one sequence, reduced to one class.
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

  /// Adds the holds of other sequences.
  package static func += (left: inout HoldCounts, right: HoldCounts) {
    left.sequences += right.sequences
    left.trueSeconds += right.trueSeconds
    left.answeredSeconds += right.answeredSeconds
    left.absoluteError += right.absoluteError
    left.longestTrue += right.longestTrue
    left.longestAnswered += right.longestAnswered
    left.longestAbsoluteError += right.longestAbsoluteError
  }

  /// The seconds of the longest hold, forgiven gaps included; 0 where there is none.
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
