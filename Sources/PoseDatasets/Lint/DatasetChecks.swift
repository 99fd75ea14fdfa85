import PoseModel

package struct DatasetChecks: Sendable {
  package struct Checked: Sendable {
    let findings: [LintFinding]
    let fingerprints: PoseFingerprints?
    var camera: CameraStatement?
    var survey: BodySurvey?
  }

  private let dataset: DatasetReader?
  private let ownFindings: [LintFinding]

  package init(datasetAt path: String) throws {
    do {
      let dataset = try DatasetReader(withoutActivitiesAt: path)
      let (activities, faults) = try Self.activities(of: dataset)
      self.dataset = dataset.with(activities)
      let unknown = dataset.manifest.unknownKeys.map { key -> LintFinding in
        .warning(
          .unknownKey, file: dataset.manifestPath, line: key.line,
          message: "found the key `\(key.field)`; known keys: \(key.known.joined(separator: ", "))",
          remedy: "correct the key, or move it to `tags`")
      }
      ownFindings = unknown + faults
    } catch let error as DatasetError where !error.isMissingInput {
      dataset = nil
      ownFindings = [.error(error)]
    }
  }

  private static func activities(
    of dataset: DatasetReader
  ) throws -> (ActivitiesReader.File?, [LintFinding]) {
    do {
      let file = try ActivitiesReader.read(folder: dataset.folder, of: dataset.manifest.sequences)
      return (file, file.map { file in file.notes.map { $0.finding(file: file.path) } } ?? [])
    } catch let error as DatasetError { return (nil, [.error(error)]) }
  }

  package var sequences: [SequenceEntry] { dataset?.manifest.sequences ?? [] }

  package func check(_ entry: SequenceEntry) throws -> Checked {
    guard let dataset else { return Checked(findings: [], fingerprints: nil) }
    return try SequenceLint(dataset: dataset, entry: entry).checked()
  }

  package func findings(_ checked: [Checked], progress: (Int) -> Void = { _ in }) -> [LintFinding] {
    var duplicates = DuplicatePoses()
    for (index, sequence) in checked.enumerated() {
      progress(index)
      if let fingerprints = sequence.fingerprints { duplicates.add(fingerprints) }
    }
    progress(checked.count)
    let upright = Set(checked.filter { $0.survey?.isUpConfirmed == true }.compactMap(\.camera))
    let own = checked.flatMap { sequence in
      sequence.camera.map(upright.contains) == true
        ? sequence.findings.map(\.withoutTurn) : sequence.findings
    }
    let bodies = dataset.map { dataset in
      DatasetBodies(
        manifestPath: dataset.manifestPath, surveys: checked.compactMap(\.survey),
        hasBoneRatios: own.contains { $0.code == .boneRatios })
    }
    return ownFindings + own + duplicates.findings + (bodies?.findings ?? [])
  }
}

struct SequenceLint {
  let dataset: DatasetReader
  let entry: SequenceEntry

  func checked() throws -> DatasetChecks.Checked {
    let path = dataset.path(of: entry.posesPath)
    var findings = otherPeople.map { [$0] } ?? []
    var recording: Recording?
    var fingerprints: PoseFingerprints?
    var survey: BodySurvey?
    let labels = self.labels
    do {
      let file = try RecordingReader.read(path: path)
      let lint = RecordingLint(path: path, file: file, labels: try? labels?.get().track)
      findings += subjectFindings(header: file.recording.header)
      findings += lint.findings
      survey = lint.survey
      fingerprints = PoseFingerprints(path: path, recording: file.recording)
      recording = file.recording
    } catch let error as DatasetError { findings.append(.error(error)) }
    findings += try labelFindings(labels, recording, survey) + activityFindings(recording)
    findings += calibrationFindings(recording, try? labels?.get().track)
    return DatasetChecks.Checked(
      findings: findings, fingerprints: fingerprints,
      camera: recording.flatMap(CameraStatement.init), survey: survey)
  }

  private func activityFindings(_ recording: Recording?) -> [LintFinding] {
    guard let recording, let file = dataset.activities, let track = file.tracks[entry.name] else {
      return []
    }
    return ActivitiesLint(
      path: file.path, track: track, lines: file.lines[entry.name] ?? [], recording: recording
    ).findings
  }

  private func calibrationFindings(
    _ recording: Recording?, _ labels: LabelTrack?
  ) -> [LintFinding] {
    guard let recording, let hold = entry.calibration else { return [] }
    return CalibrationLint(
      path: dataset.manifestPath, line: entry.line, name: entry.name, hold: hold,
      recording: recording, labels: labels
    ).findings
  }

  private var otherPeople: LintFinding? {
    guard let tag = entry.tags[OtherPeople.tag], let others = OtherPeople(rawValue: tag) else {
      return nil
    }
    let problem: String
    switch others {
    case .none, .apart: return nil
    case .overlapping: problem = "someone else overlaps this person, so some joints may be theirs"
    case .crowd: problem = "the images show a crowd, in which poses are inaccurate"
    }
    return warning(
      .otherPeople, "`\(entry.name)`: \(problem)",
      remedy: "record one person at a time, or crop the images before detection")
  }

  private var labels: Result<LabelsReader.File, any Error>? {
    entry.labelsPath.map { path in Result { try LabelsReader.read(path: dataset.path(of: path)) } }
  }

  private func labelFindings(
    _ labels: Result<LabelsReader.File, any Error>?, _ recording: Recording?, _ survey: BodySurvey?
  ) throws -> [LintFinding] {
    guard let labels, let labelsPath = entry.labelsPath else {
      return [
        warning(
          .missingLabels, "the sequence `\(entry.name)` has no labels and cannot be scored",
          remedy: "add `labels`")
      ]
    }
    let path = dataset.path(of: labelsPath)
    do {
      let file = try labels.get()
      let findings =
        recording.map {
          LabelsLint(path: path, file: file, recording: $0, clock: survey?.clock).findings
        } ?? file.notes.map { $0.finding(file: path) }
      return findings + (try onsetFindings(file.track))
    } catch let error as DatasetError { return [.error(error)] }
  }

  private func onsetFindings(_ labels: LabelTrack) throws -> [LintFinding] {
    do {
      guard let onsetsPath = try dataset.onsetsPath(of: entry) else { return [] }
      _ = try OnsetsReader.read(path: dataset.path(of: onsetsPath), of: labels)
      return []
    } catch let error as DatasetError { return [.error(error)] }
  }

  private func subjectFindings(header: RecordingHeader) -> [LintFinding] {
    switch (entry.subject, header.subject) {
    case (nil, nil):
      [
        warning(
          .missingSubject, "it is unknown who was recorded in `\(entry.name)`",
          remedy: "add `subject`, since intervals resample subjects")
      ]
    case (let inManifest?, let inHeader?) where inManifest != inHeader:
      [
        LintFinding(
          severity: .error, code: .subjectMismatch, file: dataset.manifestPath, line: entry.line,
          message: "the manifest says subject `\(inManifest)`, but the header of "
            + "\(entry.posesPath) says `\(inHeader)`", remedy: "correct one of the two")
      ]
    default: []
    }
  }

  private func warning(_ code: LintCode, _ message: String, remedy: String) -> LintFinding {
    .warning(code, file: dataset.manifestPath, line: entry.line, message: message, remedy: remedy)
  }
}

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

  static func note(_ code: LintCode, file: String, message: String, remedy: String) -> LintFinding {
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
        remedy: "save the file as UTF-8 without it")
    case .carriageReturns(let line, let count):
      .warning(
        .carriageReturns, file: file, line: line,
        message:
          "\(CountText.of(count, "line")) \(count == 1 ? "ends" : "end") with a carriage return",
        remedy: "save the file with line feeds only")
    case .blankLastLines(let line, let count):
      .warning(
        .blankLastLines, file: file, line: line,
        message: "the file ends with \(CountText.of(count, "blank line"))",
        remedy: "remove blank lines at the end")
    }
  }
}
