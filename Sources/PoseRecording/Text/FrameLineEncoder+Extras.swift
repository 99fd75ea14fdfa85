import PoseModel

extension FrameLineEncoder {
  /// Refuses an up vector that is not about 1 long.
  static func checkUp(_ up: Vector3) throws(PoseRecordingError) {
    let norm = up.norm
    guard UpDirection.acceptedNorms ~= norm else { throw .upNotUnit(norm: norm) }
  }

  /// Adds a vector as a list of three numbers.
  static func add(_ vector: Vector3, to line: inout LineBuffer) {
    line.add("[")
    line.add(vector.x)
    line.add(",")
    line.add(vector.y)
    line.add(",")
    line.add(vector.z)
    line.add("]")
  }

  /// Adds what a frame carries beside its pose, each field behind a comma.
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

  /// Adds confidences, null for NaN.
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
