internal import PoseModel

/// Where the numbers of a cell stand: the same for every cell of a stream.
///
/// A cell is a row of `UInt32`. First the confusion of all scored frames: a sequence after
/// another, a true class after another, one number an answer. Then, where kept, the same over
/// determined frames. Then a sequence's predicted transitions each. Then an onset's detection
/// latency in frames each, `never` where the class was not answered during the event.
package struct StatisticsLayout: Sendable {
  /// The latency of an event that was never detected.
  package static let never = UInt32.max

  /// Truth, onsets and durations.
  package let facts: StreamFacts
  /// Whether the confusion over determined frames is kept.
  package let keepsDetermined: Bool
  /// How many numbers a cell has.
  package let stride: Int
  /// How many classes the stream has.
  package let labelCount: Int
  /// Where each sequence's rows start, counted in rows; one more than sequences.
  let rowStarts: [Int]
  /// Where each sequence's onsets start, counted in onsets; one more than sequences.
  let onsetStarts: [Int]
  let determinedStart: Int
  let transitionStart: Int
  let latencyStart: Int

  /// Lays out the numbers of a stream's cells.
  package init(_ facts: StreamFacts, keepsDetermined: Bool) {
    self.facts = facts
    self.keepsDetermined = keepsDetermined
    labelCount = facts.stream.labels.count
    rowStarts = facts.sequences.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.rows.count) }
    onsetStarts = facts.sequences.reduce(into: [0]) {
      $0.append(($0.last ?? 0) + $1.onsets.count)
    }
    let confusion = (rowStarts.last ?? 0) * labelCount
    determinedStart = confusion
    transitionStart = keepsDetermined ? 2 * confusion : confusion
    latencyStart = transitionStart + facts.sequences.count
    stride = latencyStart + (onsetStarts.last ?? 0)
  }

  /// Where a row of a sequence's confusion starts, and the same over determined frames.
  package func row(_ row: Int, of sequence: Int) -> (all: Int, determined: Int?) {
    let offset = (rowStarts[sequence] + row) * labelCount
    return (all: offset, determined: keepsDetermined ? determinedStart + offset : nil)
  }

  /// Where a sequence's transitions stand.
  package func transitions(of sequence: Int) -> Int { transitionStart + sequence }

  /// Where an onset's latency stands.
  package func latency(_ onset: Int, of sequence: Int) -> Int {
    latencyStart + onsetStarts[sequence] + onset
  }
}
