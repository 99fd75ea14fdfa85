/// The scores of one pool of frames: matrices, determined shares, metrics, stability.
package struct ScoreView: Hashable, Sendable {
  /// Rows truth, columns answers, in frames.
  package let confusion: ConfusionMatrix<Int>
  /// The same in seconds, each frame as long as its sequence's median interval.
  package let confusionSeconds: ConfusionMatrix<Double>
  /// The share of determined frames.
  package let determinedFrames: DeterminedShare
  /// The share of determined seconds.
  package let determinedSeconds: DeterminedShare
  /// Metrics over all scored frames, from seconds: what a user saw.
  package let metrics: ClassificationMetrics
  /// Metrics over the determined ones of them, from seconds: what the rules did.
  package let metricsDetermined: ClassificationMetrics
  /// How steady the answers are.
  package let stability: StabilityMetrics
  /// How well the answers follow over time.
  package let temporal: TemporalMetrics
  /// How many frames are what.
  package let frameCounts: FrameCounts

  /// Derives the scores of a pool.
  package init(_ pool: PooledCounts) {
    confusion = pool.frames
    confusionSeconds = pool.seconds
    determinedFrames = DeterminedShare(
      determined: pool.determinedFrames.weighted(by: 1), all: pool.frames.weighted(by: 1))
    determinedSeconds = DeterminedShare(determined: pool.determinedSeconds, all: pool.seconds)
    metrics = ClassificationMetrics(pool.seconds)
    metricsDetermined = ClassificationMetrics(pool.determinedSeconds)
    stability = StabilityMetrics(pool.stability)
    temporal = TemporalMetrics(pool.temporal)
    frameCounts = pool.frameCounts
  }
}
