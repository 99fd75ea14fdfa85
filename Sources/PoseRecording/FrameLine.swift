package import PoseModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

package struct FrameLine: Hashable, Sendable {
  package var time: Double
  package var up: Vector3?
  package var camera: [Double]?
  package var bodyHeight: Double?
  package var heightEstimation: String?
  package var plankAnswer: String?
  package var formAnswer: String?
  package var hasAnswer = false

  package init(time: Double) { self.time = time }

  /// Normalizes a vector whose length is about 1.
  ///
  /// A vector whose length differs from 1 only by rounding stays unchanged, so that files
  /// round-trip.
  static func unit(_ vector: Vector3) throws(RecordingProblem) -> Vector3 {
    let norm = vector.norm
    guard UpDirection.acceptedNorms ~= norm else { throw .upNotUnit(norm: norm) }
    return abs(norm - 1) <= 4 * .ulpOfOne ? vector : vector / norm
  }

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
    extras.heightEstimation = try Self.word(heightEstimation, field: "height_estimation")
    if hasAnswer {
      extras.answer = DeviceAnswer(
        plank: try Self.word(plankAnswer, field: "a"), form: try Self.word(formAnswer, field: "a"))
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

  private static func word<Value: RawRepresentable<String> & CaseIterable>(
    _ found: String?, field: String
  ) throws(RecordingProblem) -> Value? {
    guard let found else { return nil }
    if let value = Value(rawValue: found) { return value }
    throw .unknownWord(field: field, found: found, allowed: Value.allCases.map { $0.rawValue })
  }
}

package struct RecordingAssembler {
  private static let reservationLimit = 1 << 22

  package private(set) var recording: Recording
  package private(set) var posesWithoutMatrix = 0
  private let expectedByteCount: Int?
  private let upIsKnown: Bool
  private let isPelvis: Bool
  private var poses = 0
  private var previousTime = -Double.infinity

  package init(header: RecordingHeader, expectedByteCount: Int?) {
    recording = Recording(header: header)
    self.expectedByteCount = expectedByteCount
    upIsKnown = header.upDirection != .perFrameOnly
    isPelvis = header.frame == .pelvis
  }

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

  package mutating func finish() throws(RecordingProblem) -> Recording {
    if isPelvis, poses > 0, posesWithoutMatrix == poses { throw .noMatrices(poses: poses) }
    do { try recording.unmirror() } catch { throw .mirroredPixels }
    return recording
  }

  private mutating func checkPose(_ extras: FrameExtras, lineLength: Int) throws(RecordingProblem) {
    if poses == 0, let expectedByteCount {
      let lines = expectedByteCount / (lineLength + 1) + 2
      recording.reserveCapacity(min(lines, Self.reservationLimit))
    }
    poses += 1
    if isPelvis, extras.camera == nil {
      posesWithoutMatrix += 1
    } else if !upIsKnown, extras.up == nil {
      throw .upUnknown
    }
  }
}

struct FrameLineEncoder {
  private var previousMicroseconds: Int?
  let layout: JointLayout
  private let decimals: Int?
  private let upIsKnown: Bool
  private let isPelvis: Bool

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
    addNumbers(of: vector, to: &line)
    line.add("]")
  }

  private static func addNumbers(of vector: Vector3, to line: inout LineBuffer) {
    line.add(vector.x)
    line.add(",")
    line.add(vector.y)
    line.add(",")
    line.add(vector.z)
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

  private func add(_ camera: CameraMatrix, to line: inout LineBuffer) throws(PoseRecordingError) {
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
    Self.addNumbers(of: column, to: &line)
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

struct LineBuffer {
  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(4096) }

  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  mutating func add(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

  mutating func add(_ value: Float) {
    // The text has at most 15 bytes, which a `String` holds without allocating.
    bytes.append(contentsOf: value.description.utf8)
  }

  mutating func add(_ value: Double) { value.write(to: &self) }

  mutating func add(_ value: Int) { addDigits(value.magnitude, isNegative: value < 0) }

  mutating func add(units: Int, decimals: Int, padded: Bool) {
    var magnitude = units.magnitude
    var places = decimals
    if !padded {
      while places > 0, magnitude.isMultiple(of: 10) {
        magnitude /= 10
        places -= 1
      }
    }
    let scale = Self.power(of: places)
    addDigits(magnitude / scale, isNegative: units < 0)
    guard places > 0 else { return }
    add(".")
    var divisor = scale / 10
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(magnitude / divisor % 10))
      divisor /= 10
    }
  }

  static func units(of value: Double, decimals: Int) -> Int? {
    let scaled = (value * Double(power(of: decimals))).rounded(.toNearestOrAwayFromZero)
    return scaled.magnitude < 9e18 ? Int(scaled) : nil
  }

  mutating func add(quoted text: String) {
    add("\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): add("\\\"")
      case UInt8(ascii: "\\"): add("\\\\")
      case UInt8(ascii: "\n"): add("\\n")
      case UInt8(ascii: "\r"): add("\\r")
      case UInt8(ascii: "\t"): add("\\t")
      case 0..<0x20:
        add("\\u00")
        bytes.append(Self.hexadecimal(byte >> 4))
        bytes.append(Self.hexadecimal(byte & 15))
      default: bytes.append(byte)
      }
    }
    add("\"")
  }

  private mutating func addDigits(_ value: UInt, isNegative: Bool) {
    if isNegative { add("-") }
    var divisor: UInt = 1
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }

  private static func power(of decimals: Int) -> UInt {
    var result: UInt = 1
    for _ in 0..<decimals { result *= 10 }
    return result
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}

extension LineBuffer: TextOutputStream {
  mutating func write(_ string: String) { bytes.append(contentsOf: string.utf8) }

  /// Replaces the default implementation, which allocates a `String` for more than 15 bytes.
  mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: buffer)
  }
}
