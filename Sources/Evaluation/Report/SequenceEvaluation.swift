package import PoseModel

/// What is kept of a sequence once it is scored; its outcome can be released.
package struct SequenceEvaluation: Hashable, Sendable {
  /// The sufficient statistics.
  package let scores: SequenceScores
  /// The longest wrong stretches of answers, at most ten per stream.
  package let worstMoments: PerStream<[WorstMoment]>

  /// Scores a sequence.
  ///
  /// - Parameters:
  ///   - detail: what is counted.
  ///   - nearestThreshold: finds the nearest threshold in a frame of a worst moment; nil if there is
  ///     none, or if only answers are known.
  /// - Complexity: O(frames); sequences are independent and may be scored concurrently.
  package init(
    _ outcome: SequenceOutcome, detail: SequenceScores.Detail,
    nearestThreshold: (AnswerStream, Int) -> WorstMoment.NearestThreshold? = { _, _ in nil }
  ) {
    scores = SequenceScores(outcome, detail: detail)
    worstMoments = PerStream { stream in
      WorstMoment.worst(in: outcome, stream) { nearestThreshold(stream, $0) }
    }
  }
}

/// One sequence in the table of an evaluation.
package struct SequenceRow: Codable, Hashable, Sendable {
  /// One stream of a row.
  package struct Stream: Codable, Hashable, Sendable {
    /// Frames with a true class.
    package let scoredFrames: Int
    /// The share of them that the rules could decide.
    package let determinedShare: MetricValue
    /// The share of them with the right answer.
    package let accuracy: MetricValue
    /// Whether fewer than half of them are determined.
    package let isNoEvidence: Bool
    /// The scored frames: rows are truth, columns answers.
    package let confusion: [[Int]]

    private enum CodingKeys: String, CodingKey {
      case scoredFrames = "scored_frames"
      case determinedShare = "determined_share"
      case accuracy
      case isNoEvidence = "no_evidence"
      case confusion
    }

    init(_ counts: StreamCounts) {
      let scored = Double(counts.frames.scored)
      scoredFrames = counts.frames.scored
      determinedShare = .ratio(
        Double(counts.frames.scoredDetermined), scored, orElse: .noScoredFrames)
      accuracy = .ratio(Double(counts.confusion.right), scored, orElse: .noScoredFrames)
      isNoEvidence = counts.frames.isNoEvidence
      confusion = counts.confusion.rows
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
  private let streams: PerStream<Stream>

  private enum CodingKeys: String, CodingKey {
    case name, subject, source, frames
    case missingFrames = "missing_frames"
    case frameWeight = "frame_weight_s"
    case streams
  }

  /// Summarizes a sequence.
  init(_ scores: SequenceScores) {
    name = scores.name
    subject = scores.subject
    source = scores.source
    frames = scores.plank.frames.frames
    missingFrames = scores.plank.frames.missing
    frameWeight = scores.frameWeight
    streams = PerStream { Stream(scores[$0]) }
  }

  /// The plank stream.
  package var plank: Stream { streams.plank }

  /// The form stream.
  package var form: Stream { streams.form }
}
