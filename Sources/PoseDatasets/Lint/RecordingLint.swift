import PoseModel

struct RecordingLint {
  /// The largest orthonormality error that rounding explains.
  static let rotationErrorTolerance = 1e-3
  /// Nobody pauses longer than this in one recording, in seconds: ten minutes.
  private static let longestPause = 600.0
  /// The line of frame 0: the header is line 1, and no line in between is blank.
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
      message: "the time jumps from \(times[index - 1]) to \(times[index]) s, like that of a clock "
        + "that is set while it runs",
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
        + "from a rotation by up to \(largest); allowed: "
        + "\(Self.rotationErrorTolerance)",
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
