import PoseModel

extension RecordingProblem {
  /// The problem in words.
  var message: String {
    switch self {
    case .empty: "found an empty file; allowed: a header line and one line a frame"
    case .notUTF8: TextProblem.notUTF8.message
    case .notJSON(let fault): "found \(fault.rawValue); allowed: one JSON object a line"
    case .truncated: "the last line ends inside its JSON: the file was cut off"
    case .notAnObject: "found JSON that is no object; allowed: one object a line"
    case .repeatedKey(let key): "found the key `\(key)` twice; allowed: each key once"
    case .missingField(let field): "found no `\(field)`; allowed: lines with `\(field)`"
    case .wrongType(let field, let element, let found, let allowed):
      "`\(field)`\(element.map { "[\($0)]" } ?? ""): found \(found); allowed: \(allowed)"
    case .notFinite(let field, let joint):
      "`\(field)`: found a number too large for a Float at joint \(joint); allowed: finite"
    case .wrongCount(let field, let found, let allowed):
      "`\(field)`: found \(found) elements; allowed: \(allowed)"
    case .partlyNull(let joint):
      "`p`: found joint \(joint) partly null; allowed: all of its numbers or none"
    case .unknownWord(let field, let found, let allowed):
      "`\(field)`: found `\(found)`; allowed: \(allowed.joined(separator: ", "))"
    case .unsupportedVersion(let found):
      "found \(found); allowed: format planklab-poses, version 1"
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
    case .upUnknown: "found a pose whose up direction is not known"
    case .noMatrices(let poses):
      "found \(poses) poses in pelvis axes and no `camera` matrix at all"
    case .notARotation(_, true): "`camera`: found a reflection; allowed: a rotation"
    case .notARotation(let error, false):
      "`camera`: found a matrix that is off a rotation by \(error); allowed: at most "
        + "\(CameraMatrix.rotationErrorLimit)"
    case .wrongFrame(let found, let skeleton, let allowed):
      "`frame`: found `\(found)` with skeleton \(skeleton); allowed: "
        + allowed.joined(separator: ", ")
    case .mirroredPixels: "found a mirrored recording in pixels without the image's width"
    default: "found a recording that breaks the format"
    }
  }

  /// What to do about it.
  var remedy: String {
    switch self {
    case .empty: "write the header line first"
    case .notUTF8: TextProblem.notUTF8.remedy
    case .notJSON(let fault): fault.remedy
    case .truncated: "delete the last line, or copy the file again"
    case .notAnObject: "write {...} on every line"
    case .repeatedKey, .repeatedJoint: "remove or rename one of the two"
    case .missingField("p"): "write \"p\":null where no pose was found"
    case .missingField(let field): "add `\(field)`"
    case .wrongType, .wrongCount, .outOfRange: "correct the value"
    case .notFinite: "write positions in meters (3D) or image units (2D)"
    case .partlyNull: "write null for each of the joint's numbers, or give all of them"
    case .unknownWord: "write one of the allowed words"
    case .unsupportedVersion: "convert the file, or use a version of planklab that reads it"
    case .unknownJoint: "correct the name; case matters"
    case .timeNotIncreasing: "sort the frames by time and remove repeated ones"
    case .upNotUnit: "normalize the vector"
    case .upUnknown: UpDirection.remedy
    case .noMatrices:
      "record `camera` with every pose: pelvis axes do not tell how the body lies"
    case .notARotation: "write Vision's matrix column by column, 16 numbers"
    case .wrongFrame: "name the axes in which the positions are written"
    case .mirroredPixels: "add `image_width_px` to the header"
    }
  }
}
