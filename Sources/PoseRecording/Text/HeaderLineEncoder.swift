import PoseModel

/// Writes header lines, and refuses headers that readers would refuse.
enum HeaderLineEncoder {
  /// Adds the header line, with its line feed.
  static func add(
    _ header: RecordingHeader, to line: inout LineBuffer
  ) throws(PoseRecordingError) {
    try check(header)
    line.add("{\"format\":\"planklab-poses\",\"version\":1,\"skeleton\":")
    line.add(quoted: header.skeleton.rawValue)
    line.add(",\"joints\":[")
    for (index, joint) in header.joints.enumerated() {
      if index > 0 { line.add(",") }
      line.add(quoted: joint.name)
    }
    line.add("],\"frame\":")
    line.add(quoted: header.frame.rawValue)
    addSetup(of: header, to: &line)
    addPerson(of: header, to: &line)
    line.add("}\n")
  }

  private static func addSetup(of header: RecordingHeader, to line: inout LineBuffer) {
    add(",\"orientation\":", header.orientation?.rawValue, to: &line)
    add(",\"camera_position\":", header.cameraPosition?.rawValue, to: &line)
    add(",\"buffer\":", header.buffer?.rawValue, to: &line)
    if header.isMirrored { line.add(",\"mirrored\":true") }
    if let up = header.up {
      line.add(",\"up\":")
      FrameLineEncoder.add(up, to: &line)
    }
    add(",\"nominal_rate_hz\":", header.nominalRate?.value, to: &line)
    if let width = header.imageWidth {
      line.add(",\"image_width_px\":")
      line.add(width)
    }
    if let height = header.imageHeight {
      line.add(",\"image_height_px\":")
      line.add(height)
    }
  }

  private static func addPerson(of header: RecordingHeader, to line: inout LineBuffer) {
    add(",\"subject\":", header.subject, to: &line)
    add(",\"body_height_m\":", header.bodyHeight?.value, to: &line)
    add(",\"height_estimation\":", header.heightEstimation?.rawValue, to: &line)
  }

  private static func add(_ key: StaticString, _ text: String?, to line: inout LineBuffer) {
    guard let text else { return }
    line.add(key)
    line.add(quoted: text)
  }

  private static func add(_ key: StaticString, _ number: Double?, to line: inout LineBuffer) {
    guard let number else { return }
    line.add(key)
    line.add(number)
  }

  private static func check(_ header: RecordingHeader) throws(PoseRecordingError) {
    try checkJoints(header)
    let frames = header.skeleton.framesOfReference
    guard frames.contains(header.frame) else {
      throw .invalidHeader(
        field: "frame", found: header.frame.rawValue,
        allowed: frames.map(\.rawValue).joined(separator: ", "))
    }
    if let up = header.up { try FrameLineEncoder.checkUp(up) }
    try checkPositive(header.bodyHeight?.value, field: "body_height_m")
    try checkPositive(header.nominalRate?.value, field: "nominal_rate_hz")
    if let rate = header.nominalRate, !rate.hasInterval {
      throw .invalidHeader(
        field: "nominal_rate_hz", found: "\(rate.value)",
        allowed: "frames a second, of which one takes a finite time")
    }
    try checkPositive(header.imageWidth.map(Double.init), field: "image_width_px")
    try checkPositive(header.imageHeight.map(Double.init), field: "image_height_px")
    if header.isMirrored, header.skeleton == .coco17, header.imageWidth == nil {
      throw .invalidHeader(
        field: "image_width_px", found: "nothing", allowed: "the width of the mirrored image")
    }
  }

  private static func checkJoints(_ header: RecordingHeader) throws(PoseRecordingError) {
    let known = header.skeleton.joints
    var seen: Set<Joint> = []
    for joint in header.joints where !known.contains(joint) || !seen.insert(joint).inserted {
      throw .invalidHeader(
        field: "joints", found: known.contains(joint) ? "\(joint.name) twice" : joint.name,
        allowed: "joints of \(header.skeleton.rawValue), each once")
    }
    guard !seen.isEmpty else {
      throw .invalidHeader(field: "joints", found: "no joint", allowed: "at least one joint")
    }
  }

  private static func checkPositive(
    _ value: Double?, field: String
  ) throws(PoseRecordingError) {
    guard let value else { return }
    guard value.isFinite, value > 0 else {
      throw .invalidHeader(field: field, found: "\(value)", allowed: "a finite number above 0")
    }
  }
}
