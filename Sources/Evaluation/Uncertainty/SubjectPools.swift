package import PoseModel

/// Sequences without a subject count as one subject, because it is unknown who they show; counts
/// are pooled within a source; a metric is the mean over the sources that define it, as in
/// `ScoreView`.
package struct SubjectPools: Hashable, Sendable {
  /// The subjects in order of names, nil last; only those with a scored frame of the stream.
  package let subjects: [String?]
  package let stream: AnswerStream
  package let frameCounts: FrameCounts
  let sources: [Source]

  struct Source: Hashable, Sendable {
    let counts: [MetricCounts]
    let isPresent: [Bool]

    func values(_ keys: [MetricKey], of drawn: [Int]) -> [MetricValue]? {
      let own = drawn.filter { isPresent[$0] }
      guard !own.isEmpty else { return nil }
      var sums = SummedCounts(counts, drawn: own)
      return keys.map { sums.value($0.metric, code: $0.code) }
    }
  }

  /// `subjects`: those to keep, in order; nil for all with a scored frame.
  package init(
    _ sequences: [SequenceScores], _ stream: AnswerStream, subjects: [String?]? = nil
  ) {
    let groups = Dictionary(grouping: sequences, by: \.subject)
    let scored = groups.filter { $0.value.contains { $0[stream].frames.scored > 0 } }
    let names = scored.keys.compactMap(\.self).sorted().map(Optional.some)
    let found = subjects ?? names + (scored.keys.contains(nil) ? [nil] : [])
    self.subjects = found
    self.stream = stream
    let members = found.map { groups[$0] ?? [] }
    frameCounts = members.joined().reduce(into: FrameCounts()) { $0 += $1[stream].frames }
    let bySource = Dictionary(grouping: members.joined()) { $0.source ?? "" }
    sources = bySource.keys.sorted().map { name in
      let own = members.map { $0.filter { ($0.source ?? "") == name } }
      return Source(
        counts: own.map { MetricCounts(PooledCounts($0, stream)) },
        isPresent: own.map { !$0.isEmpty })
    }
  }

  package func values(_ keys: [MetricKey], of drawn: [Int]? = nil) -> [MetricValue] {
    let drawn = drawn ?? Array(subjects.indices)
    return Self.mean(sources.compactMap { $0.values(keys, of: drawn) }, keys)
  }

  private static func mean(_ sources: [[MetricValue]], _ keys: [MetricKey]) -> [MetricValue] {
    guard !sources.isEmpty else {
      var none = SummedCounts([])
      return keys.map { none.value($0.metric, code: $0.code) }
    }
    return keys.indices.map { key in .mean(sources.map { $0[key] }) }
  }
}
