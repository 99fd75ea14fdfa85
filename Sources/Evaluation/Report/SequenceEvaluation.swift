package import PoseModel

/// What is kept of a sequence once it is scored: its outcome can be let go.
package struct SequenceEvaluation: Hashable, Sendable {
  /// The sufficient statistics.
  package let scores: SequenceScores
  /// The longest wrong stretches of plank answers, at most ten.
  package let plankMoments: [WorstMoment]
  /// The longest wrong stretches of form answers, at most ten.
  package let formMoments: [WorstMoment]

  /// Scores a sequence.
  ///
  /// - Complexity: O(frames); sequences are independent and may be scored concurrently.
  package init(_ outcome: SequenceOutcome) {
    scores = SequenceScores(outcome)
    plankMoments = WorstMoment.worst(in: outcome, .plank)
    formMoments = WorstMoment.worst(in: outcome, .form)
  }

  /// The longest wrong stretches of a stream, at most ten.
  package func worstMoments(_ stream: AnswerStream) -> [WorstMoment] {
    stream == .plank ? plankMoments : formMoments
  }
}
