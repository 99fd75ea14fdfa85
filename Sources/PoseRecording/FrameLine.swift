package import PoseModel

/// What a frame line says beside its pose, before it is checked.
package struct FrameLine: Sendable {
  /// The frame's time in seconds.
  package var time: Double
  /// The up vector, where given.
  package var up: Vector3?
  /// The 16 numbers of the camera's matrix, where given.
  package var camera: [Double]?
  /// The person's height in meters, where given.
  package var bodyHeight: Double?
  /// Where the height comes from, where given.
  package var heightEstimation: String?
  /// The plank that the device itself answered, where given.
  package var plankAnswer: String?
  /// The form that the device itself answered, where given.
  package var formAnswer: String?
  /// Whether the device's answer is given at all; its texts may be null.
  package var hasAnswer = false

  /// Makes the line of a frame with nothing but a time.
  package init(time: Double) { self.time = time }

  /// A vector of length 1, from one whose length is 0.99 to 1.01.
  static func unit(_ vector: Vector3) throws(RecordingProblem) -> Vector3 {
    let norm = vector.norm
    guard UpDirection.acceptedNorms ~= norm else { throw .upNotUnit(norm: norm) }
    return vector / norm
  }

  /// What the frame carries beside its time and pose.
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
    throw .unknownWord(field: field, found: found, allowed: words.map(\.word))
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

/// A recording in the making: checks what one line cannot tell and collects frames.
package struct RecordingAssembler {
  /// The most frames that room is made for before they come.
  private static let reservationLimit = 1 << 22

  /// What has been read so far.
  package private(set) var recording: Recording
  /// Frames in pelvis axes that have a pose and no camera matrix.
  package private(set) var posesWithoutMatrix = 0
  private let expectedByteCount: Int?
  private let upIsKnown: Bool
  private let isPelvis: Bool
  private var poses = 0
  private var previousTime = -Double.infinity

  /// Makes an assembler for the frames behind a header.
  package init(header: RecordingHeader, expectedByteCount: Int?) {
    recording = Recording(header: header)
    self.expectedByteCount = expectedByteCount
    upIsKnown = header.upDirection != .perFrameOnly
    isPelvis = header.frame == .pelvis
  }

  /// Adds a frame.
  ///
  /// - Parameters:
  ///   - line: what the line says beside the pose.
  ///   - pose: the positions in the header's order, or nil where no pose was found.
  ///   - confidences: one number per joint, where given.
  ///   - lineLength: the bytes of the line, to judge how many frames will come.
  package mutating func append(
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

  /// The finished recording, turned around if it was mirrored.
  package mutating func finish() throws(RecordingProblem) -> Recording {
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
