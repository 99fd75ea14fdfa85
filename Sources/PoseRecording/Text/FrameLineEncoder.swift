import PoseModel

/// Writes frame lines, and refuses frames that readers would refuse.
struct FrameLineEncoder {
  /// Microseconds since the clock's zero, of the frame that was written last.
  private var previousMicroseconds: Int?
  let layout: JointLayout
  private let decimals: Int?
  private let upIsKnown: Bool
  private let isPelvis: Bool

  /// Makes an encoder for the frames behind a header.
  ///
  /// - Parameter decimals: to how many decimals positions are rounded, 0 to 9; nil writes the
  ///   shortest decimals that read back to the same `Float`.
  init(header: RecordingHeader, decimals: Int?) {
    precondition(decimals.map { (0...9).contains($0) } ?? true, "decimals must be 0 to 9")
    layout = JointLayout(joints: header.joints, dimension: header.skeleton.dimension)
    self.decimals = decimals
    upIsKnown = header.upDirection != .perFrameOnly
    isPelvis = header.frame == .pelvis
  }

  /// What one frame line says.
  struct Frame {
    let time: Seconds
    let pose: UnsafeBufferPointer<Float>?
    let extras: FrameExtras
    let confidences: UnsafeBufferPointer<Float>?
  }

  /// Adds a frame's line, with its line feed.
  ///
  /// - Returns: the frame's time in microseconds, for `accept`.
  func add(_ frame: Frame, to line: inout LineBuffer) throws(PoseRecordingError) -> Int {
    let microseconds = try checkedMicroseconds(of: frame.time.value)
    line.add("{\"t\":")
    line.add(units: microseconds, decimals: 6, padded: true)
    line.add(",\"p\":")
    if let pose = frame.pose {
      if !upIsKnown, frame.extras.up == nil, !isPelvis || frame.extras.camera != nil {
        throw .upUnknown
      }
      try add(pose: pose, to: &line)
    } else {
      line.add("null")
    }
    try add(frame.extras, to: &line)
    if let confidences = frame.confidences { try add(confidences: confidences, to: &line) }
    line.add("}\n")
    return microseconds
  }

  /// Remembers the time of a frame that has been written.
  mutating func accept(microseconds: Int) { previousMicroseconds = microseconds }

  private func checkedMicroseconds(of time: Double) throws(PoseRecordingError) -> Int {
    guard time.isFinite, let microseconds = LineBuffer.units(of: time, decimals: 6) else {
      throw .timeOutOfRange(time)
    }
    if let previousMicroseconds, microseconds <= previousMicroseconds {
      throw .timeNotIncreasing(previous: Double(previousMicroseconds) / 1e6, found: time)
    }
    return microseconds
  }

  private func add(
    pose: UnsafeBufferPointer<Float>, to line: inout LineBuffer
  ) throws(PoseRecordingError) {
    guard pose.count == layout.stride else {
      throw .wrongCount(field: "positions", found: pose.count, expected: layout.stride)
    }
    line.add("[")
    for slot in layout.joints.indices {
      let start = slot * layout.dimension
      let numbers = pose[start..<(start + layout.dimension)]
      let isMissing = numbers.allSatisfy(\.isNaN)
      guard isMissing || numbers.allSatisfy(\.isFinite) else {
        throw .incompleteJoint(joint: layout.joints[slot].name)
      }
      for index in numbers.indices {
        if index > 0 { line.add(",") }
        if isMissing { line.add("null") } else { add(position: pose[index], to: &line) }
      }
    }
    line.add("]")
  }

  private func add(position: Float, to line: inout LineBuffer) {
    guard let decimals, let units = LineBuffer.units(of: Double(position), decimals: decimals)
    else { return line.add(position) }
    line.add(units: units, decimals: decimals, padded: false)
  }
}
