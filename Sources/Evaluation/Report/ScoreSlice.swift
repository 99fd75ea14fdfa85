internal import PoseModel

/// The scores of those sequences that share a subject or a tag.
package struct ScoreSlice: Hashable, Sendable {
  /// What the sequences of a slice share.
  package enum Selector: Hashable, Sendable {
    /// A person; nil for the sequences whose person is unknown.
    case subject(String?)
    /// A tag of the manifest with its value.
    case tag(key: String, value: String)
  }

  /// What the sequences share.
  package let selector: Selector
  /// How many sequences there are.
  package let sequenceCount: Int
  /// The sequences among them that are no evidence: under half of the scored frames determined.
  package let noEvidence: [String]
  /// Their pooled scores.
  package let view: ScoreView

  /// Scores the slices of a stream: by subject, then by tag, each in order of names.
  ///
  /// A sequence with several tags is in several slices. Sequences whose subject is unknown come
  /// last among the subjects. Slices without a scored frame are kept, with undefined metrics.
  static func slices(_ sequences: [SequenceScores], _ stream: AnswerStream) -> [ScoreSlice] {
    let bySubject = Dictionary(grouping: sequences, by: \.subject)
    let subjects = bySubject.keys.compactMap(\.self).sorted().map(Optional.some)
    let unknown: [String?] = bySubject[nil] == nil ? [] : [nil]
    let people = (subjects + unknown).map { subject in
      ScoreSlice(.subject(subject), bySubject[subject] ?? [], stream)
    }
    return people + tagSlices(sequences, stream)
  }

  private static func tagSlices(
    _ sequences: [SequenceScores], _ stream: AnswerStream
  ) -> [ScoreSlice] {
    let keys = Set(sequences.flatMap(\.tags.keys)).sorted()
    return keys.flatMap { key in
      let values = Set(sequences.compactMap { $0.tags[key] }).sorted()
      return values.map { value in
        ScoreSlice(
          .tag(key: key, value: value), sequences.filter { $0.tags[key] == value }, stream)
      }
    }
  }

  private init(_ selector: Selector, _ sequences: [SequenceScores], _ stream: AnswerStream) {
    self.selector = selector
    sequenceCount = sequences.count
    noEvidence = sequences.filter { $0[stream].frames.isNoEvidence }.map(\.name)
    view = ScoreView(PooledCounts(sequences, stream))
  }
}
