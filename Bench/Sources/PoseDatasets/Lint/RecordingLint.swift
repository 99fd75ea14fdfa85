@_spi(Bench) import PoseModel

/// What looks wrong in a recording.
struct RecordingLint {
  /// The largest orthonormality error that rounding explains.
  static let rotationErrorTolerance = 1e-3
  /// Nobody pauses longer than this in one recording, in seconds: ten minutes.
  private static let longestPause = 600.0
  /// The line of frame 0: the header is line 1, and no line in between is blank.
  static let firstFrameLine = 2

  let path: String
  let file: RecordingFile
  /// Who stands along up; nil where that does not depend on the camera.
  let standing: StandingCheck?

  /// Checks a recording that was read.
  init(path: String, file: RecordingFile) {
    self.path = path
    self.file = file
    let header = file.recording.header
    let depends = header.skeleton.dimension == 3 && header.frame != .world
    standing = depends ? StandingCheck(file.recording) : nil
  }

  /// All warnings about the recording.
  var findings: [LintFinding] {
    file.notes.map { $0.finding(file: path) }
      + [noFrames, clockJump, posesWithoutMatrix, offRotations, pelvisSuspect, nobodyStands]
      .compactMap { $0 } + ImageLint(path: path, recording: recording).findings
  }

  private var recording: Recording { file.recording }

  private var noFrames: LintFinding? {
    guard recording.frameCount == 0 else { return nil }
    return .warning(
      .noFrames, file: path, message: "the recording has a header but no frames",
      remedy: "record again or remove the sequence")
  }

  /// The longest interval, if it is longer than any pause.
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

  /// A warning if nobody stands along up, but somebody would with the camera's buffers turned.
  private var nobodyStands: LintFinding? {
    let header = recording.header
    guard let check = self.standing, let (turn, standing) = check.turn else { return nil }
    let hasOwnUp = (0..<recording.frameCount).contains { recording.ownUp(at: $0) != nil }
    let known = header.bufferRotation ?? .upright
    let rotation = BufferRotation(quarterTurns: (known.degrees + turn.degrees) / 90)
    return .warning(
      .nobodyStands, file: path, line: 1,
      message: "nobody stands along `up` in any of \(check.poses) poses; with `up` turned by "
        + "\(turn.degrees) degrees clockwise, somebody stands in \(standing)"
        + (turn.degrees == 180 ? "" : " (or lies on the floor, if the camera was upright)"),
      remedy: header.up == nil && !hasOwnUp && header.buffer != .upright
        ? "write \"buffer_rotation_deg\":\(rotation.degrees) if the camera's buffers were turned"
        : "turn `up` by that angle")
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
