internal import ParameterTuning
package import PoseModel

/// A cell with all that an export says of it.
package struct CellRow: Sendable {
  /// A number with its name.
  package struct NamedValue: Hashable, Sendable {
    /// The name in files.
    package let name: String
    /// The value.
    package let value: Double
  }

  /// A metric of the cell, pooled over all subjects.
  package struct MetricValue: Hashable, Sendable {
    /// The name, for example `plank.recall[high]`.
    package let name: String
    /// The value; nil where it is undefined.
    package let value: Double?
    /// Why there is no value; nil where there is one.
    package let reason: String?
  }

  /// The stream.
  package let stream: AnswerStream
  /// The id.
  package let cell: Int
  /// The detector's name.
  package let detector: String
  /// The smoothing's name.
  package let smoothing: String
  /// The value on every axis of the detector, in the order of the axes.
  package let parameters: [NamedValue]
  /// Counts over all subjects, in the order of `countNames`.
  package let counts: [Int]
  /// Every metric of the stream, in the order of the catalogue.
  package let metrics: [MetricValue]
  let table: SubjectTable
  let position: Int

  /// The numbers by subject, in order of names.
  ///
  /// - Complexity: O(numbers); nothing is kept.
  package var subjects: [SubjectNumbers] {
    zip(table.subjects, table.sequences).map {
      SubjectNumbers(subject: $0, $1, table.cells, at: position)
    }
  }

  /// What `counts` count: scored frames, those with the right answer, changes of the answer and of
  /// the truth, true events and those that were detected.
  package static let countNames = [
    "scored_frames", "right_frames", "transitions", "true_transitions", "true_events",
    "detected_events",
  ]
}
