package import PoseModel

/// What is kept of a sequence once it is scored; its outcome can be released.
package struct SequenceEvaluation: Hashable, Sendable {
  /// The sufficient statistics.
  package let scores: SequenceScores
  /// The longest wrong stretches of plank answers, at most ten.
  package let plankMoments: [WorstMoment]
  /// The longest wrong stretches of form answers, at most ten.
  package let formMoments: [WorstMoment]

  /// Scores a sequence.
  ///
  /// - Parameter nearestThreshold: finds the nearest threshold in a frame of a worst moment; nil if
  ///   there is none, or if only answers are known.
  /// - Complexity: O(frames); sequences are independent and may be scored concurrently.
  package init(
    _ outcome: SequenceOutcome,
    nearestThreshold: (AnswerStream, Int) -> WorstMoment.NearestThreshold? = { _, _ in nil }
  ) {
    scores = SequenceScores(outcome)
    func moments(_ stream: AnswerStream) -> [WorstMoment] {
      WorstMoment.worst(in: outcome, stream) { nearestThreshold(stream, $0) }
    }
    plankMoments = moments(.plank)
    formMoments = moments(.form)
  }

  /// The longest wrong stretches of a stream, at most ten.
  package func worstMoments(_ stream: AnswerStream) -> [WorstMoment] {
    stream == .plank ? plankMoments : formMoments
  }
}

/// One sequence in the table of an evaluation.
package struct SequenceRow: Hashable, Sendable {
  /// One stream of a row.
  package struct Stream: Hashable, Sendable {
    /// Frames with a true class.
    package let scoredFrames: Int
    /// The share of them that the rules could decide.
    package let determinedShare: MetricValue
    /// The share of them with the right answer.
    package let accuracy: MetricValue
    /// Whether fewer than half of them are determined.
    package let isNoEvidence: Bool
    /// The scored frames by truth and answer.
    package let confusion: ConfusionMatrix<Int>

    init(_ counts: StreamCounts) {
      let scored = Double(counts.frames.scored)
      scoredFrames = counts.frames.scored
      determinedShare = .ratio(
        Double(counts.frames.scoredDetermined), scored, orElse: .noScoredFrames)
      accuracy = .ratio(Double(counts.confusion.right), scored, orElse: .noScoredFrames)
      isNoEvidence = counts.frames.isNoEvidence
      confusion = counts.confusion
    }
  }

  /// The sequence's name.
  package let name: String
  /// Who was recorded, if known.
  package let subject: String?
  /// The source of the recording; nil if all data is one source.
  package let source: String?
  /// How many frames there are.
  package let frames: Int
  /// How many of them are missing.
  package let missingFrames: Int
  /// The seconds that one frame represents.
  package let frameWeight: Seconds
  /// The plank stream.
  package let plank: Stream
  /// The form stream.
  package let form: Stream

  /// Summarizes a sequence.
  init(_ scores: SequenceScores) {
    name = scores.name
    subject = scores.subject
    source = scores.source
    frames = scores.plank.frames.frames
    missingFrames = scores.plank.frames.missing
    frameWeight = scores.frameWeight
    plank = Stream(scores.plank)
    form = Stream(scores.form)
  }

  /// The numbers of a stream.
  package subscript(stream: AnswerStream) -> Stream { stream == .plank ? plank : form }
}
