public import PoseModel

/// Writes a recording frame by frame, while it is being made.
///
/// Every frame is one complete line and one call to the operating system, so that an app that is
/// killed loses at most the frame it was writing. The line's memory is reused: in steady state no
/// frame allocates. Not for two threads at once; keep it in an actor or on a queue.
///
///     let writer = try PoseRecordingWriter(path: path, header: header)
///     try writer.append(time: Seconds(timestamp), pose: pose)
///     try writer.close()
public final class PoseRecordingWriter {
  /// How many frames have been written.
  public private(set) var frameCount = 0
  private let file: OutputFile
  private var encoder: FrameLineEncoder
  private var line = LineBuffer()
  private var positions: [Float]
  private let layout: JointLayout

  /// Creates a file and writes its header line.
  ///
  /// - Parameters:
  ///   - path: where to; by convention the name ends in `.poses.jsonl`.
  ///   - header: what is known of the recording; `isMirrored` is written as it is.
  ///   - decimals: to how many decimals positions are rounded, 0 to 9 (4 is 0.1 mm); nil writes
  ///     the shortest decimals that read back to the same `Float`.
  ///   - overwriting: whether a file that is there already is replaced.
  /// - Throws: `PoseRecordingError` for a header that readers would refuse (then no file is made)
  ///   or a file that cannot be created.
  public init(
    path: String, header: RecordingHeader, decimals: Int? = nil, overwriting: Bool = false
  ) throws(PoseRecordingError) {
    try HeaderLineEncoder.add(header, to: &line)
    encoder = FrameLineEncoder(header: header, decimals: decimals)
    layout = encoder.layout
    positions = Array(repeating: .nan, count: layout.stride)
    file = try OutputFile(path: path, overwriting: overwriting)
    try file.append(line.bytes)
  }

  /// Writes a frame.
  ///
  /// - Parameters:
  ///   - time: seconds on the clock of the recording; rounded to microseconds, later than the
  ///     frame before.
  ///   - pose: the positions in the order of the header's joints, NaN for all numbers of a
  ///     missing joint; nil where no pose was found.
  ///   - extras: what else is known of the frame.
  ///   - confidences: one number a joint, NaN where there is none.
  /// - Throws: `PoseRecordingError`; nothing of the frame is then in the file, and the next frame
  ///   can be written.
  public func append(
    time: Seconds, pose: UnsafeBufferPointer<Float>?, extras: FrameExtras = FrameExtras(),
    confidences: UnsafeBufferPointer<Float>? = nil
  ) throws(PoseRecordingError) {
    try append(
      FrameLineEncoder.Frame(time: time, pose: pose, extras: extras, confidences: confidences))
  }

  /// Writes a frame whose joints stand in a pose; joints that the header lacks are left out.
  ///
  /// See the other `append` for time and extras.
  public func append(
    time: Seconds, pose: Pose?, extras: FrameExtras = FrameExtras()
  ) throws(PoseRecordingError) {
    guard let pose else {
      return try append(
        FrameLineEncoder.Frame(time: time, pose: nil, extras: extras, confidences: nil))
    }
    for (slot, joint) in layout.joints.enumerated() {
      for axis in 0..<layout.dimension {
        positions[slot * layout.dimension + axis] = pose.positions[3 * joint.index + axis]
      }
    }
    try positions.withUnsafeBufferPointer { buffer throws(PoseRecordingError) in
      try append(
        FrameLineEncoder.Frame(time: time, pose: buffer, extras: extras, confidences: nil))
    }
  }

  /// Closes the file, after which frames cannot be added any more.
  ///
  /// A second call does nothing.
  public func close() throws(PoseRecordingError) { try file.close() }

  /// Writes a whole recording to a file.
  ///
  /// See `init` for path, decimals and overwriting.
  public static func write(
    _ recording: Recording, to path: String, decimals: Int? = nil, overwriting: Bool = false
  ) throws(PoseRecordingError) {
    let writer = try PoseRecordingWriter(
      path: path, header: recording.header, decimals: decimals, overwriting: overwriting)
    for index in 0..<recording.frameCount {
      try recording.withFrame(at: index) { (frame) throws(PoseRecordingError) in
        try writer.append(frame)
      }
    }
    try writer.close()
  }

  private func append(_ frame: FrameLineEncoder.Frame) throws(PoseRecordingError) {
    line.clear()
    let microseconds = try encoder.add(frame, to: &line)
    try file.append(line.bytes)
    encoder.accept(microseconds: microseconds)
    frameCount += 1
  }
}
