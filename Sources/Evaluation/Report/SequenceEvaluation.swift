package import PoseModel

package struct SequenceEvaluation: Hashable, Sendable {
  package let scores: SequenceScores
  package let worstMoments: PerStream<[WorstMoment]>

  /// `nearestThreshold` gives nil if there is none, or if only answers are known; sequences are
  /// independent and may be scored concurrently.
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

package struct SequenceRow: Codable, Hashable, Sendable {
  package struct Stream: Codable, Hashable, Sendable {
    package let scoredFrames: Int
    package let determinedShare: MetricValue
    package let accuracy: MetricValue
    package let isNoEvidence: Bool
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

  package let name: String
  package let subject: String?
  package let source: String?
  package let frames: Int
  package let missingFrames: Int
  package let frameWeight: Seconds
  private let streams: PerStream<Stream>

  private enum CodingKeys: String, CodingKey {
    case name, subject, source, frames
    case missingFrames = "missing_frames"
    case frameWeight = "frame_weight_s"
    case streams
  }

  init(_ scores: SequenceScores) {
    name = scores.name
    subject = scores.subject
    source = scores.source
    frames = scores.plank.frames.frames
    missingFrames = scores.plank.frames.missing
    frameWeight = scores.frameWeight
    streams = PerStream { Stream(scores[$0]) }
  }

  package var plank: Stream { streams.plank }

  package var form: Stream { streams.form }
}
