import PoseModel

/// A recording in the making: checks what one line cannot tell and collects frames.
struct RecordingAssembler {
  /// The most frames that room is made for before they come.
  private static let reservationLimit = 1 << 22

  /// What has been read so far.
  private(set) var recording: Recording
  /// Frames in pelvis axes that have a pose and no camera matrix.
  private(set) var posesWithoutMatrix = 0
  private let expectedByteCount: Int?
  private let upIsKnown: Bool
  private let isPelvis: Bool
  private var poses = 0
  private var previousTime = -Double.infinity

  /// Makes an assembler for the frames behind a header.
  init(header: RecordingHeader, expectedByteCount: Int?) {
    recording = Recording(header: header)
    self.expectedByteCount = expectedByteCount
    upIsKnown = header.upDirection != .perFrameOnly
    isPelvis = header.frame == .pelvis
  }

  /// A vector of length 1, from one whose length is 0.99 to 1.01.
  static func unit(_ vector: Vector3) throws(RecordingProblem) -> Vector3 {
    let norm = vector.norm
    guard UpDirection.acceptedNorms ~= norm else { throw .upNotUnit(norm: norm) }
    return vector / norm
  }

  /// Adds the frame that a decoder has read.
  mutating func append(_ decoder: FrameDecoder, lineLength: Int) throws(RecordingProblem) {
    let time = decoder.time
    guard time > previousTime else {
      throw .timeNotIncreasing(previous: previousTime, found: time)
    }
    guard (time - (recording.times.first ?? time)).isFinite else {
      throw .outOfRange(field: "t", found: time, allowed: "times whose distances are numbers")
    }
    previousTime = time
    let extras = decoder.hasExtras ? try decoder.extras() : FrameExtras()
    let pose = decoder.pose
    if pose != nil { try checkPose(extras, lineLength: lineLength) }
    recording.append(
      time: time, pose: pose, extras: extras, confidences: decoder.jointConfidences)
  }

  /// The finished recording, turned around if it was mirrored.
  mutating func finish() throws(RecordingProblem) -> Recording {
    if isPelvis, poses > 0, posesWithoutMatrix == poses { throw .noMatrices(poses: poses) }
    do {
      try recording.unmirror()
    } catch {
      throw .mirroredPixels
    }
    return recording
  }

  private mutating func checkPose(
    _ extras: FrameExtras, lineLength: Int
  ) throws(RecordingProblem) {
    if poses == 0 { reserve(lineLength: lineLength) }
    poses += 1
    if isPelvis, extras.camera == nil {
      posesWithoutMatrix += 1
    } else if !upIsKnown, extras.up == nil {
      throw .upUnknown
    }
  }

  /// Makes room for all frames at once, judged by the first one that has a pose.
  private mutating func reserve(lineLength: Int) {
    guard let expectedByteCount else { return }
    recording.reserveCapacity(
      min(expectedByteCount / (lineLength + 1) + 2, Self.reservationLimit))
  }
}
