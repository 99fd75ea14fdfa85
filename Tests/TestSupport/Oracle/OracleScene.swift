/// What stays the same through a generated recording: the header and the camera.
struct OracleScene: Sendable {
  var joints: [String]
  var frame: String
  var orientation: String?
  var cameraPosition: String?
  var buffer: String?
  var isMirrored: Bool
  /// Written into the header.
  var headerUp: SIMD3<Double>?
  /// Frames write their own up now and then.
  var hasFrameUp: Bool
  var headerHeight: Double?
  var hasFrameHeight: Bool
  /// True up in the evaluated axes; near the declared one, or exactly it when it is written.
  var up: SIMD3<Double>
  /// World (y up) to evaluated axes.
  var view: OracleRotation

  /// The joints of `vision3d`.
  static let vision3d = [
    "root", "rightHip", "rightKnee", "rightAnkle", "leftHip", "leftKnee", "leftAnkle", "spine",
    "centerShoulder", "centerHead", "topHead", "leftShoulder", "leftElbow", "leftWrist",
    "rightShoulder", "rightElbow", "rightWrist",
  ]

  /// Draws a scene in which up is always decided.
  init(_ random: inout SplitMix64) {
    var names = random.chance(0.5) ? OracleScene.vision3d : random.shuffled(OracleScene.vision3d)
    if random.chance(0.3) { names.removeLast(random.integer(1, 3)) }
    joints = names
    frame = random.pick(["camera", "camera", "world", "pelvis", "pelvis"])
    let turned = random.pick([
      "portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight",
    ])
    orientation = turned
    let side = random.pick(["front", "back"])
    cameraPosition = side
    let upright = random.chance(0.4)
    buffer = upright ? "upright" : "fixed"
    isMirrored = random.chance(0.4)
    hasFrameUp = random.chance(0.3)
    headerHeight = random.chance(0.6) ? Double(random.integer(150, 205)) / 100 : nil
    hasFrameHeight = random.chance(0.4)
    let declared = OracleScene.tableUp(
      turned, isFront: side == "front", isPlain: upright || frame == "world")
    let tilted = declared + random.normal(random.pick([0.02, 0.15, 0.5]))
    up = tilted / (tilted * tilted).sum().squareRoot()
    headerUp = random.chance(0.3) ? up : nil
    view = random.rotation(up: up)
    if headerUp != nil && random.chance(0.5) || frame == "world" && random.chance(0.3) {
      orientation = nil
      cameraPosition = nil
      buffer = nil
    } else if turned == "portrait" && random.chance(0.3) {
      cameraPosition = nil
      buffer = nil
    }
  }

  /// Roughly where up is; a generated camera is tilted away from it.
  private static func tableUp(
    _ orientation: String, isFront: Bool, isPlain: Bool
  ) -> SIMD3<Double> {
    let sign: Double = isFront ? -1 : 1
    let table: [String: SIMD3<Double>] = [
      "portraitUpsideDown": SIMD3(0, -1, 0), "landscapeLeft": SIMD3(sign, 0, 0),
      "landscapeRight": SIMD3(-sign, 0, 0),
    ]
    return isPlain ? SIMD3(0, 1, 0) : table[orientation] ?? SIMD3(0, 1, 0)
  }

  /// Line 1 of the recording.
  func headerLine(rate: Int) -> String {
    let names = joints.map { "\"\($0)\"" }.joined(separator: ",")
    var fields = [
      "\"format\":\"planklab-poses\"", "\"version\":1", "\"skeleton\":\"vision3d\"",
      "\"joints\":[\(names)]", "\"frame\":\"\(frame)\"",
    ]
    let texts = [
      ("orientation", orientation), ("camera_position", cameraPosition), ("buffer", buffer),
    ]
    for (key, value) in texts {
      if let value { fields.append("\"\(key)\":\"\(value)\"") }
    }
    if isMirrored { fields.append("\"mirrored\":true") }
    let vector = headerUp.map { "[\($0.x),\($0.y),\($0.z)]" } ?? "null"
    fields.append("\"up\":\(vector)")
    if let headerHeight { fields.append("\"body_height_m\":\(headerHeight)") }
    fields.append("\"subject\":\"s01\",\"nominal_rate_hz\":\(rate)")
    return "{\(fields.joined(separator: ","))}"
  }
}
