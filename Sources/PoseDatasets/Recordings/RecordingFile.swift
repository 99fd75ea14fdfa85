package import PoseModel

/// A recording as it was read from a file.
package struct RecordingFile: Sendable {
  /// The recording, turned around if it was mirrored.
  package let recording: Recording
  /// Things about the text that are read and worth telling.
  package let notes: [TextNote]
  /// Frames in pelvis axes that have a pose and no camera matrix, and so count as missing.
  package let posesWithoutMatrix: Int
}
