package import PoseModel

/// A frame for which the device answered otherwise than the answers that are scored.
package struct AnswerDifference: Hashable, Sendable {
  /// The sequence's name.
  package let sequence: String
  /// Which stream.
  package let stream: AnswerStream
  /// The frame's position in its sequence, from 0.
  package let frame: Int
  /// The frame's time.
  package let time: Seconds
  /// What the device answered.
  package let device: String
  /// The answer that is scored: a detector's, or a prediction.
  package let answer: String
}
