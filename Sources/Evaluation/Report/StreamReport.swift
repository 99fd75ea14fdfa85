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

/// The scores of those sequences that share a subject or a tag.
package struct ScoreSlice: Hashable, Sendable {
  /// What the sequences of a slice share.
  package enum Selector: Hashable, Sendable {
    /// A person; nil for the sequences whose person is unknown.
    case subject(String?)
    /// A tag of the manifest with its value.
    case tag(key: String, value: String)
  }

  /// What the sequences share.
  package let selector: Selector
  /// How many sequences there are.
  package let sequenceCount: Int
  /// The sequences among them that are no evidence: under half of the scored frames determined.
  package let noEvidence: [String]
  /// Their pooled scores.
  package let view: ScoreView

  /// Scores the slices of a stream: by subject, then by tag, each in order of names.
  ///
  /// A sequence with several tags is in several slices. Sequences whose subject is unknown come
  /// last among the subjects. Slices without a scored frame are kept, with undefined metrics.
  static func slices(_ sequences: [SequenceScores], _ stream: AnswerStream) -> [ScoreSlice] {
    let bySubject = Dictionary(grouping: sequences, by: \.subject)
    let subjects = bySubject.keys.compactMap(\.self).sorted().map(Optional.some)
    let unknown: [String?] = bySubject[nil] == nil ? [] : [nil]
    let people = (subjects + unknown).map { subject in
      ScoreSlice(.subject(subject), bySubject[subject] ?? [], stream)
    }
    return people + tagSlices(sequences, stream)
  }

  private static func tagSlices(
    _ sequences: [SequenceScores], _ stream: AnswerStream
  ) -> [ScoreSlice] {
    let keys = Set(sequences.flatMap(\.tags.keys)).sorted()
    return keys.flatMap { key in
      let values = Set(sequences.compactMap { $0.tags[key] }).sorted()
      return values.map { value in
        ScoreSlice(
          .tag(key: key, value: value), sequences.filter { $0.tags[key] == value }, stream)
      }
    }
  }

  private init(_ selector: Selector, _ sequences: [SequenceScores], _ stream: AnswerStream) {
    self.selector = selector
    sequenceCount = sequences.count
    noEvidence = sequences.filter { $0[stream].frames.isNoEvidence }.map(\.name)
    view = ScoreView(PooledCounts(sequences, stream))
  }
}
