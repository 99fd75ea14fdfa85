package import PoseModel

/// Everything about one stream of an evaluation.
package struct StreamReport: Hashable, Sendable {
  /// Which stream.
  package let stream: AnswerStream
  /// The pooled scores of all sequences.
  package let view: ScoreView
  /// Sequences with scored frames of which the rules labeled under half.
  ///
  /// They count in every pool; name them wherever a number contains them.
  package let noEvidence: [String]
  /// Form only: the scores on frames whose plank answer is right.
  package let endToEnd: ScoreView?
  /// The scores by subject and by tag.
  package let slices: [ScoreSlice]
  /// The longest wrong stretches, at most ten.
  package var worstMoments: [WorstMoment]
  /// Intervals of headline metrics by subject; nil where nobody asked for them.
  package var uncertainty: StreamUncertainty?

  /// Pools one stream of some sequences.
  package init(_ sequences: [SequenceEvaluation], _ stream: AnswerStream) {
    let scores = sequences.map(\.scores)
    self.stream = stream
    view = ScoreView(PooledCounts(scores, stream))
    noEvidence = scores.filter { $0[stream].frames.isNoEvidence }.map(\.name)
    endToEnd = stream == .form ? ScoreView(PooledCounts(formEndToEnd: scores)) : nil
    slices = ScoreSlice.slices(scores, stream)
    worstMoments = WorstMoment.worst(sequences.flatMap { $0.worstMoments(stream) })
  }

  /// The classes in the order of the matrices.
  package var labels: [String] { stream.labels }
}
