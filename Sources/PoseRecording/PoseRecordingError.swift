import PoseModel

/// The reason why a recording cannot be written or read.
public enum PoseRecordingError: Error, Hashable, Sendable {
  /// A file of that name already exists.
  case fileExists(path: String)
  /// The file cannot be created.
  case cannotCreate(path: String, reason: String)
  /// Writing failed; the file ends with the last complete frame.
  case writeFailed(path: String, reason: String)
  /// The writer has been closed.
  case closed(path: String)
  /// A header field has a value that readers would refuse.
  case invalidHeader(field: String, found: String, allowed: String)
  /// A time that is not finite, or beyond 285,000 years.
  case timeOutOfRange(Double)
  /// A time that, rounded to microseconds, is not later than the previous frame's time.
  case timeNotIncreasing(previous: Double, found: Double)
  /// The wrong number of positions or confidences.
  case wrongCount(field: String, found: Int, expected: Int)
  /// A position or confidence that is infinite, or a joint with only some numbers NaN.
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

  /// What the user should do.
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

  /// The problem and its remedy.
  public var description: String { "\(message); \(remedy)" }
}

/// What is wrong with a recording file.
public enum RecordingProblem: Error, Hashable, Sendable {
  /// The file has no content.
  case empty
  /// Bytes that are not UTF-8.
  case notUTF8
  /// A line that is not JSON.
  case notJSON(JSONFault)
  /// The last line ends inside its JSON.
  case truncated
  /// A line that is JSON but not an object.
  case notAnObject
  /// A key that occurs twice in one object.
  case repeatedKey(String)
  /// A missing required field.
  case missingField(String)
  /// A value of the wrong type.
  case wrongType(field: String, element: Int?, found: String, allowed: String)
  /// A number that is not finite as a `Float`.
  case notFinite(field: String, joint: String)
  /// A list of the wrong length.
  case wrongCount(field: String, found: Int, allowed: String)
  /// A joint with only some numbers null.
  case partlyNull(joint: String)
  /// A word that is not among the allowed ones.
  case unknownWord(field: String, found: String, allowed: [String])
  /// A format or version that this version of PlankLab does not read.
  case unsupportedVersion(found: String)
  /// A joint that the skeleton does not have.
  case unknownJoint(String, skeleton: String)
  /// A joint that the header lists twice.
  case repeatedJoint(String)
  /// A number outside its range.
  case outOfRange(field: String, found: Double, allowed: String)
  /// A time that is not later than the previous one.
  case timeNotIncreasing(previous: Double, found: Double)
  /// An up vector whose length is not about 1.
  case upNotUnit(norm: Double)
  /// A pose without an up vector in the header or the frame.
  case upUnknown
  /// A pelvis recording with poses but without any camera matrix.
  case noMatrices(poses: Int)
  /// A camera matrix whose rotation part is far from a rotation.
  case notARotation(error: Double, isReflection: Bool)
  /// Axes that do not fit the skeleton.
  case wrongFrame(found: String, skeleton: String, allowed: [String])
  /// A mirrored recording in pixels without the image's width.
  case mirroredPixels
}

extension RecordingProblem {
  /// The problem in words.
  public var message: String {
    switch self {
    case .empty: "found an empty file; allowed: a header line and one line per frame"
    case .notUTF8: "found bytes that are not UTF-8; allowed: UTF-8"
    case .notJSON(let fault): "found \(fault.rawValue); allowed: one JSON object per line"
    case .truncated: "the last line ends inside its JSON: the file was cut off"
    case .notAnObject: "found JSON that is not an object; allowed: one object per line"
    case .repeatedKey(let key): "found the key `\(key)` twice; allowed: each key once"
    case .missingField(let field): "found no `\(field)`; allowed: lines with `\(field)`"
    case .wrongType(let field, let element, let found, let allowed):
      "`\(field)`\(element.map { "[\($0)]" } ?? ""): found \(found); allowed: \(allowed)"
    case .notFinite(let field, let joint):
      "`\(field)`: found a number too large for a Float at joint \(joint); allowed: finite"
    case .wrongCount(let field, let found, let allowed):
      "`\(field)`: found \(CountText.of(found, "element")); allowed: \(allowed)"
    case .partlyNull(let joint):
      "`p`: found joint \(joint) partly null; allowed: all of its numbers or none"
    case .unknownWord(let field, let found, let allowed):
      "`\(field)`: found `\(found)`; allowed: \(allowed.joined(separator: ", "))"
    case .unsupportedVersion(let found): "found \(found); allowed: format planklab-poses, version 1"
    case .unknownJoint(let joint, let skeleton):
      "`joints`: found `\(joint)`; allowed: joints of \(skeleton)"
    case .repeatedJoint(let joint): "`joints`: found `\(joint)` twice; allowed: each joint once"
    default: measuredMessage
    }
  }

  private var measuredMessage: String {
    switch self {
    case .outOfRange(let field, let found, let allowed):
      "`\(field)`: found \(found); allowed: \(allowed)"
    case .timeNotIncreasing(let previous, let found):
      "`t`: found \(found) after \(previous); allowed: strictly increasing times"
    case .upNotUnit(let norm): "`up`: found a length of \(norm); allowed: 0.99 to 1.01"
    case .upUnknown: "found a pose with an unknown up direction"
    case .noMatrices(let poses):
      "found \(CountText.of(poses, "pose")) in pelvis axes but no `camera` matrix"
    case .notARotation(_, true): "`camera`: found a reflection; allowed: a rotation"
    case .notARotation(let error, false):
      "`camera`: found a matrix that differs from a rotation by \(error); allowed: at most "
        + "\(CameraMatrix.rotationErrorLimit)"
    case .wrongFrame(let found, let skeleton, let allowed):
      "`frame`: found `\(found)` with skeleton \(skeleton); allowed: "
        + allowed.joined(separator: ", ")
    case .mirroredPixels: "found a mirrored recording in pixels without the image's width"
    default: "found a recording that breaks the format"
    }
  }

  /// What the user should do.
  public var remedy: String {
    switch self {
    case .empty: "write the header line first"
    case .notUTF8: "save the file as UTF-8"
    case .notJSON(let fault): fault.remedy
    case .truncated: "delete the last line, or copy the file again"
    case .notAnObject: "write {...} on every line"
    case .repeatedKey, .repeatedJoint: "remove or rename one of the two"
    case .missingField("p"): "write \"p\":null where no pose was found"
    case .missingField(let field): "add `\(field)`"
    case .wrongType, .wrongCount, .outOfRange: "correct the value"
    case .notFinite: "write positions in meters (3D) or image units (2D)"
    case .partlyNull: "write null for each of the joint's numbers, or give all of them"
    case .unknownWord(_, let found, let allowed):
      NearestNames.hint(found, among: allowed) + "write one of the allowed words"
    case .unsupportedVersion: "convert the file, or use a version of planklab that reads it"
    case .unknownJoint(let joint, let skeleton):
      NearestNames.hint(joint, among: Skeleton(rawValue: skeleton)?.joints.map { $0.name } ?? [])
        + "correct the name; case matters"
    case .timeNotIncreasing: "sort the frames by time and remove repeated ones"
    case .upNotUnit: "normalize the vector"
    case .upUnknown: UpDirection.remedy
    case .noMatrices:
      "record `camera` with every pose: pelvis axes alone do not show how the body lies"
    case .notARotation: "write Vision's matrix column by column, 16 numbers"
    case .wrongFrame: "name the axes in which the positions are written"
    case .mirroredPixels: "add `image_width_px` to the header"
    }
  }
}

extension RecordingProblem {
  static func allowed(_ field: String, layout: JointLayout) -> String {
    let (joints, dimension) = (layout.joints.count, layout.dimension)
    switch field {
    case "t": return "a number of seconds"
    case "p":
      return "\(joints * dimension) numbers (\(joints) joints, \(dimension) each), null for a "
        + "missing joint, or null without a pose"
    case "up": return "3 numbers, or null"
    case "camera": return "16 numbers column by column, or null"
    case "height_m": return "a number of meters, or null"
    case "height_estimation": return "reference, measured, or null"
    case "c": return "\(joints) numbers, one per joint, or null"
    case "a": return "2 strings, the plank and the form, or null"
    default: return "a value of another type"
    }
  }
}

/// The reason why a line is not valid JSON.
public enum JSONFault: String, Hashable, Sendable {
  /// A malformed number, or one too large for a `Double`.
  case number = "a number that is malformed or out of range"
  /// A bare word other than true, false and null, for example NaN.
  case literal = "a word other than true, false and null"
  /// A string with a bad escape or a raw control character.
  case string = "a string with a bad escape or a raw control character"
  /// A string, list or object without an end.
  case incomplete = "a string, list or object that does not end"
  /// More than 1,024 levels of nested lists and objects.
  case tooDeep = "more than 1,024 levels of nesting"
  /// Anything else.
  case structure = "no readable JSON"

  /// What the user should do.
  public var remedy: String {
    switch self {
    case .number: "write finite decimal numbers, and null three times for a missing 3D joint"
    case .literal: "write null where a value is missing; JSON has no NaN"
    case .string: "escape quotes, backslashes and control characters"
    case .incomplete, .tooDeep, .structure: "write one JSON object per line"
    }
  }
}

extension RecordingProblem {
  fileprivate init(_ mistake: JSONMistake) {
    let first = mistake.found?.utf8.first ?? 0
    switch mistake.allowed {
    case .otherKey(let key): self = .repeatedKey(key)
    case .levels: self = .notJSON(.tooDeep)
    case .escapes: self = .notJSON(.string)
    case .key, .colon, .end: self = .notJSON(.structure)
    case .value, .comma, .quote, .rest:
      if mistake.found == nil {
        self = .notJSON(.incomplete)
      } else if mistake.allowed == .quote {
        self = .notJSON(.string)
      } else if mistake.allowed != .value {
        self = .notJSON(.structure)
      } else if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20) {
        self = .notJSON(.literal)
      } else {
        let isNumber = first == UInt8(ascii: "-") || (48...57).contains(first)
        self = .notJSON(isNumber ? .number : .structure)
      }
    }
  }
}

extension JSONNode {
  init(line: [UInt8]) throws(RecordingProblem) {
    guard String(decoding: line, as: UTF8.self).utf8.elementsEqual(line) else { throw .notUTF8 }
    do throws(JSONMistake) {
      var parser = JSONParser(line, depthLimit: 1024, hasIntegers: true)
      self = try parser.value()
      if case .object = content { try parser.requireEnd() }
    } catch { throw RecordingProblem(error) }
    guard case .object = content else { throw .notAnObject }
  }
}
