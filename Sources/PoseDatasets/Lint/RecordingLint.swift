package import PoseModel

struct RecordingLint {
  /// The largest deviation of a camera matrix from a rotation that rounding can explain.
  static let rotationErrorTolerance = 1e-3
  /// The longest pause between two frames that is not reported, in seconds.
  private static let longestPause = 600.0
  /// The file line of frame 0: the header is line 1, and no line between frames is blank.
  static let firstFrameLine = 2

  let path: String
  let file: RecordingFile
  let survey: BodySurvey

  init(path: String, file: RecordingFile, labels: LabelTrack?) {
    self.path = path
    self.file = file
    survey = BodySurvey(file.recording, labels: labels)
  }

  var findings: [LintFinding] {
    file.notes.map { $0.finding(file: path) }
      + [noFrames, clockJump, posesWithoutMatrix, offRotations, pelvisSuspect].compactMap(\.self)
      + (recording.header.frame == .camera && recording.looksFixedToPelvis
        ? [] : BodyLint(path: path, recording: recording, survey: survey).findings)
      + ImageLint(path: path, recording: recording).findings
      + [BodyJumps(path: path, recording: recording).finding].compactMap(\.self)
  }

  private var recording: Recording { file.recording }

  private var noFrames: LintFinding? {
    guard recording.frameCount == 0 else { return nil }
    return .warning(
      .noFrames, file: path, message: "the recording has a header but no frames",
      remedy: "record again or remove the sequence")
  }

  private var clockJump: LintFinding? {
    let times = recording.times
    guard
      let index = times.indices.dropFirst().max(by: { a, b in
        times[a] - times[a - 1] < times[b] - times[b - 1]
      }), times[index] - times[index - 1] > Self.longestPause
    else { return nil }
    return .warning(
      .clockJump, file: path, line: index + Self.firstFrameLine,
      message: "the time jumps from \(times[index - 1]) to \(times[index]) s, like a clock that "
        + "was adjusted",
      remedy: "take the times of all frames from one clock, or split the recording there")
  }

  private var posesWithoutMatrix: LintFinding? {
    guard file.posesWithoutMatrix > 0 else { return nil }
    let frames = 0..<recording.frameCount
    let first = frames.first { recording.hasPose(at: $0) && recording.isMissing(at: $0) }
    return .warning(
      .poseWithoutMatrix, file: path, line: first.map { $0 + Self.firstFrameLine },
      message: "no `camera` matrix in \(CountText.of(file.posesWithoutMatrix, "pose")) in pelvis "
        + "axes, which count as missing", remedy: "record `camera` with every pose")
  }

  private var offRotations: LintFinding? {
    var first: Int?
    var count = 0
    var largest = 0.0
    for frame in 0..<recording.frameCount where recording.hasCameras {
      guard let error = recording.camera(at: frame)?.rotation.orthonormalityError,
        error > Self.rotationErrorTolerance
      else { continue }
      first = first ?? frame
      count += 1
      largest = max(largest, error)
    }
    guard let first else { return nil }
    return .warning(
      .cameraOffRotation, file: path, line: first + Self.firstFrameLine,
      message: "\(CountText.of(count, "camera matrix differs", plural: "camera matrices differ")) "
        + "from a rotation by up to \(largest); allowed: " + "\(Self.rotationErrorTolerance)",
      remedy: "write Vision's matrix with all its digits")
  }

  private var pelvisSuspect: LintFinding? {
    guard recording.header.frame == .camera, recording.looksFixedToPelvis else { return nil }
    let (fixed, poses) = recording.posesFixedToPelvis
    return .warning(
      .pelvisSuspect, file: path, line: 1,
      message: "the header says `camera`, but in \(fixed) of \(poses) poses the hips lie "
        + "along x and the spine has no depth, as in pelvis axes",
      remedy: "write \"frame\":\"pelvis\" and record `camera` with every pose")
  }
}

struct CalibrationLint {
  let path: String
  let line: Int
  let name: String
  let hold: ConfirmedHold
  let recording: Recording
  let labels: LabelTrack?

  var findings: [LintFinding] {
    guard let first = recording.times.first, let last = recording.times.last else { return [] }
    let step = recording.medianFrameInterval?.value ?? 0
    if hold.start.value < first || hold.end.value > last + step + FrameTiming.slack {
      return [
        .warning(
          .calibrationOutside, file: path, line: line,
          message: "`calibration` of `\(name)` from \(hold.start.value) to \(hold.end.value) s "
            + "lies outside its frames, which go from \(first) to \(last) s",
          remedy: "give seconds on the recording's clock")
      ]
    }
    return [otherLabel].compactMap(\.self)
  }

  private var otherLabel: LintFinding? {
    let frames = hold.frames(at: recording.times)
    let truth = labels?.truth(at: recording.times)
    let other = frames.lazy.compactMap { frame -> (Double, String)? in
      guard let plank = truth?.plank(at: frame), plank != .forearm, plank != .high else {
        return nil
      }
      return (self.recording.times[frame], plank.name)
    }.first
    guard let (time, label) = other else { return nil }
    return .warning(
      .calibrationLabels, file: path, line: line,
      message: "`calibration` of `\(name)` contains the frame at \(time) s, which is labeled "
        + "`\(label)`", remedy: "confirm seconds of a forearm or high plank, or correct the label")
  }
}

struct CameraStatement: Hashable {
  private let frame: FrameOfReference
  private let orientation: DeviceOrientation?
  private let camera: CameraPosition?
  private let buffer: ImageBuffer?
  private let rotation: BufferRotation?
  private let up: Vector3?

  init?(_ recording: Recording) {
    guard !(0..<recording.frameCount).contains(where: { recording.ownUp(at: $0) != nil }) else {
      return nil
    }
    let header = recording.header
    frame = header.frame
    orientation = header.orientation
    camera = header.cameraPosition
    buffer = header.buffer
    rotation = header.bufferRotation
    up = header.up
  }
}

extension LintFinding {
  var withoutTurn: LintFinding {
    guard code == .nobodyStands else { return self }
    return .note(
      .nobodyStands, file: file,
      message: "nobody stands, but people do in other recordings with the same camera settings",
      remedy: "if somebody only lies on the floor here, there is nothing to do")
  }
}

struct ClockSurvey: Hashable, Sendable {
  let start: Double?
  let medianStep: Double?
  let repeated: Int
  let backward: Int
  let unit: TimeUnit?
  let isDate: Bool

  /// The smallest number of times whose steps show the unit; chosen by PlankLab.
  static let fewestTimes = 10
  /// The smallest number of times, whole and 1 apart, that are taken as frame numbers; a shorter
  /// recording may really have one frame per second.
  static let fewestNumbers = 30
  /// The year 1980 in seconds since 1970; no recording is that long, so later times are dates.
  static let earliestDate = 315_532_800.0

  init(_ times: [Double]) {
    let steps = times.steps
    start = times.first
    medianStep = steps.median
    repeated = steps.count { $0 == 0 }
    backward = steps.count { $0 < 0 }
    let areNumbers =
      times.count >= Self.fewestNumbers && medianStep == 1
      && times.allSatisfy { $0 == $0.rounded() }
    let unit: TimeUnit? =
      if times.count < Self.fewestTimes { nil } else if areNumbers { .frames } else {
        medianStep.flatMap(TimeUnit.init(ofStep:))
      }
    self.unit = unit
    isDate = (times.first ?? 0) * (unit?.seconds ?? 1) >= Self.earliestDate
  }

  var isInSeconds: Bool { unit == nil || unit == .seconds }

  /// Returns the times in seconds, with dates as times from the recording's start; frame numbers
  /// stay unchanged.
  func corrected(_ times: [Double]) -> [Double] {
    guard isDate || !isInSeconds, let start, let seconds = (unit ?? .seconds).seconds else {
      return times
    }
    return times.map { ($0 - (isDate ? start : 0)) * seconds }
  }
}

package enum TimeUnit: String, CaseIterable, Hashable, Sendable {
  case seconds
  case milliseconds
  case microseconds
  case nanoseconds
  case frames

  /// The longest step that a camera may have, in seconds; the slowest real recording that PlankLab
  /// has tested has steps of 1.4 s.
  private static let longestStep = 2.0
  /// The shortest step, in seconds, that a unit other than seconds may give: 250 Hz.
  private static let shortestStep = 0.004

  init?(ofStep step: Double) {
    guard step > Self.longestStep else {
      self = .seconds
      return
    }
    let cameras = Self.shortestStep...Self.longestStep
    let unit = Self.allCases.first { $0.seconds.map { cameras.contains(step * $0) } ?? false }
    guard let unit else { return nil }
    self = unit
  }

  package init?(ofStep step: Seconds, frames: Int) {
    guard frames >= ClockSurvey.fewestTimes else { return nil }
    self.init(ofStep: step.value)
  }

  package var seconds: Double? {
    switch self {
    case .seconds: 1
    case .milliseconds: 1e-3
    case .microseconds: 1e-6
    case .nanoseconds: 1e-9
    case .frames: nil
    }
  }
}

struct LabelsLint {
  /// The distance, in seconds, within which a boundary was probably meant to equal the frame's
  /// time.
  private static let nearness = 1e-3
  private static let stepsBehindEnd = 2.0
  /// The smallest share of frames with labels that is not reported; sound recordings with labels
  /// have at least 0.14.
  private static let smallestCoverage = 0.05
  private static let fewestFrames = 30

  let path: String
  let file: LabelsReader.File
  let recording: Recording
  let clock: ClockSurvey?

  var findings: [LintFinding] {
    var findings = file.notes.map { $0.finding(file: path) }
    guard let first = recording.times.first, let last = recording.times.last else {
      return findings
    }
    for (segment, line) in zip(file.track.segments, file.lines) {
      if segment.end.value <= first || segment.start.value > last {
        findings.append(outside(segment, line: line, first: first, last: last))
      } else {
        findings += near(segment, line: line)
      }
    }
    findings += [afterEnd(last: last), noScoredFrames, coverage].compactMap { $0 }
    return findings
  }

  private var coverage: LintFinding? {
    let codes = file.track.truth(at: recording.times).plank
    let covered = codes.count { $0 != FrameTruth.unlabeled }
    guard let start = file.track.segments.first?.start.value, clock?.isInSeconds != false,
      let end = file.track.segments.last?.end.value, let first = recording.times.first,
      let last = recording.times.last, codes.count >= Self.fewestFrames,
      Double(covered) < Self.smallestCoverage * Double(codes.count)
    else { return nil }
    let dates = clock?.isDate == true ? "; the recording's times count from a date" : ""
    return .warning(
      .labelCoverage, file: path,
      message: "labels cover \(covered) of \(CountText.of(codes.count, "frame")): they go from "
        + "\(start) to \(end) s, the recording from \(first) to \(last) s\(dates)",
      remedy: dates.isEmpty
        ? "check that labels and frames are on one clock, or label more"
        : "subtract the recording's first time from all its times")
  }

  private func outside(
    _ segment: LabeledSegment, line: Int, first: Double, last: Double
  ) -> LintFinding {
    .warning(
      .labelOutside, file: path, line: line,
      message: "the segment \(segment.start.value) to \(segment.end.value) s covers no frame; "
        + "the recording goes from \(first) to \(last) s",
      remedy: "check that labels and frames are on one clock")
  }

  private func near(_ segment: LabeledSegment, line: Int) -> [LintFinding] {
    [("start", segment.start.value), ("end", segment.end.value)].compactMap { name, boundary in
      guard let frame = nearestOtherTime(to: boundary) else { return nil }
      return .warning(
        .labelNearFrame, file: path, line: line,
        message: "`\(name)` \(boundary) is within 1 ms of the frame at \(frame) but not equal "
          + "to it", remedy: "write \(frame) if you mean that frame, since times have no tolerance")
    }
  }

  private func nearestOtherTime(to boundary: Double) -> Double? {
    let times = recording.times
    let index = times.partitioningIndex { $0 >= boundary }
    let neighbors = times[max(index - 1, 0)..<min(index + 1, times.count)]
    let nearest = neighbors.min { ($0 - boundary).magnitude < ($1 - boundary).magnitude }
    guard let nearest, nearest != boundary, (nearest - boundary).magnitude <= Self.nearness else {
      return nil
    }
    return nearest
  }

  private func afterEnd(last: Double) -> LintFinding? {
    guard let segment = file.track.segments.last, let step = recording.medianFrameInterval,
      segment.start.value <= last, segment.end.value > last + Self.stepsBehindEnd * step.value
    else { return nil }
    return .warning(
      .labelAfterEnd, file: path, line: file.lines.last,
      message: "the last segment ends at \(segment.end.value) s, more than two frames after the "
        + "last frame at \(last) s", remedy: "end it with the recording, or check the clock")
  }

  private var noScoredFrames: LintFinding? {
    let codes = file.track.truth(at: recording.times).plank
    guard !codes.contains(where: FrameTruth.isScored) else { return nil }
    if codes.contains(FrameTruth.ignored), file.track.segments.allSatisfy({ $0.plank == nil }) {
      return .note(
        .noScoredFrames, file: path, message: "every label is `ignore`, so no frame is scored",
        remedy: "if that is intended, there is nothing to do")
    }
    return .warning(
      .noScoredFrames, file: path,
      message: "no frame of the recording has a label that can be scored",
      remedy: "label the recording, or check the clock")
  }
}

struct ActivitiesLint {
  private static let stepsBehindEnd = 2.0

  let path: String
  let track: ActivityTrack
  let lines: [Int]
  let recording: Recording

  var findings: [LintFinding] {
    guard let first = recording.times.first, let last = recording.times.last else { return [] }
    let step = recording.medianFrameInterval?.value ?? 0
    return zip(track.segments, lines).compactMap { segment, line in
      let isOutside = segment.end.value <= first || segment.start.value > last
      guard isOutside || segment.end.value > last + Self.stepsBehindEnd * step else { return nil }
      let fault = isOutside ? "covers no frame" : "goes on after the last frame"
      return .warning(
        .activityOutside, file: path, line: line,
        message: "`\(segment.name)` from \(segment.start.value) to \(segment.end.value) s "
          + "\(fault); the recording goes from \(first) to \(last) s",
        remedy: "check that activities and frames are on one clock")
    }
  }
}
