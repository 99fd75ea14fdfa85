/// The measurements of one frame by name (`docs/contract.md`, Measurements).
///
/// A measurement that is missing or inapplicable has no value.
package struct OracleMeasurements: Sendable, Equatable {
  /// Names of the contract's table, in its order.
  package static let names = [
    "verticalRatio", "shoulderRise", "wristHipCosine", "elbowAngle", "bodyAngle", "hipDeviation",
    "shoulderRiseFraction", "hipDeviationFraction", "signedHipAngle", "trunkRoll", "supportDrop",
    "hipClearance", "forearmVerticality", "kneeAngle", "thighSpread", "trunkIncline", "handHeight",
    "upperArmIncline", "smallerKneeAngle", "kneeRise", "kneeDeviation", "elbowRise",
  ]

  /// Joints by name of the measurements that need them, `*` for left and right.
  private static let needs: [String: [String]] = [
    "verticalRatio": ["centerShoulder", "*Ankle"],
    "shoulderRise": ["*Shoulder"],
    "wristHipCosine": ["centerShoulder", "root", "*Wrist"],
    "elbowAngle": ["*Shoulder", "*Elbow", "*Wrist"],
    "bodyAngle": ["centerShoulder", "root", "*Ankle"],
    "hipDeviation": ["centerShoulder", "root", "*Ankle"],
    "shoulderRiseFraction": ["*Shoulder"],
    "hipDeviationFraction": ["centerShoulder", "root", "*Ankle"],
    "signedHipAngle": ["centerShoulder", "root", "*Ankle"],
    "trunkRoll": ["centerShoulder", "root", "*Shoulder"],
    "supportDrop": ["*Shoulder", "*Elbow", "*Wrist"],
    "hipClearance": ["root"],
    "forearmVerticality": ["*Shoulder", "*Elbow", "*Wrist"],
    "kneeAngle": ["*Hip", "*Knee", "*Ankle"],
    "thighSpread": ["*Hip", "*Knee"],
    "trunkIncline": ["centerShoulder", "root"],
    "handHeight": ["*Elbow", "*Wrist", "*Ankle"],
    "upperArmIncline": ["*Shoulder", "*Elbow"],
    "smallerKneeAngle": ["*Hip", "*Knee", "*Ankle"],
    "kneeRise": ["*Knee", "*Ankle"],
    "kneeDeviation": ["*Elbow", "*Knee", "*Ankle"],
    "elbowRise": ["*Elbow", "*Wrist"],
  ]

  /// Values of the measurements that have one.
  package let values: [String: Float]
  /// The measurements that lack something they need.
  package let missing: Set<String>

  /// Measures a pose.
  package init(_ pose: OraclePose, axes: OracleAxes) {
    let body = OracleBodyReading(pose, axes: axes)
    let doubles: [String: Double?] = [
      "verticalRatio": body.verticalRatio,
      "shoulderRise": body.shoulderRise,
      "wristHipCosine": body.wristHipCosine,
      "elbowAngle": body.elbowAngle,
      "bodyAngle": body.bodyAngle,
      "hipDeviation": body.hipDeviation,
      "shoulderRiseFraction": body.perHeight(body.shoulderRise),
      "hipDeviationFraction": body.perHeight(body.hipDeviation),
      "signedHipAngle": body.signedHipAngle,
      "trunkRoll": body.trunkRoll,
      "supportDrop": body.perHeight(body.supportDropMeters),
      "hipClearance": body.perHeight(body.hipClearanceMeters),
      "forearmVerticality": body.forearmVerticality,
      "kneeAngle": body.kneeAngles.map { ($0 + $1) / 2 },
      "thighSpread": body.thighSpread,
      "trunkIncline": body.trunkIncline,
      "handHeight": body.perHeight(body.rise(of: ["Elbow", "Wrist"])),
      "upperArmIncline": body.upperArmIncline,
      "smallerKneeAngle": body.kneeAngles.map { Swift.min($0, $1) },
      "kneeRise": body.perHeight(body.rise(of: ["Knee"])),
      "kneeDeviation": body.perHeight(body.kneeDeviationMeters),
      "elbowRise": body.perHeight(body.rise(of: ["Elbow"], over: "Wrist")),
    ]
    var values: [String: Float] = [:]
    for (name, double) in doubles {
      if let float = double.map({ Float($0) }), float.isFinite { values[name] = float }
    }
    self.values = values
    missing = Set(Self.names.filter { Self.isMissing($0, pose) })
  }

  private static func isMissing(_ name: String, _ pose: OraclePose) -> Bool {
    guard !pose.isMissing, pose.up != nil, let needed = needs[name] else { return true }
    let inputs = needed.flatMap { word in
      word.first == "*" ? ["left", "right"].map { $0 + word.dropFirst() } : [word]
    }
    return !inputs.allSatisfy { input in
      guard let p = pose.joints[input] else { return false }
      return p.x.isFinite && p.y.isFinite && p.z.isFinite
    }
  }

  /// The value, nil when there is none.
  package subscript(name: String) -> Float? { values[name] }
}
