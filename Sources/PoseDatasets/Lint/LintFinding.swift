internal import PoseModel

/// Something that is or looks wrong in a dataset.
package struct LintFinding: Hashable, Sendable, Encodable, CustomStringConvertible {
  /// The severity.
  package enum Severity: String, Hashable, Sendable, Encodable {
    /// The dataset cannot be used as it is.
    case error
    /// The dataset can be used but may not be what its makers think.
    case warning
    /// Nothing is wrong; it is reported so that nobody has to wonder.
    case note
  }

  /// The severity.
  package let severity: Severity
  /// The kind of finding.
  package let code: LintCode
  /// The file concerned.
  package let file: String
  /// The line concerned, from 1, if there is one.
  package let line: Int?
  /// What was found and what is allowed.
  package let message: String
  /// What to do about it.
  package let remedy: String

  /// Place, severity, code, problem and remedy.
  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(severity.rawValue) (\(code.rawValue)): \(message); \(remedy)"
  }

  /// A warning.
  static func warning(
    _ code: LintCode, file: String, line: Int? = nil, message: String, remedy: String
  ) -> LintFinding {
    LintFinding(
      severity: .warning, code: code, file: file, line: line, message: message, remedy: remedy)
  }

  /// Something that its makers intended.
  static func note(
    _ code: LintCode, file: String, message: String, remedy: String
  ) -> LintFinding {
    LintFinding(
      severity: .note, code: code, file: file, line: nil, message: message, remedy: remedy)
  }

  /// An error from a reader.
  static func error(_ error: DatasetError) -> LintFinding {
    LintFinding(
      severity: .error, code: LintCode(error), file: error.file, line: error.line,
      message: error.message, remedy: error.remedy)
  }
}

/// The kinds of findings.
package enum LintCode: String, Encodable, CaseIterable, Hashable, Sendable {
  /// The manifest breaks its format.
  case invalidManifest = "invalid-manifest"
  /// A file of the manifest does not exist or cannot be opened.
  case missingFile = "missing-file"
  /// A recording breaks the format.
  case invalidRecording = "invalid-recording"
  /// A label file breaks the format.
  case invalidLabels = "invalid-labels"
  /// A file that is not proper text, or a damaged archive.
  case invalidText = "invalid-text"
  /// Manifest and header give different subjects.
  case subjectMismatch = "subject-mismatch"

  /// An unknown key of the manifest.
  case unknownKey = "unknown-key"
  /// Nobody says who was recorded.
  case missingSubject = "missing-subject"
  /// A recording without labels.
  case missingLabels = "missing-labels"
  /// Two files have the same poses throughout.
  case duplicateRecording = "duplicate-recording"
  /// Two files have the same poses for a while.
  case duplicateFrames = "duplicate-frames"
  /// A recording that claims camera axes but looks like pelvis axes.
  case pelvisSuspect = "pelvis-suspect"
  /// Nobody stands along the up direction, but somebody would if the camera's buffers were turned.
  case nobodyStands = "nobody-stands"
  /// Times in another unit than seconds.
  case clockUnit = "clock-unit"
  /// Bodies of a size that people do not have: positions in another unit than meters.
  case bodySize = "body-size"
  /// Limbs whose lengths do not go together: an axis in another unit, or a wrong aspect ratio.
  case boneRatios = "bone-ratios"
  /// Shoulders wider than people have them: exaggerated depth.
  case wideBody = "wide-body"
  /// Joints exactly at the origin, put there because they were not found.
  case jointsAtOrigin = "joints-at-origin"
  /// A joint that never moves while the others do.
  case frozenJoint = "frozen-joint"
  /// One pose that is repeated frame after frame.
  case repeatedPoses = "repeated-poses"
  /// Poses labeled as planks that do not look like planks along the up direction.
  case plankPosture = "plank-posture"
  /// Bodies as in a mirror: left and right swapped, or an axis reversed.
  case mirroredBody = "mirrored-body"
  /// Side planks in which the other shoulder is up than the label says.
  case swappedSides = "swapped-sides"
  /// 3D recordings that do not say how tall the person is.
  case missingHeight = "missing-height"
  /// Poses in pelvis axes that count as missing because they have no matrix.
  case poseWithoutMatrix = "pose-without-matrix"
  /// Camera matrices that are not quite rotations.
  case cameraOffRotation = "camera-off-rotation"
  /// Times that jump, like those of a clock that is set while it runs.
  case clockJump = "clock-jump"
  /// A 2D recording that does not say how large its images are.
  case unknownImageSize = "unknown-image-size"
  /// A body that is small in the image.
  case smallBody = "small-body"
  /// The torso, both arms or both legs are not seen.
  case missingRegions = "missing-regions"
  /// A person who moves farther between two frames than people do.
  case personJumps = "person-jumps"
  /// Other people who overlap the person, or crowd the image.
  case otherPeople = "other-people"
  /// A recording without frames.
  case noFrames = "no-frames"
  /// A labeled recording without a scored frame.
  case noScoredFrames = "no-scored-frames"
  /// A label boundary that misses a frame by less than a millisecond.
  case labelNearFrame = "label-near-frame"
  /// Labels that continue after the recording has ended.
  case labelAfterEnd = "label-after-end"
  /// Labels that cover hardly any frame.
  case labelCoverage = "label-coverage"
  /// A segment entirely outside the recording.
  case labelOutside = "label-outside"
  /// An activity that is, wholly or at its end, outside the recording.
  case activityOutside = "activity-outside"
  /// A confirmed hold lies outside its recording.
  case calibrationOutside = "calibration-outside"
  /// A confirmed hold is not labeled as a forearm or high plank.
  case calibrationLabels = "calibration-labels"
  /// A byte-order mark.
  case byteOrderMark = "byte-order-mark"
  /// Lines that end with a carriage return.
  case carriageReturns = "carriage-returns"
  /// Blank lines at the end.
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
  /// The note as a warning.
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
