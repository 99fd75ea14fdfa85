package import FoundationEssentials
package import PoseModel

/// What there is to know of a run without its cells.
package struct RunFacts: Hashable, Sendable {
  /// How far one stream is.
  package struct Stream: Hashable, Sendable {
    /// The stream.
    package let stream: AnswerStream
    /// How many ids the whole grid has, degenerate cells included.
    package let gridCellCount: Int
    /// The ids of this run's shard.
    package let cells: Range<Int>
    /// How many of them are evaluated.
    package let acceptedCount: Int
    /// How many of them are there.
    package let storedCount: Int

    /// How many ids of the shard are degenerate: rejected by the constraints between axes.
    package var rejectedCount: Int { cells.count - acceptedCount }
  }

  /// How long after its last write a run that is not finished counts as running, in seconds.
  ///
  /// A sweep writes every few seconds; one that was killed is known by its silence.
  package static let silence = 120.0

  /// The id.
  package let id: String
  /// What the run is of.
  package let identity: RunIdentity
  /// When it was begun.
  package let createdAt: Date
  /// When its last cells were written, or when it was begun.
  package let writtenAt: Date
  /// When its sweep was done; nil before.
  package let finishedAt: Date?
  /// How often it was opened to write: 1 and once more for every time it was continued.
  package let openedCount: Int
  /// The streams, plank first.
  package let streams: [Stream]

  /// How far the run is, seen at a moment.
  package func status(at now: Date) -> RunStatus {
    if finishedAt != nil { return .complete }
    return now.timeIntervalSince(writtenAt) < Self.silence ? .running : .interrupted
  }

  /// How many cells are evaluated in the end.
  package var acceptedCount: Int { streams.reduce(0) { $0 + $1.acceptedCount } }

  /// How many cells are there.
  package var storedCount: Int { streams.reduce(0) { $0 + $1.storedCount } }
}
