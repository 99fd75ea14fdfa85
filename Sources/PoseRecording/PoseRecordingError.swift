/// A recording that cannot be written.
public enum PoseRecordingError: Error, Hashable, Sendable {
  /// The file is there already.
  case fileExists(path: String)
  /// The file cannot be created.
  case cannotCreate(path: String, reason: String)
  /// Writing failed; the file ends with the last frame that was written before.
  case writeFailed(path: String, reason: String)
  /// The writer has been closed.
  case closed(path: String)
  /// A header that readers would refuse.
  case invalidHeader(field: String, found: String, allowed: String)
  /// A time that is not finite, or beyond 285,000 years.
  case timeOutOfRange(Double)
  /// A time that is not later than the last frame's once both are rounded to microseconds.
  case timeNotIncreasing(previous: Double, found: Double)
  /// Positions or confidences of the wrong number.
  case wrongCount(field: String, found: Int, expected: Int)
  /// A number that is neither finite nor NaN, or a joint of which some numbers are NaN.
  case incompleteJoint(joint: String)
  /// An up vector that is not about 1 long.
  case upNotUnit(norm: Double)
  /// A pose for which neither the header nor the frame tells what is up.
  case upUnknown
  /// A camera matrix whose rotation part is far from a rotation.
  case notARotation(error: Double)
  /// A height that is not a finite number above 0.
  case heightOutOfRange(Double)
}
