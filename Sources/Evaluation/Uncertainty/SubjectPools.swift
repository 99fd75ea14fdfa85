package import PoseModel

/// The counts of every subject that metrics are made from: what is drawn when uncertainty is asked
/// for.
///
/// Sequences without a subject are one subject together, because who they show is unknown.
package struct SubjectPools: Hashable, Sendable {
  /// The subjects in order of names, nil last; only those with a scored frame of the stream.
  package let subjects: [String?]
  /// The stream.
  package let stream: AnswerStream
  /// How many frames of all subjects are what.
  package let frameCounts: FrameCounts
  private let counts: [MetricCounts]

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
    let pools = self.subjects.map { PooledCounts(groups[$0] ?? [], stream) }
    frameCounts = pools.reduce(into: FrameCounts()) { $0 += $1.frameCounts }
    counts = pools.map { MetricCounts($0) }
  }

  /// The values of metrics of the stream over a multiset of subjects; all of them unless given.
  package func values(_ keys: [MetricKey], of drawn: [Int]? = nil) -> [MetricValue] {
    var sums = SummedCounts(counts, drawn: drawn ?? Array(subjects.indices))
    return keys.map { sums.value($0.metric, code: $0.code) }
  }

  /// The values over all subjects, those marked true taken from another side.
  package func values(
    _ keys: [MetricKey], swapping swaps: [Bool], with other: SubjectPools
  ) -> [MetricValue] {
    var sums = SummedCounts(
      counts.indices.map { swaps[$0] ? other.counts[$0] : counts[$0] })
    return keys.map { sums.value($0.metric, code: $0.code) }
  }
}
