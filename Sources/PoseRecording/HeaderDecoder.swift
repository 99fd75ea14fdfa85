package import PoseModel

package struct HeaderDecoder {
  private let node: JSONNode

  package static func header(
    of line: ArraySlice<UInt8>
  ) throws(RecordingProblem) -> RecordingHeader {
    let decoder = HeaderDecoder(node: try JSONNode(line: Array(line)))
    try decoder.checkVersion()
    var header = try decoder.requiredPart()
    try decoder.addOptionalPart(to: &header)
    return header
  }

  private func checkVersion() throws(RecordingProblem) {
    let format = try required("format")
    guard format == .text("planklab-poses") else {
      throw .unsupportedVersion(found: "format \(format.summary)")
    }
    let version = try required("version")
    guard version == .number(1) else {
      throw .unsupportedVersion(found: "version \(version.summary)")
    }
  }

  private func requiredPart() throws(RecordingProblem) -> RecordingHeader {
    guard let skeleton = try word("skeleton", as: Skeleton.self) else {
      throw .missingField("skeleton")
    }
    let joints = try joints(of: skeleton)
    guard let frame = try word("frame", as: FrameOfReference.self) else {
      throw .missingField("frame")
    }
    let allowed = skeleton.framesOfReference
    guard allowed.contains(frame) else {
      throw .wrongFrame(
        found: frame.rawValue, skeleton: skeleton.rawValue, allowed: allowed.map { $0.rawValue })
    }
    return RecordingHeader(skeleton: skeleton, joints: joints, frame: frame)
  }

  private func joints(of skeleton: Skeleton) throws(RecordingProblem) -> [Joint] {
    let value = try required("joints")
    guard case .list(let elements) = value, !elements.isEmpty else {
      throw .wrongType(
        field: "joints", element: nil, found: value == .list([]) ? "no joint" : value.summary,
        allowed: "a list of joint names")
    }
    var joints: [Joint] = []
    for (index, element) in elements.enumerated() {
      guard case .text(let name) = element.content else {
        throw .wrongType(
          field: "joints", element: index, found: element.content.summary,
          allowed: "a joint's name")
      }
      guard let joint = Joint(name: name), skeleton.joints.contains(joint) else {
        throw .unknownJoint(name, skeleton: skeleton.rawValue)
      }
      guard !joints.contains(joint) else { throw .repeatedJoint(name) }
      joints.append(joint)
    }
    return joints
  }

  private func addOptionalPart(to header: inout RecordingHeader) throws(RecordingProblem) {
    header.orientation = try word("orientation", as: DeviceOrientation.self)
    header.cameraPosition = try word("camera_position", as: CameraPosition.self)
    header.buffer = try word("buffer", as: ImageBuffer.self)
    header.bufferRotation = try rotation("buffer_rotation_deg")
    header.isMirrored = try boolean("mirrored") ?? false
    header.up = try up("up")
    header.nominalRate = try rate("nominal_rate_hz")
    header.imageWidth = try pixels("image_width_px")
    header.imageHeight = try pixels("image_height_px")
    header.subject = try text("subject")
    header.bodyHeight = try positive("body_height_m").map(Meters.init)
    header.heightEstimation = try word("height_estimation", as: HeightEstimation.self)
  }

  private func required(_ key: String) throws(RecordingProblem) -> JSONNode.Content {
    guard let value = optional(key) else { throw .missingField(key) }
    return value
  }

  private func word<Value: RawRepresentable & CaseIterable>(
    _ key: String, as type: Value.Type
  ) throws(RecordingProblem) -> Value? where Value.RawValue == String {
    guard let value = optional(key) else { return nil }
    if case .text(let word) = value, let result = Value(rawValue: word) { return result }
    let words = type.allCases.map { $0.rawValue }
    guard case .text(let word) = value else {
      throw wrongType(key, value, allowed: words.joined(separator: ", "))
    }
    throw .unknownWord(field: key, found: word, allowed: words)
  }

  private func boolean(_ key: String) throws(RecordingProblem) -> Bool? {
    guard let value = optional(key) else { return nil }
    guard case .boolean(let result) = value else {
      throw wrongType(key, value, allowed: "true or false")
    }
    return result
  }

  private func text(_ key: String) throws(RecordingProblem) -> String? {
    guard let value = optional(key) else { return nil }
    guard case .text(let result) = value else { throw wrongType(key, value, allowed: "text") }
    return result.isEmpty ? nil : result
  }

  private func positive(_ key: String) throws(RecordingProblem) -> Double? {
    guard let value = optional(key) else { return nil }
    guard case .number(let number) = value else {
      throw wrongType(key, value, allowed: "a number above 0")
    }
    guard number > 0 else {
      throw .outOfRange(field: key, found: number, allowed: "a number above 0")
    }
    return number
  }

  private func rate(_ key: String) throws(RecordingProblem) -> Hertz? {
    guard let rate = try positive(key).map(Hertz.init) else { return nil }
    guard rate.hasInterval else {
      throw .outOfRange(
        field: key, found: rate.value,
        allowed: "frames per second that give a finite frame interval")
    }
    return rate
  }

  private func pixels(_ key: String) throws(RecordingProblem) -> Int? {
    guard let number = try positive(key) else { return nil }
    guard let pixels = Int(exactly: number) else {
      throw .outOfRange(field: key, found: number, allowed: "a whole number of pixels")
    }
    return pixels
  }

  private func rotation(_ key: String) throws(RecordingProblem) -> BufferRotation? {
    let allowed = "0, 90, 180 or 270, clockwise"
    guard let value = optional(key) else { return nil }
    guard case .number(let number) = value else { throw wrongType(key, value, allowed: allowed) }
    guard let rotation = BufferRotation(degrees: number) else {
      throw .outOfRange(field: key, found: number, allowed: allowed)
    }
    return rotation
  }

  private func up(_ key: String) throws(RecordingProblem) -> Vector3? {
    guard let value = optional(key) else { return nil }
    let allowed = "3 numbers, or null"
    guard case .list(let elements) = value else { throw wrongType(key, value, allowed: allowed) }
    guard elements.count == 3 else {
      throw .wrongCount(field: key, found: elements.count, allowed: allowed)
    }
    var numbers: [Double] = []
    for (index, element) in elements.enumerated() {
      guard case .number(let number) = element.content else {
        throw .wrongType(
          field: key, element: index, found: element.content.summary, allowed: "a number")
      }
      numbers.append(number)
    }
    return try FrameLine.unit(Vector3(numbers[0], numbers[1], numbers[2]))
  }

  private func optional(_ key: String) -> JSONNode.Content? {
    guard let value = node[key]?.content, value != .null else { return nil }
    return value
  }

  private func wrongType(
    _ key: String, _ value: JSONNode.Content, allowed: String
  ) -> RecordingProblem {
    .wrongType(field: key, element: nil, found: value.summary, allowed: allowed)
  }
}

extension JSONNode.Content {
  fileprivate var summary: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let value): Int(exactly: value).map(String.init) ?? "\(value)"
    case .text(let value): "\"\(value.prefix(80))\""
    case .list: "a list"
    case .object: "an object"
    }
  }
}
