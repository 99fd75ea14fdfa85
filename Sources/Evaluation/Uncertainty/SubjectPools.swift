package import PoseModel

/// The pooled counts of every subject: what is drawn when uncertainty is asked for.
///
/// Sequences without a subject are one subject together, because who they show is unknown.
package struct SubjectPools: Hashable, Sendable {
  /// The subjects in order of names, nil last; only those with a scored frame of the stream.
  package let subjects: [String?]
  /// The stream.
  package let stream: AnswerStream
  private let pools: [PooledCounts]

  /// Pools sequences by subject.
  ///
  /// - Parameter subjects: which subjects to keep, in order; nil for all with a scored frame.
  package init(
    _ sequences: [SequenceScores], _ stream: AnswerStream, subjects: [String?]? = nil
  ) {
    let groups = Dictionary(grouping: sequences, by: \.subject)
    let scored = groups.filter { $0.value.contains { $0[stream].frames.scored > 0 } }
    let names = scored.keys.compactMap(\.self).sorted().map(Optional.some)
    let found = names + (scored.keys.contains(nil) ? [nil] : [])
    self.subjects = subjects ?? found
    self.stream = stream
    pools = self.subjects.map { PooledCounts(groups[$0] ?? [], stream) }
  }

  /// The scores of a multiset of subjects.
  package func view(of drawn: [Int]) -> ScoreView {
    var sum = PooledCounts(stream)
    for subject in drawn { sum += pools[subject] }
    return ScoreView(sum)
  }

  /// The scores of all subjects, those marked true taken from another side.
  package func view(swapping swaps: [Bool], with other: SubjectPools) -> ScoreView {
    var sum = PooledCounts(stream)
    for subject in pools.indices {
      sum += swaps[subject] ? other.pools[subject] : pools[subject]
    }
    return ScoreView(sum)
  }
}
