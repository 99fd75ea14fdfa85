/// Builds poses in world axes (y up): planks of all kinds, a standing body, and nonsense.
struct OracleBody: Sendable {
  typealias Vector = SIMD3<Double>

  /// Names of the kinds.
  static let kinds = [
    "forearm", "high", "sideLeft", "sideRight", "reverse", "standing", "random", "degenerate",
  ]

  /// Along the spine to the head.
  let along: Vector
  /// To the person's left.
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
        joints[name] = Vector(
          random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))
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

  /// Elbow and wrist from the shoulder.
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
