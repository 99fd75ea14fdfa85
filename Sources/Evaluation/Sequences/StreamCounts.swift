internal import PoseModel

/// The sufficient statistics of one stream of one sequence, in frames.
package struct StreamCounts: Hashable, Sendable {
  /// How many frames are what.
  package let frames: FrameCounts
  /// All scored frames.
  package let confusion: ConfusionMatrix<Int>
  /// The scored frames that the rules gave a label of their own.
  package let determined: ConfusionMatrix<Int>
  /// What the stability metrics are made of.
  package let stability: StabilityCounts
  /// What the temporal metrics are made of.
  package let temporal: TemporalCounts

  /// Counts one stream of a sequence.
  ///
  /// - Parameter truth: truth codes in place of the sequence's own.
  init(_ outcome: SequenceOutcome, _ stream: AnswerStream, truth: [UInt8]? = nil) {
    let own = ScoredStream(outcome, stream)
    let scored = truth.map { ScoredStream(own, truth: $0) } ?? own
    let answered = outcome[stream]
    let labels = stream.labels
    var all = Array(repeating: 0, count: labels.count * labels.count)
    var determined = all
    for frame in scored.times.indices where scored.isScored(frame) {
      precondition(scored.answers[frame] < labels.count, "an answer is a code of its stream")
      let cell = Int(scored.truth[frame]) * labels.count + Int(scored.answers[frame])
      all[cell] += 1
      if answered.isDetermined[frame] { determined[cell] += 1 }
    }
    frames = FrameCounts(
      truth: scored.truth, outcome: answered, missing: outcome.missingFrames)
    confusion = ConfusionMatrix(labels: labels, cells: all)
    self.determined = ConfusionMatrix(labels: labels, cells: determined)
    stability = StabilityCounts(scored, labelCount: labels.count)
    temporal = TemporalCounts(scored, streamLabels: labels)
  }
}
