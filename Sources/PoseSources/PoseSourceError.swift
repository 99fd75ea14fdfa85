package import PoseModel

/// Why poses from elsewhere cannot be read.
package enum PoseSourceError: Error, Hashable, Sendable {
  /// A byte is not UTF-8.
  case notText(SourcePlace)
  /// A table has no row below its header.
  case emptyTable(file: String)
  /// A table names a column twice.
  case repeatedColumn(SourcePlace, column: String)
  /// No column holds the labels.
  case noLabelColumn(SourcePlace, expected: [String], columns: [String])
  /// A joint has some of its coordinates only.
  case incompleteLandmark(SourcePlace, landmark: String, missing: [String])
  /// Joints that give a body its size have no columns.
  case missingLandmarks(SourcePlace, [String])
  /// A row has more or fewer fields than the header.
  case wrongFieldCount(SourcePlace, found: Int, expected: Int)
  /// A coordinate is no number.
  case notANumber(SourcePlace, column: String, found: String)
  /// Labels of the source for which no class is given.
  case unmappedLabels(file: String, seen: [LabelCount], unmapped: [String])
  /// No frame of a stretch shows all joints that give a body its size.
  case unscalableBody(file: String, lines: ClosedRange<Int>)
  /// An option has a value that it cannot have.
  case invalidOption(String, found: String, allowed: String)
  /// Two sequences have the same name.
  case repeatedName(String)
  /// A text is not the JSON that it should be.
  case unreadableJSON(file: String, problem: String)
  /// A JSON value is not what its place calls for.
  case unexpectedValue(file: String, path: String, found: String, allowed: String)
  /// Motion capture came with no skeleton, or with several.
  case skeletonCount(found: [String])
  /// A skeleton came without a motion.
  case noMotion(skeleton: String)
  /// A skeleton lacks joints that a recording needs.
  case missingJoints(file: String, [String])
  /// Labels do not make a track.
  case unusableLabels(sequence: String, LabelTrackError)
}
