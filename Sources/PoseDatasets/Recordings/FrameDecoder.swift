import CSimdjson
import PoseModel

/// Turns frame lines into numbers, in buffers that are reused from line to line.
final class FrameDecoder {
  private let parser: JSONLineParser
  private let layout: JointLayout
  private let positions: UnsafeMutableBufferPointer<Float>
  private let confidences: UnsafeMutableBufferPointer<Float>
  private var frame = csimdjson_frame()

  /// Makes a decoder of frames with these joints.
  init(parser: JSONLineParser, layout: JointLayout) {
    self.parser = parser
    self.layout = layout
    positions = .allocate(capacity: layout.stride)
    confidences = .allocate(capacity: layout.joints.count)
    positions.initialize(repeating: .nan)
    confidences.initialize(repeating: .nan)
    frame.dimension = layout.dimension
    frame.joint_count = layout.joints.count
    frame.positions = positions.baseAddress
    frame.confidences = confidences.baseAddress
  }

  deinit {
    positions.deallocate()
    confidences.deallocate()
  }

  /// Reads a line; the properties below then tell what it says.
  func read(_ line: UnsafeRawBufferPointer) throws(RecordingProblem) {
    if let problem = parser.readFrame(line, into: &frame) {
      throw RecordingProblem(problem, layout: layout)
    }
  }

  /// The frame's time in seconds.
  var time: Double { frame.time }

  /// The positions, or nil where no pose was found; valid until the next line is read.
  var pose: UnsafeBufferPointer<Float>? {
    frame.has_pose ? UnsafeBufferPointer(positions) : nil
  }

  /// The confidences, where given; valid until the next line is read.
  var jointConfidences: UnsafeBufferPointer<Float>? {
    frame.has_confidences ? UnsafeBufferPointer(confidences) : nil
  }

  /// Whether the frame carries anything beside its time and pose.
  var hasExtras: Bool {
    frame.has_up || frame.has_camera || frame.has_height || frame.has_answer
      || frame.height_estimation.bytes != nil
  }

  /// What the frame carries beside its time and pose.
  func extras() throws(RecordingProblem) -> FrameExtras {
    var extras = FrameExtras()
    if frame.has_up {
      extras.up = try RecordingAssembler.unit(Vector3(frame.up.0, frame.up.1, frame.up.2))
    }
    if frame.has_camera { extras.camera = try camera() }
    if frame.has_height {
      guard frame.height_m > 0 else {
        throw .outOfRange(
          field: "height_m", found: frame.height_m, allowed: "a number above 0, or null")
      }
      extras.bodyHeight = Meters(frame.height_m)
    }
    extras.heightEstimation = try Self.word(
      frame.height_estimation, field: "height_estimation", among: HeightEstimation.words)
    if frame.has_answer {
      extras.answer = DeviceAnswer(
        plank: try Self.word(frame.answer_plank, field: "a", among: PlankClass.words),
        form: try Self.word(frame.answer_form, field: "a", among: FormClass.words))
    }
    return extras
  }

  private func camera() throws(RecordingProblem) -> CameraMatrix {
    let entries = withUnsafeBytes(of: frame.camera) { Array($0.bindMemory(to: Double.self)) }
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
    _ text: csimdjson_text, field: String, among words: [(word: String, value: Value)]
  ) throws(RecordingProblem) -> Value? {
    guard text.bytes != nil else { return nil }
    let found = String(text)
    for (word, value) in words where word == found { return value }
    throw .unknownWord(field: field, found: found, allowed: words.map(\.word))
  }
}

// Made once: a list of words a frame would be too slow.
extension PlankClass {
  fileprivate static let words = allCases.map { (word: $0.name, value: $0) }
}

extension FormClass {
  fileprivate static let words = allCases.map { (word: $0.name, value: $0) }
}

extension HeightEstimation {
  fileprivate static let words = allCases.map { (word: $0.rawValue, value: $0) }
}
