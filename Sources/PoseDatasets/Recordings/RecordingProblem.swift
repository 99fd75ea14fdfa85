/// What can be wrong with a recording.
package enum RecordingProblem: Error, Hashable, Sendable {
  /// The file has no line at all.
  case empty
  /// Bytes that are not UTF-8.
  case notUTF8
  /// A line that is not JSON.
  case notJSON(JSONFault)
  /// The last line ends inside its JSON.
  case truncated
  /// A line that is JSON and not an object.
  case notAnObject
  /// A key that one object has twice.
  case repeatedKey(String)
  /// A field that must be there.
  case missingField(String)
  /// A value of the wrong type.
  case wrongType(field: String, element: Int?, found: String, allowed: String)
  /// A number that is not finite as a `Float`.
  case notFinite(field: String, joint: String)
  /// A list of the wrong length.
  case wrongCount(field: String, found: Int, allowed: String)
  /// A joint of which some numbers are null and others are not.
  case partlyNull(joint: String)
  /// A word that is not among the allowed ones.
  case unknownWord(field: String, found: String, allowed: [String])
  /// A format or version other than the one that is read.
  case unsupportedVersion(found: String)
  /// A joint that the skeleton does not have.
  case unknownJoint(String, skeleton: String)
  /// A joint that the header names twice.
  case repeatedJoint(String)
  /// A number outside its range.
  case outOfRange(field: String, found: Double, allowed: String)
  /// A time that is not later than the one before it.
  case timeNotIncreasing(previous: Double, found: Double)
  /// An up vector whose length is not about 1.
  case upNotUnit(norm: Double)
  /// A pose for which no up vector is known.
  case upUnknown
  /// A pelvis recording with poses and not one camera matrix.
  case noMatrices(poses: Int)
  /// A camera matrix whose rotation part is far from a rotation.
  case notARotation(error: Double, isReflection: Bool)
  /// Axes that do not go with the skeleton.
  case wrongFrame(found: String, skeleton: String, allowed: [String])
  /// A mirrored recording in pixels without the image's width.
  case mirroredPixels
}
