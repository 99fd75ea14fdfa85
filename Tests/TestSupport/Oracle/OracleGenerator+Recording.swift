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
    return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - digits.count)
      + digits
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
    case .allNull:
      joints = [:]
    case .missingJoints:
      for name in random.shuffled(scene.joints).prefix(random.integer(1, 4)) {
        joints[name] = nil
      }
    case .none, .noPose, .noMatrix:
      break
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

  /// What a detector sees in the flipped image.
  private func mirrored(_ joints: [String: SIMD3<Double>]) -> [String: SIMD3<Double>] {
    var result: [String: SIMD3<Double>] = [:]
    for (name, p) in joints {
      result[OracleRecording.otherSide(name)] = SIMD3(-p.x, p.y, p.z)
    }
    return result
  }
}
