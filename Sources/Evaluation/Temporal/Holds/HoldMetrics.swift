/// How wrong the timer is that a user sees, a sequence on average.
package struct HoldMetrics: Hashable, Sendable {
  /// What the metrics are made of.
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

  /// Derives the metrics of pooled counts.
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
}
