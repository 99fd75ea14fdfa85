import PoseModel

/// A recording that cannot be written, or read back.
public enum PoseRecordingError: Error, Hashable, Sendable {
  /// The file already exists.
  case fileExists(path: String)
  /// The file cannot be created.
  case cannotCreate(path: String, reason: String)
  /// Writing failed; the file ends with the last complete frame.
  case writeFailed(path: String, reason: String)
  /// The writer has been closed.
  case closed(path: String)
  /// A header that readers would refuse.
  case invalidHeader(field: String, found: String, allowed: String)
  /// A time that is not finite, or beyond 285,000 years.
  case timeOutOfRange(Double)
  /// A time that is not later than the last frame's after both are rounded to microseconds.
  case timeNotIncreasing(previous: Double, found: Double)
  /// The wrong number of positions or confidences.
  case wrongCount(field: String, found: Int, expected: Int)
  /// A number that is neither finite nor NaN, or a joint with only some numbers NaN.
  case incompleteJoint(joint: String)
  /// An up vector whose length is not about 1.
  case upNotUnit(norm: Double)
  /// A pose for which neither the header nor the frame says which way is up.
  case upUnknown
  /// A camera matrix whose rotation part is far from a rotation.
  case notARotation(error: Double)
  /// A height that is not a finite number above 0.
  case heightOutOfRange(Double)
  /// The file cannot be opened or read.
  case cannotRead(path: String, reason: String)
  /// The file is compressed.
  case compressed(path: String)
  /// A recording that breaks the format.
  case invalidRecording(name: String, line: Int?, problem: RecordingProblem)
}

extension PoseRecordingError: CustomStringConvertible {
  /// The problem without its remedy.
  public var message: String {
    switch self {
    case .fileExists(let path): "\(path): the file already exists"
    case .cannotCreate(let path, let reason): "\(path): the file cannot be created (\(reason))"
    case .writeFailed(let path, let reason): "\(path): writing failed (\(reason))"
    case .closed(let path): "\(path): the recording has been closed"
    case .invalidHeader(let field, let found, let allowed):
      "header field `\(field)`: found \(found); allowed: \(allowed)"
    case .timeOutOfRange(let time): "found the time \(time); allowed: finite seconds"
    case .timeNotIncreasing(let previous, let found):
      "found the time \(found) after \(previous); allowed: at least a microsecond later"
    case .wrongCount(let field, let found, let expected):
      "found \(found) \(field); allowed: \(expected)"
    case .incompleteJoint(let joint):
      "found a joint, \(joint), with a number that is not finite; allowed: finite numbers, or "
        + "NaN for all of them"
    case .upNotUnit(let norm): "found an up vector of length \(norm); allowed: 0.99 to 1.01"
    case .upUnknown: "found a pose with an unknown up direction"
    case .notARotation(let error):
      "found a camera matrix that differs from a rotation by \(error); allowed: at most "
        + "\(CameraMatrix.rotationErrorLimit), no reflection"
    case .heightOutOfRange(let height): "found a body height of \(height) m; allowed: above 0"
    case .cannotRead(let path, let reason): "\(path): the file cannot be read (\(reason))"
    case .compressed(let path): "\(path): the file is compressed"
    case .invalidRecording(let name, let line, let problem):
      "\(name)\(line.map { ":\($0)" } ?? ""): \(problem.message)"
    }
  }

  /// What to do about it.
  public var remedy: String {
    switch self {
    case .fileExists: "choose another name, or ask to overwrite it"
    case .cannotCreate: "check the folder and its permissions"
    case .writeFailed: "free some space; frames up to the last one written are kept"
    case .closed: "make a new writer"
    case .invalidHeader: "correct the header"
    case .timeOutOfRange: "take the frame's presentation timestamp"
    case .timeNotIncreasing: "drop the frame, or use one clock for all frames"
    case .wrongCount: "give one per joint, in the order of the header"
    case .incompleteJoint: "give NaN for every number of a missing joint"
    case .upNotUnit: "normalize the vector"
    case .upUnknown: UpDirection.remedy
    case .notARotation: "give Vision's `cameraOriginMatrix` column by column"
    case .heightOutOfRange: "leave out the height where it is unknown"
    case .cannotRead: "check the path and the file's permissions"
    case .compressed: "unpack it with gunzip"
    case .invalidRecording(_, _, let problem): problem.remedy
    }
  }

  /// Problem and remedy.
  public var description: String { "\(message); \(remedy)" }
}
