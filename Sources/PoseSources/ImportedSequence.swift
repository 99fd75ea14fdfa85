package import PoseModel

/// A recording from elsewhere with its labels and with what is known about it.
package struct ImportedSequence: Sendable {
  /// The name within a data set: ASCII letters, digits, `.`, `_` and `-`.
  package var name: String
  /// The poses: unmirrored, in meters, times in whole microseconds.
  package var recording: Recording
  /// What was done when; boundaries are equal to frame times.
  package var labels: LabelTrack
  /// Whether the recording begins inside a hold because it was cut from a longer one.
  package var startsMid: Bool
  /// Properties by which results can be grouped.
  package var tags: [String: String]
  /// What was assumed, changed or missing, one sentence each.
  package var notes: [String]

  /// Checks that no two sequences have the same name.
  ///
  /// - Throws: `PoseSourceError.repeatedName`.
  static func requireUniqueNames(_ sequences: [ImportedSequence]) throws(PoseSourceError) {
    var seen: Set<String> = []
    for sequence in sequences where !seen.insert(sequence.name).inserted {
      throw .repeatedName(sequence.name)
    }
  }
}
