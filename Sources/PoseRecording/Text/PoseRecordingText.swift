public import PoseModel

/// Recordings as the bytes of the native format.
public enum PoseRecordingText {
  /// The header line, with its line feed.
  public static func headerLine(
    _ header: RecordingHeader
  ) throws(PoseRecordingError) -> [UInt8] {
    var line = LineBuffer()
    try HeaderLineEncoder.add(header, to: &line)
    return line.bytes
  }

  /// A whole recording: the header line and one line a frame.
  ///
  /// Times are rounded to microseconds. Read back, positions are the same unless `decimals`
  /// rounds them.
  ///
  /// - Parameters:
  ///   - recording: the recording; `isMirrored` is written as it is.
  ///   - decimals: to how many decimals positions are rounded, 0 to 9; nil writes the shortest
  ///     decimals that read back to the same `Float`.
  public static func bytes(
    of recording: Recording, decimals: Int? = nil
  ) throws(PoseRecordingError) -> [UInt8] {
    var line = LineBuffer()
    try HeaderLineEncoder.add(recording.header, to: &line)
    var encoder = FrameLineEncoder(header: recording.header, decimals: decimals)
    for index in 0..<recording.frameCount {
      let microseconds = try recording.withFrame(at: index) {
        (frame) throws(PoseRecordingError) in try encoder.add(frame, to: &line)
      }
      encoder.accept(microseconds: microseconds)
    }
    return line.bytes
  }
}

extension Recording {
  /// Calls a body with a frame as the encoder wants it; its buffers live as long as the call.
  func withFrame<Result>(
    at index: Int, _ body: (FrameLineEncoder.Frame) throws(PoseRecordingError) -> Result
  ) throws(PoseRecordingError) -> Result {
    let poseRange = (index * layout.stride)..<((index + 1) * layout.stride)
    let jointCount = layout.joints.count
    return try positions.withUnsafeBufferPointer { all throws(PoseRecordingError) in
      try confidences.withUnsafeBufferPointer { allConfidences throws(PoseRecordingError) in
        var own: UnsafeBufferPointer<Float>?
        if !allConfidences.isEmpty {
          let range = (index * jointCount)..<((index + 1) * jointCount)
          let buffer = UnsafeBufferPointer(rebasing: allConfidences[range])
          own = buffer.allSatisfy(\.isNaN) ? nil : buffer
        }
        return try body(
          FrameLineEncoder.Frame(
            time: Seconds(times[index]),
            pose: hasPose(at: index) ? UnsafeBufferPointer(rebasing: all[poseRange]) : nil,
            extras: extras(at: index), confidences: own))
      }
    }
  }
}
