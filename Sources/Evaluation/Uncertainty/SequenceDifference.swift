package import PoseModel

/// How a sequence's wrong seconds differ between two sides.
package struct SequenceDifference: Hashable, Sendable {
  /// The sequence.
  package let name: String
  /// Who was recorded, where known.
  package let subject: String?
  /// The manifest's tags.
  package let tags: [String: String]
  /// Which stream.
  package let stream: AnswerStream
  /// Seconds wrong on the first side.
  package let before: Double
  /// Seconds wrong on the second side.
  package let after: Double

  /// Seconds wrong more on the second side.
  package var lost: Double { after - before }

  /// Every sequence and stream with a difference, the greatest loss first.
  static func all(_ before: [SequenceScores], _ after: [SequenceScores]) -> [SequenceDifference] {
    let found = AnswerStream.allCases.flatMap { stream in
      zip(before, after).map { left, right in
        SequenceDifference(
          name: left.name, subject: left.subject, tags: left.tags, stream: stream,
          before: wrongSeconds(left, stream), after: wrongSeconds(right, stream))
      }
    }
    return found.filter { $0.lost != 0 }.sorted {
      ($1.lost, $0.name, $0.stream.rawValue) < ($0.lost, $1.name, $1.stream.rawValue)
    }
  }

  private static func wrongSeconds(_ scores: SequenceScores, _ stream: AnswerStream) -> Double {
    let matrix = scores[stream].confusion
    return Double(scores[stream].frames.scored - matrix.right) * scores.frameWeight.value
  }
}

extension SequenceDifference {
  /// The sequences and streams that got worse from one side to another, worst first.
  package static func lost(from before: GateSide, to after: GateSide) -> [SequenceDifference] {
    guard before.sequences.map(\.name) == after.sequences.map(\.name) else { return [] }
    return all(before.sequences, after.sequences).filter { $0.lost > 0 }
  }
}
