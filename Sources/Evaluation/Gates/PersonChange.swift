internal import PoseModel

package struct PersonChange: Hashable, Sendable, Codable {
  package let subject: String?
  package let before: PerStream<MetricValue>
  package let after: PerStream<MetricValue>

  private enum CodingKeys: String, CodingKey {
    case subject
    case before = "accuracy_before"
    case after = "accuracy_after"
  }

  package static func all(from before: GateSide, to after: GateSide) -> [PersonChange] {
    let groups = Dictionary(grouping: before.sequences, by: \.subject)
    let people = Dictionary(grouping: after.sequences, by: \.subject).compactMap {
      (subject, sequences) -> PersonChange? in
      guard sequences.contains(where: { $0.plank.frames.scored + $0.form.frames.scored > 0 })
      else { return nil }
      return PersonChange(
        subject: subject, before: accuracy(groups[subject] ?? []), after: accuracy(sequences))
    }
    return people.sorted {
      ($0.change, $0.subject ?? "") < ($1.change, $1.subject ?? "")
    }
  }

  private var change: Double {
    AnswerStream.allCases.compactMap { stream in
      after[stream].number.flatMap { now in before[stream].number.map { now - $0 } }
    }.min() ?? 0
  }

  private static func accuracy(_ sequences: [SequenceScores]) -> PerStream<MetricValue> {
    PerStream { ScoreView(sequences, $0)[.accuracy] }
  }
}
