internal import PoseModel

package struct LintFinding: Hashable, Sendable, Encodable, CustomStringConvertible {
  package enum Severity: String, Hashable, Sendable, Encodable {
    case error
    case warning
    case note
  }

  package let severity: Severity
  package let code: LintCode
  package let file: String
  package let line: Int?
  package let message: String
  package let remedy: String

  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(severity.rawValue) (\(code.rawValue)): \(message); \(remedy)"
  }

  static func warning(
    _ code: LintCode, file: String, line: Int? = nil, message: String, remedy: String
  ) -> LintFinding {
    LintFinding(
      severity: .warning, code: code, file: file, line: line, message: message, remedy: remedy)
  }

  static func note(
    _ code: LintCode, file: String, message: String, remedy: String
  ) -> LintFinding {
    LintFinding(
      severity: .note, code: code, file: file, line: nil, message: message, remedy: remedy)
  }

  static func error(_ error: DatasetError) -> LintFinding {
    LintFinding(
      severity: .error, code: LintCode(error), file: error.file, line: error.line,
      message: error.message, remedy: error.remedy)
  }
}

package enum LintCode: String, Encodable, CaseIterable, Hashable, Sendable {
  case invalidManifest = "invalid-manifest"
  case missingFile = "missing-file"
  case invalidRecording = "invalid-recording"
  case invalidLabels = "invalid-labels"
  case invalidText = "invalid-text"
  case subjectMismatch = "subject-mismatch"

  case unknownKey = "unknown-key"
  case missingSubject = "missing-subject"
  case missingLabels = "missing-labels"
  case duplicateRecording = "duplicate-recording"
  case duplicateFrames = "duplicate-frames"
  case pelvisSuspect = "pelvis-suspect"
  case nobodyStands = "nobody-stands"
  case clockUnit = "clock-unit"
  case bodySize = "body-size"
  case boneRatios = "bone-ratios"
  case wideBody = "wide-body"
  case jointsAtOrigin = "joints-at-origin"
  case frozenJoint = "frozen-joint"
  case repeatedPoses = "repeated-poses"
  case plankPosture = "plank-posture"
  case mirroredBody = "mirrored-body"
  case swappedSides = "swapped-sides"
  case missingHeight = "missing-height"
  /// Poses in pelvis axes that count as missing because they have no matrix.
  case poseWithoutMatrix = "pose-without-matrix"
  case cameraOffRotation = "camera-off-rotation"
  case clockJump = "clock-jump"
  case unknownImageSize = "unknown-image-size"
  case smallBody = "small-body"
  case missingRegions = "missing-regions"
  case personJumps = "person-jumps"
  case otherPeople = "other-people"
  case noFrames = "no-frames"
  case noScoredFrames = "no-scored-frames"
  case labelNearFrame = "label-near-frame"
  case labelAfterEnd = "label-after-end"
  case labelCoverage = "label-coverage"
  case labelOutside = "label-outside"
  case activityOutside = "activity-outside"
  case calibrationOutside = "calibration-outside"
  case calibrationLabels = "calibration-labels"
  case byteOrderMark = "byte-order-mark"
  case carriageReturns = "carriage-returns"
  case blankLastLines = "blank-last-lines"

  fileprivate init(_ error: DatasetError) {
    switch error {
    case .missingFile, .directoryForFile, .notAFile, .unreadableFile: self = .missingFile
    case .invalidText, .hashingFailed: self = .invalidText
    case .invalidRecording: self = .invalidRecording
    case .invalidLabels: self = .invalidLabels
    case .invalidManifest, .unknownSplit: self = .invalidManifest
    }
  }
}

extension TextNote {
  func finding(file: String) -> LintFinding {
    switch self {
    case .byteOrderMark:
      .warning(
        .byteOrderMark, file: file, line: 1, message: "the file begins with a byte-order mark",
        remedy: "save it as UTF-8 without one")
    case .carriageReturns(let line, let count):
      .warning(
        .carriageReturns, file: file, line: line,
        message: "a carriage return ends \(CountText.of(count, "line"))",
        remedy: "save with line feeds")
    case .blankLastLines(let line, let count):
      .warning(
        .blankLastLines, file: file, line: line,
        message: "the file ends with \(CountText.of(count, "blank line"))", remedy: "remove them")
    }
  }
}
