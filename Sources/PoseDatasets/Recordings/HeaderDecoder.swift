import PoseModel

/// The fields of a header line, with checks.
struct HeaderDecoder {
  private let fields: HeaderFields

  /// Makes the header of a recording from the members of its first line.
  static func header(from members: [String: JSONValue]) throws(RecordingProblem)
    -> RecordingHeader
  {
    let decoder = HeaderDecoder(fields: HeaderFields(members: members))
    try decoder.checkVersion()
    var header = try decoder.requiredPart()
    try decoder.addSetup(to: &header)
    try decoder.addPerson(to: &header)
    return header
  }

  private func checkVersion() throws(RecordingProblem) {
    let format = try fields.required("format")
    guard format == .text("planklab-poses") else {
      throw .unsupportedVersion(found: "format \(format.summary)")
    }
    let version = try fields.required("version")
    guard version == .number(1) else {
      throw .unsupportedVersion(found: "version \(version.summary)")
    }
  }

  private func requiredPart() throws(RecordingProblem) -> RecordingHeader {
    guard let skeleton = try fields.word("skeleton", as: Skeleton.self) else {
      throw .missingField("skeleton")
    }
    let joints = try joints(of: skeleton)
    guard let frame = try fields.word("frame", as: FrameOfReference.self) else {
      throw .missingField("frame")
    }
    let allowed = skeleton.framesOfReference
    guard allowed.contains(frame) else {
      throw .wrongFrame(
        found: frame.rawValue, skeleton: skeleton.rawValue, allowed: allowed.map(\.rawValue))
    }
    return RecordingHeader(skeleton: skeleton, joints: joints, frame: frame)
  }

  private func joints(of skeleton: Skeleton) throws(RecordingProblem) -> [Joint] {
    let value = try fields.required("joints")
    guard case .list(let elements) = value, !elements.isEmpty else {
      throw .wrongType(
        field: "joints", element: nil, found: value == .list([]) ? "no joint" : value.summary,
        allowed: "a list of joint names")
    }
    var joints: [Joint] = []
    for (index, element) in elements.enumerated() {
      guard case .text(let name) = element else {
        throw .wrongType(
          field: "joints", element: index, found: element.summary, allowed: "a joint's name")
      }
      guard let joint = Joint(name: name), skeleton.joints.contains(joint) else {
        throw .unknownJoint(name, skeleton: skeleton.rawValue)
      }
      guard !joints.contains(joint) else { throw .repeatedJoint(name) }
      joints.append(joint)
    }
    return joints
  }

  private func addSetup(to header: inout RecordingHeader) throws(RecordingProblem) {
    header.orientation = try fields.word("orientation", as: DeviceOrientation.self)
    header.cameraPosition = try fields.word("camera_position", as: CameraPosition.self)
    header.buffer = try fields.word("buffer", as: ImageBuffer.self)
    header.isMirrored = try fields.boolean("mirrored") ?? false
    header.up = try fields.up("up")
    header.nominalRate = try fields.rate("nominal_rate_hz")
    header.imageWidth = try fields.pixels("image_width_px")
    header.imageHeight = try fields.pixels("image_height_px")
  }

  private func addPerson(to header: inout RecordingHeader) throws(RecordingProblem) {
    header.subject = try fields.text("subject")
    header.bodyHeight = try fields.positive("body_height_m").map(Meters.init)
    header.heightEstimation = try fields.word("height_estimation", as: HeightEstimation.self)
  }
}
