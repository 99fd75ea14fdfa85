import PoseModel

struct FrameLineEncoder {
  private var previousMicroseconds: Int?
  let layout: JointLayout
  private let decimals: Int?
  private let upIsKnown: Bool
  private let isPelvis: Bool

  /// `decimals` are 0 to 9; nil writes the shortest decimals that read back to the same `Float`.
  init(header: RecordingHeader, decimals: Int?) {
    precondition(decimals.map { (0...9).contains($0) } ?? true, "decimals must be 0 to 9")
    layout = JointLayout(joints: header.joints, dimension: header.skeleton.dimension)
    self.decimals = decimals
    upIsKnown = header.upDirection != .perFrameOnly
    isPelvis = header.frame == .pelvis
  }

  struct Frame {
    let time: Seconds
    let pose: UnsafeBufferPointer<Float>?
    let extras: FrameExtras
    let confidences: UnsafeBufferPointer<Float>?
  }

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
      let isMissing = numbers.allSatisfy { $0.isNaN }
      guard isMissing || !numbers.contains(where: { !$0.isFinite }) else {
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

extension FrameLineEncoder {
  static func checkUp(_ up: Vector3) throws(PoseRecordingError) {
    let norm = up.norm
    guard UpDirection.acceptedNorms ~= norm else { throw .upNotUnit(norm: norm) }
  }

  static func add(_ vector: Vector3, to line: inout LineBuffer) {
    line.add("[")
    line.add(vector.x)
    line.add(",")
    line.add(vector.y)
    line.add(",")
    line.add(vector.z)
    line.add("]")
  }

  func add(_ extras: FrameExtras, to line: inout LineBuffer) throws(PoseRecordingError) {
    if let up = extras.up {
      try Self.checkUp(up)
      line.add(",\"up\":")
      Self.add(up, to: &line)
    }
    if let camera = extras.camera { try add(camera, to: &line) }
    if let height = extras.bodyHeight?.value {
      guard height.isFinite, height > 0 else { throw .heightOutOfRange(height) }
      line.add(",\"height_m\":")
      line.add(height)
    }
    if let estimation = extras.heightEstimation {
      line.add(",\"height_estimation\":")
      line.add(quoted: estimation.rawValue)
    }
    if let answer = extras.answer { add(answer, to: &line) }
  }

  func add(
    confidences: UnsafeBufferPointer<Float>, to line: inout LineBuffer
  ) throws(PoseRecordingError) {
    guard confidences.count == layout.joints.count else {
      throw .wrongCount(
        field: "confidences", found: confidences.count, expected: layout.joints.count)
    }
    line.add(",\"c\":[")
    for (slot, confidence) in confidences.enumerated() {
      guard !confidence.isInfinite else {
        throw .incompleteJoint(joint: layout.joints[slot].name)
      }
      if slot > 0 { line.add(",") }
      if confidence.isNaN { line.add("null") } else { line.add(confidence) }
    }
    line.add("]")
  }

  private func add(
    _ camera: CameraMatrix, to line: inout LineBuffer
  ) throws(PoseRecordingError) {
    guard camera.turnsRigidly, camera.translation.isFinite else {
      throw .notARotation(error: camera.rotation.orthonormalityError)
    }
    line.add(",\"camera\":[")
    let columns = camera.rotation.columns
    add(columns.0, camera.bottomRow.x, to: &line)
    line.add(",")
    add(columns.1, camera.bottomRow.y, to: &line)
    line.add(",")
    add(columns.2, camera.bottomRow.z, to: &line)
    line.add(",")
    add(camera.translation, camera.bottomRow.w, to: &line)
    line.add("]")
  }

  private func add(_ column: Vector3, _ last: Double, to line: inout LineBuffer) {
    line.add(column.x)
    line.add(",")
    line.add(column.y)
    line.add(",")
    line.add(column.z)
    line.add(",")
    line.add(last)
  }

  private func add(_ answer: DeviceAnswer, to line: inout LineBuffer) {
    line.add(",\"a\":[")
    if let plank = answer.plank { line.add(quoted: plank.name) } else { line.add("null") }
    line.add(",")
    if let form = answer.form { line.add(quoted: form.name) } else { line.add("null") }
    line.add("]")
  }
}
