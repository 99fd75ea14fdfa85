import CSimdjson
@_spi(Bench) import PoseModel
@_spi(Bench) import PoseRecording

/// Decodes frame lines into numbers, in buffers that are reused from line to line.
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

  /// Decodes a line; the properties below then hold its content until the next one is decoded.
  func read(_ line: UnsafeRawBufferPointer) throws(RecordingProblem) {
    if let problem = parser.readFrame(line, into: &frame) {
      throw RecordingProblem(problem, layout: layout)
    }
  }

  /// The positions, or nil if no pose was found; valid until the next line is read.
  var pose: UnsafeBufferPointer<Float>? {
    frame.has_pose ? UnsafeBufferPointer(positions) : nil
  }

  /// The confidences, if given; valid until the next line is read.
  var jointConfidences: UnsafeBufferPointer<Float>? {
    frame.has_confidences ? UnsafeBufferPointer(confidences) : nil
  }

  /// The line's content besides its pose.
  var frameLine: FrameLine {
    var line = FrameLine(time: frame.time)
    if frame.has_up { line.up = Vector3(frame.up.0, frame.up.1, frame.up.2) }
    if frame.has_camera {
      line.camera = withUnsafeBytes(of: frame.camera) { Array($0.bindMemory(to: Double.self)) }
    }
    if frame.has_height { line.bodyHeight = frame.height_m }
    line.heightEstimation = Self.text(frame.height_estimation)
    if frame.has_answer {
      line.hasAnswer = true
      line.plankAnswer = Self.text(frame.answer_plank)
      line.formAnswer = Self.text(frame.answer_form)
    }
    return line
  }

  private static func text(_ text: csimdjson_text) -> String? {
    text.bytes == nil ? nil : String(text)
  }
}
