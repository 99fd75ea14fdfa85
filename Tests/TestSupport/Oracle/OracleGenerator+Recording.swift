extension OracleGenerator {
  /// A valid `.poses.jsonl` text whose gaps and dropouts lie around `holdSeconds`.
  package mutating func recordingText(frames: Int, holdSeconds: Double = 0.5) -> String {
    let scene = OracleScene(&random)
    let rate = random.pick([8, 15, 30, 60])
    let timeline = OracleTimeline(frames: frames, rate: rate, hold: holdSeconds, &random)
    let scale = random.uniform(0.85, 1.1)
    var remaining = 0
    var kind = "standing"
    var lift = 0.0
    var lines = [scene.headerLine(rate: rate)]
    for index in 0..<frames {
      if remaining == 0 {
        remaining = random.integer(1, 40)
        kind = random.pick(OracleBody.kinds)
        lift = random.pick([0, 0, 0.02, 0.06, 0.12, -0.03, -0.06, -0.12])
      }
      remaining -= 1
      let shown = random.chance(0.05) ? random.pick(OracleBody.kinds) : kind
      let world = OracleBody.joints(kind: shown, lift: lift, scale: scale, &random)
      let root = world["root"] ?? SIMD3(0, 0, 0)
      let seen = world.mapValues { scene.view.applied(to: $0 - root) }
      let isFirst = index == 0
      lines.append(
        frameLine(
          scene, seen, microseconds: timeline.microseconds[index],
          isFirst ? .none : timeline.disturbances[index]))
    }
    let mark = random.chance(0.05) ? "\u{FEFF}" : ""
    return mark + lines.joined(separator: random.chance(0.1) ? "\r\n" : "\n") + "\n"
  }

  /// Microseconds as seconds with six digits after the point.
  static func seconds(_ microseconds: Int) -> String {
    let digits = String(microseconds % 1_000_000)
    return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - digits.count) + digits
  }

  private mutating func frameLine(
    _ scene: OracleScene, _ seen: [String: SIMD3<Double>], microseconds: Int,
    _ disturbance: OracleTimeline.Disturbance
  ) -> String {
    var fields = ["\"t\":\(OracleGenerator.seconds(microseconds))"]
    var joints = seen
    if scene.frame == "pelvis" {
      let pose = random.rotation(up: random.direction())
      joints = joints.mapValues { pose.appliedInversely(to: $0) }
      let written = scene.isMirrored ? pose.conjugatedByMirror : pose
      if disturbance != .noMatrix { fields.append("\"camera\":\(matrix(written))") }
    }
    if scene.isMirrored { joints = mirrored(joints) }
    switch disturbance {
    case .allNull: joints = [:]
    case .missingJoints:
      for name in random.shuffled(scene.joints).prefix(random.integer(1, 4)) { joints[name] = nil }
    case .none, .noPose, .noMatrix: break
    }
    let isMissing = disturbance == .noPose || disturbance == .noMatrix && scene.frame != "pelvis"
    fields.append("\"p\":\(isMissing ? "null" : positions(scene.joints, joints))")
    if scene.hasFrameUp { fields += frameUp(scene) }
    if scene.hasFrameHeight && random.chance(0.7) {
      fields.append("\"height_m\":\(Double(random.integer(1500, 2050)) / 1000)")
      fields.append("\"height_estimation\":\"reference\"")
    }
    if random.chance(0.05) { fields.append("\"a\":[\"high\",\"sag\"],\"unknown_key\":[1,null]") }
    return "{\(fields.joined(separator: ","))}"
  }

  /// A frame's own up: absent, null, or tilted a little and not quite of unit length.
  private mutating func frameUp(_ scene: OracleScene) -> [String] {
    if random.chance(0.2) { return [] }
    if random.chance(0.1) { return ["\"up\":null"] }
    let tilted = scene.up + random.normal(0.05)
    let up = tilted / (tilted * tilted).sum().squareRoot() * random.uniform(0.995, 1.005)
    return ["\"up\":[\(up.x),\(up.y),\(up.z)]"]
  }

  private mutating func positions(_ names: [String], _ joints: [String: SIMD3<Double>]) -> String {
    let isRounded = random.chance(0.8)
    let texts = names.map { name -> String in
      guard let p = joints[name] else { return "null,null,null" }
      let q = isRounded ? (p * 1e6).rounded(.toNearestOrAwayFromZero) / 1e6 : p
      return "\(q.x),\(q.y),\(q.z)"
    }
    return "[\(texts.joined(separator: ","))]"
  }

  private mutating func matrix(_ rotation: OracleRotation) -> String {
    let columns = rotation.columns.map { "\($0.x),\($0.y),\($0.z),0" }
    let place = random.normal(1)
    return "[\(columns.joined(separator: ",")),\(place.x),\(place.y),\(place.z),1]"
  }

  private func mirrored(_ joints: [String: SIMD3<Double>]) -> [String: SIMD3<Double>] {
    var result: [String: SIMD3<Double>] = [:]
    for (name, p) in joints { result[OracleRecording.otherSide(name)] = SIMD3(-p.x, p.y, p.z) }
    return result
  }
}

/// What stays the same through a generated recording: the header and the camera.
struct OracleScene: Sendable {
  var joints: [String]
  var frame: String
  var orientation: String?
  var cameraPosition: String?
  var buffer: String?
  var isMirrored: Bool
  var headerUp: SIMD3<Double>?
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

  init(_ random: inout SplitMix64) {
    var names = random.chance(0.5) ? OracleScene.vision3d : random.shuffled(OracleScene.vision3d)
    if random.chance(0.3) { names.removeLast(random.integer(1, 3)) }
    joints = names
    frame = random.pick(["camera", "camera", "world", "pelvis", "pelvis"])
    let turned = random.pick(["portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight"])
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

/// Frame times and disturbances of a generated recording, in whole microseconds.
struct OracleTimeline: Sendable {
  /// What happens to a frame.
  enum Disturbance: Sendable {
    case none
    case noPose
    case noMatrix
    case missingJoints
    case allNull
  }

  var microseconds: [Int] = []
  var disturbances: [Disturbance] = []

  /// Draws times at a rate with jitter, gaps and dropouts of about `hold` seconds.
  init(frames: Int, rate: Int, hold: Double, _ random: inout SplitMix64) {
    let step = 1_000_000 / rate
    let jitter = random.pick([0, 0, step / 20, step / 4])
    var time = random.pick([0, 0, 33_333, 1_234_567])
    var dropoutEnd = 0
    var dropout = Disturbance.none
    while microseconds.count < frames {
      microseconds.append(time)
      let isInside = time < dropoutEnd
      let single: Disturbance = random.chance(0.08) ? OracleTimeline.kind(&random) : .none
      disturbances.append(isInside ? dropout : single)
      let next = time + step + (jitter > 0 ? random.integer(-jitter, jitter) : 0)
      let around = OracleTimeline.around(hold, &random)
      if isInside {
        time = next >= dropoutEnd ? dropoutEnd : next
      } else if around > 0 && random.chance(0.03) {
        time += around
      } else if around > step && random.chance(0.03) {
        dropoutEnd = time + around
        dropout = OracleTimeline.kind(&random)
        time = min(next, dropoutEnd)
      } else {
        time = next
      }
    }
  }

  private static func kind(_ random: inout SplitMix64) -> Disturbance {
    random.pick([.noPose, .noPose, .noMatrix, .missingJoints, .allNull])
  }

  private static func around(_ hold: Double, _ random: inout SplitMix64) -> Int {
    let exact = Int((hold * 1_000_000).rounded())
    return random.pick([
      exact, exact, exact - 1, exact + 1, exact - 1000, exact + 1000, exact / 2, 2 * exact,
    ])
  }
}

/// Builds poses in world axes (y up): planks of all kinds, a standing body, and nonsense.
struct OracleBody: Sendable {
  typealias Vector = SIMD3<Double>

  static let kinds = [
    "forearm", "high", "sideLeft", "sideRight", "reverse", "standing", "random", "degenerate",
  ]

  let along: Vector
  let left: Vector
  /// Meters for a body of 1.8 m, scaled.
  let scale: Double

  /// A pose of a kind with the hips moved up by `lift` meters.
  static func joints(
    kind: String, lift: Double, scale: Double, _ random: inout SplitMix64
  ) -> [String: Vector] {
    if kind == "random" {
      var joints: [String: Vector] = [:]
      for name in OracleScene.vision3d {
        joints[name] = Vector(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))
      }
      return joints
    }
    let pitch = kind == "standing" ? 1.0 : 0.25
    let along = unit(Vector((1 - pitch * pitch).squareRoot(), pitch, 0))
    let flat = Vector(0, 0, -1)
    let high = unit(Vector(-along.y, along.x, 0))
    let sides: [String: Vector] = ["sideLeft": high, "sideRight": -high, "reverse": -flat]
    let body = OracleBody(along: along, left: sides[kind] ?? flat, scale: scale)
    var joints = body.posed(kind: kind, lift: lift)
    if kind == "degenerate" { collapse(&joints, &random) }
    let noise = random.pick([0.004, 0.01, 0.03])
    for name in joints.keys.sorted() where kind != "degenerate" {
      joints[name]? += random.normal(noise)
    }
    return joints
  }

  private func posed(kind: String, lift: Double) -> [String: Vector] {
    let hips = Vector(0, lift, 0)
    let shoulders = along * (0.5 * scale)
    let ankles = along * (-0.85 * scale)
    let knees = along * (-0.43 * scale) + hips * 0.5
    var joints: [String: Vector] = [
      "root": hips, "spine": (hips + shoulders) * 0.5, "centerShoulder": shoulders,
      "centerHead": along * (0.68 * scale), "topHead": along * (0.8 * scale),
    ]
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
      let outward = left * (sign * scale)
      let shoulder = shoulders + outward * 0.19
      let (elbow, wrist) = arm(kind)
      joints[side + "Hip"] = hips + outward * 0.12
      joints[side + "Knee"] = knees + outward * 0.1
      joints[side + "Ankle"] = ankles + outward * 0.1
      joints[side + "Shoulder"] = shoulder
      joints[side + "Elbow"] = shoulder + elbow * scale
      joints[side + "Wrist"] = shoulder + wrist * scale
    }
    return joints
  }

  private func arm(_ kind: String) -> (Vector, Vector) {
    switch kind {
    case "high": (Vector(0.02, -0.28, 0), Vector(0, -0.53, 0))
    case "reverse": (Vector(-0.1, -0.27, 0), Vector(-0.22, -0.5, 0))
    case "standing": (Vector(0.03, -0.28, 0), Vector(0.08, -0.52, 0))
    default: (Vector(0.02, -0.28, 0), Vector(0.27, -0.3, 0))
    }
  }

  /// Moves joints onto or next to each other, well away from the bounds of 1 mm and 1 cm.
  private static func collapse(_ joints: inout [String: Vector], _ random: inout SplitMix64) {
    let pairs = [
      ("leftElbow", "leftShoulder"), ("rightWrist", "rightElbow"), ("leftAnkle", "root"),
      ("rightAnkle", "centerShoulder"), ("root", "centerShoulder"),
      ("leftShoulder", "rightShoulder"), ("leftAnkle", "rightAnkle"),
    ]
    for _ in 0..<random.integer(1, 4) {
      let (moved, target) = random.pick(pairs)
      let distance = random.pick([0, 0.0003, 0.0004, 0.003, 0.005, 0.02])
      if let place = joints[target] { joints[moved] = place + random.direction() * distance }
    }
    if random.chance(0.4), let shoulder = joints["centerShoulder"] {
      let distance = random.pick([0, 0.0003, 0.004, 0.02])
      joints["leftAnkle"] = shoulder + random.direction() * distance
      joints["rightAnkle"] = joints["leftAnkle"]
    }
  }

  private static func unit(_ v: Vector) -> Vector { v / (v * v).sum().squareRoot() }
}
