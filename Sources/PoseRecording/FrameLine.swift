package import PoseModel

/// The content of a frame line besides its pose, before it is checked.
package struct FrameLine: Hashable, Sendable {
  /// The frame's time in seconds.
  public var time: Double
  /// The up vector, if given.
  public var up: Vector3?
  /// The 16 numbers of the camera's matrix, if given.
  public var camera: [Double]?
  /// The person's height in meters, if given.
  public var bodyHeight: Double?
  /// Where the height comes from, if given.
  public var heightEstimation: String?
  /// The device's own plank answer, if given.
  public var plankAnswer: String?
  /// The device's own form answer, if given.
  public var formAnswer: String?
  /// Whether the device's answer is given at all; its texts may be null.
  public var hasAnswer = false

  /// Makes the line of a frame with only a time.
  public init(time: Double) { self.time = time }

  /// A vector of length 1, from one whose length is 0.99 to 1.01.
  ///
  /// One that differs from 1 by rounding alone stays as it is, so that what was read is written and
  /// read again without a change.
  static func unit(_ vector: Vector3) throws(RecordingProblem) -> Vector3 {
    let norm = vector.norm
    guard UpDirection.acceptedNorms ~= norm else { throw .upNotUnit(norm: norm) }
    return abs(norm - 1) <= 4 * .ulpOfOne ? vector : vector / norm
  }

  /// What the frame has besides its time and pose.
  func extras() throws(RecordingProblem) -> FrameExtras {
    var extras = FrameExtras()
    if let up { extras.up = try Self.unit(up) }
    if let camera { extras.camera = try Self.matrix(camera) }
    if let bodyHeight {
      guard bodyHeight > 0 else {
        throw .outOfRange(
          field: "height_m", found: bodyHeight, allowed: "a number above 0, or null")
      }
      extras.bodyHeight = Meters(bodyHeight)
    }
    extras.heightEstimation = try Self.word(
      heightEstimation, field: "height_estimation", among: HeightEstimation.words)
    if hasAnswer {
      extras.answer = DeviceAnswer(
        plank: try Self.word(plankAnswer, field: "a", among: PlankClass.words),
        form: try Self.word(formAnswer, field: "a", among: FormClass.words))
    }
    return extras
  }

  private static func matrix(_ entries: [Double]) throws(RecordingProblem) -> CameraMatrix {
    guard let matrix = CameraMatrix(columnMajor: entries) else {
      throw .wrongCount(field: "camera", found: entries.count, allowed: "16 finite numbers")
    }
    guard matrix.turnsRigidly else {
      let error = matrix.rotation.orthonormalityError
      throw .notARotation(error: error, isReflection: error <= CameraMatrix.rotationErrorLimit)
    }
    return matrix
  }

  private static func word<Value>(
    _ found: String?, field: String, among words: [(word: String, value: Value)]
  ) throws(RecordingProblem) -> Value? {
    guard let found else { return nil }
    for (word, value) in words where word == found { return value }
    throw .unknownWord(field: field, found: found, allowed: words.map { $0.word })
  }
}

// Made once: a list of words per frame would be too slow.
extension PlankClass {
  fileprivate static let words = allCases.map { (word: $0.name, value: $0) }
}

extension FormClass {
  fileprivate static let words = allCases.map { (word: $0.name, value: $0) }
}

extension HeightEstimation {
  fileprivate static let words = allCases.map { (word: $0.rawValue, value: $0) }
}

/// A recording in progress: checks what no single line shows, and collects frames.
package struct RecordingAssembler {
  /// The largest number of frames for which room is reserved beforehand.
  private static let reservationLimit = 1 << 22

  /// The frames so far.
  public private(set) var recording: Recording
  /// Frames in pelvis axes with a pose but no camera matrix.
  public private(set) var posesWithoutMatrix = 0
  private let expectedByteCount: Int?
  private let upIsKnown: Bool
  private let isPelvis: Bool
  private var poses = 0
  private var previousTime = -Double.infinity

  /// Makes an assembler for the frames after a header.
  public init(header: RecordingHeader, expectedByteCount: Int?) {
    recording = Recording(header: header)
    self.expectedByteCount = expectedByteCount
    upIsKnown = header.upDirection != .perFrameOnly
    isPelvis = header.frame == .pelvis
  }

  /// Adds a frame.
  ///
  /// - Parameters:
  ///   - line: the line's content besides the pose.
  ///   - pose: the positions in the header's order, or nil if no pose was found.
  ///   - confidences: one number per joint, if given.
  ///   - lineLength: the bytes of the line, from which the number of frames is estimated.
  public mutating func append(
    _ line: FrameLine, pose: UnsafeBufferPointer<Float>?,
    confidences: UnsafeBufferPointer<Float>? = nil, lineLength: Int
  ) throws(RecordingProblem) {
    let time = line.time
    guard time > previousTime else {
      throw .timeNotIncreasing(previous: previousTime, found: time)
    }
    guard (time - (recording.times.first ?? time)).isFinite else {
      throw .outOfRange(field: "t", found: time, allowed: "times whose distances are numbers")
    }
    previousTime = time
    let extras = try line.extras()
    if pose != nil { try checkPose(extras, lineLength: lineLength) }
    recording.append(time: time, pose: pose, extras: extras, confidences: confidences)
  }

  /// The finished recording, unmirrored if it was mirrored.
  public mutating func finish() throws(RecordingProblem) -> Recording {
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

  /// Reserves room for all frames at once, estimated from the first one with a pose.
  private mutating func reserve(lineLength: Int) {
    guard let expectedByteCount else { return }
    recording.reserveCapacity(
      min(expectedByteCount / (lineLength + 1) + 2, Self.reservationLimit))
  }
}
