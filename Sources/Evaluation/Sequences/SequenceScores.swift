package import PoseModel

/// The sufficient statistics of one sequence: every pooled metric can be computed from them for
/// any multiset of sequences or subjects.
package struct SequenceScores: Hashable, Sendable {
  /// The sequence's name.
  package let name: String
  /// Who was recorded, where known.
  package let subject: String?
  /// The manifest's tags.
  package let tags: [String: String]
  /// The seconds that one frame stands for when sequences are pooled.
  package let frameWeight: Seconds
  /// The plank stream.
  package let plank: StreamCounts
  /// The form stream, on every frame whose truth carries a form.
  package let form: StreamCounts
  /// The form stream on those of its frames only whose plank answer is right.
  package let formEndToEnd: StreamCounts

  /// Counts a sequence.
  ///
  /// - Complexity: O(frames).
  package init(_ outcome: SequenceOutcome) {
    name = outcome.name
    subject = outcome.subject
    tags = outcome.tags
    frameWeight = outcome.frameWeight
    plank = StreamCounts(outcome, .plank)
    form = StreamCounts(outcome, .form)
    let rightPlankOnly = outcome.times.indices.map { frame in
      outcome.plank.answers[frame] == outcome.truth.plank[frame]
        ? outcome.truth.form[frame] : FrameTruth.unjudged
    }
    formEndToEnd = StreamCounts(outcome, .form, truth: rightPlankOnly)
  }

  /// The counts of a stream.
  package subscript(stream: AnswerStream) -> StreamCounts { stream == .plank ? plank : form }
}
