import Foundation

/// The measurements of one frame by name (`docs/contract.md`, Measurements).
///
/// A measurement that is missing or inapplicable has no value.
package struct OracleMeasurements: Sendable, Equatable {
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
  package let missing: Set<String>

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

/// The formulas of `docs/contract.md`, Measurements, on one pose, in Double; nil without a value.
struct OracleBodyReading {
  typealias Vector = SIMD3<Double>

  let pose: OraclePose
  let axes: OracleAxes

  init(_ pose: OraclePose, axes: OracleAxes) {
    self.pose = pose
    self.axes = axes
  }

  var verticalRatio: Double? {
    guard let s = joint("centerShoulder"), let a = middle("leftAnkle", "rightAnkle") else {
      return nil
    }
    if norm(s - a) <= 0.01 { return 1 }
    guard let up = axes == .article ? pose.articleVerticalAxis : pose.up else { return nil }
    return abs(dot(s - a, up)) / norm(s - a)
  }

  var shoulderRise: Double? {
    guard let left = joint("leftShoulder"), let right = joint("rightShoulder"), let up = riseUp
    else { return nil }
    return dot(left - right, up)
  }

  var wristHipCosine: Double? {
    guard let s = joint("centerShoulder"), let h = joint("root"),
      let w = middle("leftWrist", "rightWrist"), let hip = unit(h - s), let wrist = unit(w - s)
    else { return nil }
    return dot(hip, wrist)
  }

  var elbowAngle: Double? {
    bothArms { shoulder, elbow, wrist in angle(shoulder - elbow, wrist - elbow) }
  }

  var bodyAngle: Double? {
    guard let (s, h, a) = trunk else { return nil }
    return angle(s - h, a - h)
  }

  var hipDeviation: Double? {
    guard let (s, h, a) = trunk, let up = riseUp, let d = unit(a - s) else { return nil }
    let projection = s + d * dot(h - s, d)
    return dot(h - projection, up)
  }

  var signedHipAngle: Double? {
    guard let (s, h, a) = trunk, let up = pose.up, let d = unit(a - s) else { return nil }
    let across = up - d * dot(up, d)
    let upper = h - s
    let lower = a - h
    guard norm(across) >= 0.2, norm(upper) >= 0.001, norm(lower) >= 0.001 else { return nil }
    let n = across / norm(across)
    let sine = dot(upper, d) * dot(lower, n) - dot(upper, n) * dot(lower, d)
    let cosine = dot(upper, d) * dot(lower, d) + dot(upper, n) * dot(lower, n)
    let degrees = 180 - degrees(atan2(sine, cosine))
    return degrees >= 360 ? degrees - 360 : degrees
  }

  var trunkRoll: Double? {
    guard let s = joint("centerShoulder"), let h = joint("root"), let up = pose.up,
      let left = joint("leftShoulder"), let right = joint("rightShoulder"),
      let l = unit(left - right), let c = unit((s - h) - l * dot(s - h, l))
    else { return nil }
    return degrees(atan2(dot(l, up), -dot(cross(l, c), up)))
  }

  var supportDropMeters: Double? {
    guard let up = pose.up, let left = arm("left"), let right = arm("right") else { return nil }
    return [left, right].flatMap { [dot($0.0 - $0.1, up), dot($0.0 - $0.2, up)] }.max()
  }

  var hipClearanceMeters: Double? {
    guard let h = joint("root"), let up = pose.up, pose.joints.keys.allSatisfy({ isFinite($0) })
    else { return nil }
    return pose.joints.values.map { dot($0, up) }.min().map { dot(h, up) - $0 }
  }

  var forearmVerticality: Double? {
    guard let up = pose.up else { return nil }
    return bothArms { _, elbow, wrist in unit(wrist - elbow).map { abs(dot($0, up)) } }
  }

  var kneeAngles: (Double, Double)? {
    func knee(_ side: String) -> Double? {
      guard let hip = joint(side + "Hip"), let knee = joint(side + "Knee"),
        let ankle = joint(side + "Ankle")
      else { return nil }
      return angle(hip - knee, ankle - knee)
    }
    guard let left = knee("left"), let right = knee("right") else { return nil }
    return (left, right)
  }

  /// How far the lowest of some joints of both sides is above the lower one of a pair.
  func rise(of names: [String], over pair: String = "Ankle") -> Double? {
    func lowest(_ names: [String]) -> Double? {
      let heights = names.flatMap { [joint("left" + $0), joint("right" + $0)] }.map { place in
        place.flatMap { p in pose.up.map { dot(p, $0) } }
      }
      return heights.contains { $0 == nil } ? nil : heights.compactMap(\.self).min()
    }
    guard let low = lowest(names), let floor = lowest([pair]) else { return nil }
    return low - floor
  }

  /// The knees' height over the line from elbows to ankles: over its point at the foot of the
  /// perpendicular.
  var kneeDeviationMeters: Double? {
    guard let k = middle("leftKnee", "rightKnee"), let e = middle("leftElbow", "rightElbow"),
      let a = middle("leftAnkle", "rightAnkle"), let up = pose.up, norm(a - e) >= 0.001
    else { return nil }
    let share = dot(k - e, a - e) / dot(a - e, a - e)
    return dot(k, up) - dot(e + (a - e) * share, up)
  }

  var thighSpread: Double? {
    guard let leftHip = joint("leftHip"), let leftKnee = joint("leftKnee"),
      let rightHip = joint("rightHip"), let rightKnee = joint("rightKnee")
    else { return nil }
    return angle(leftKnee - leftHip, rightKnee - rightHip)
  }

  var trunkIncline: Double? {
    guard let s = joint("centerShoulder"), let h = joint("root"), let up = pose.up else {
      return nil
    }
    return unit(s - h).map { dot($0, up) }
  }

  var upperArmIncline: Double? {
    let inclines = ["left", "right"].compactMap { side -> Double? in
      guard let shoulder = joint(side + "Shoulder"), let elbow = joint(side + "Elbow"),
        let up = pose.up
      else { return nil }
      return unit(shoulder - elbow).map { dot($0, up) }
    }
    return inclines.count == 2 ? (inclines[0] + inclines[1]) / 2 : nil
  }

  func perHeight(_ meters: Double?) -> Double? {
    meters.map { $0 / (pose.height ?? 1.8) }
  }
}

extension OracleBodyReading {
  private var riseUp: Vector? { axes == .article ? Vector(0, 1, 0) : pose.up }

  private var trunk: (Vector, Vector, Vector)? {
    guard let s = joint("centerShoulder"), let h = joint("root"),
      let a = middle("leftAnkle", "rightAnkle")
    else { return nil }
    return (s, h, a)
  }

  private func bothArms(_ value: (Vector, Vector, Vector) -> Double?) -> Double? {
    guard let left = arm("left"), let right = arm("right"),
      let first = value(left.0, left.1, left.2), let second = value(right.0, right.1, right.2)
    else { return nil }
    return (first + second) / 2
  }

  private func arm(_ side: String) -> (Vector, Vector, Vector)? {
    guard let shoulder = joint(side + "Shoulder"), let elbow = joint(side + "Elbow"),
      let wrist = joint(side + "Wrist")
    else { return nil }
    return (shoulder, elbow, wrist)
  }

  private func joint(_ name: String) -> Vector? { isFinite(name) ? pose.joints[name] : nil }

  private func isFinite(_ name: String) -> Bool {
    guard let p = pose.joints[name] else { return false }
    return p.x.isFinite && p.y.isFinite && p.z.isFinite
  }

  private func middle(_ first: String, _ second: String) -> Vector? {
    guard let p = joint(first), let q = joint(second) else { return nil }
    return (p + q) / 2
  }

  private func angle(_ v: Vector, _ w: Vector) -> Double? {
    guard norm(v) >= 0.001, norm(w) >= 0.001 else { return nil }
    return degrees(atan2(norm(cross(v, w)), dot(v, w)))
  }

  private func unit(_ v: Vector) -> Vector? { norm(v) < 0.001 ? nil : v / norm(v) }

  private func norm(_ v: Vector) -> Double { dot(v, v).squareRoot() }

  private func dot(_ v: Vector, _ w: Vector) -> Double { v.x * w.x + v.y * w.y + v.z * w.z }

  private func cross(_ v: Vector, _ w: Vector) -> Vector {
    Vector(v.y * w.z - v.z * w.y, v.z * w.x - v.x * w.z, v.x * w.y - v.y * w.x)
  }

  private func degrees(_ radians: Double) -> Double { radians * 180 / Double.pi }
}

/// One frame of a recording after unmirroring and rotation: what the measurements see.
package struct OraclePose: Sendable {
  package var time: Double
  /// Present joints by name, in the frame in which they are evaluated; empty when missing.
  package var joints: [String: SIMD3<Double>]
  /// The unit vector that points up, nil if the contract gives none.
  package var up: SIMD3<Double>?
  /// Body height in meters: the frame's, or else the header's.
  package var height: Double?
  /// No pose was found, or a pelvis pose came without a matrix.
  package var isMissing: Bool
  /// The axis that the article uses for `verticalRatio`: x in landscape, otherwise y.
  package var articleVerticalAxis: SIMD3<Double>

  package init(
    time: Double, joints: [String: SIMD3<Double>], up: SIMD3<Double>?, height: Double? = nil,
    isMissing: Bool = false, articleVerticalAxis: SIMD3<Double> = SIMD3(0, 1, 0)
  ) {
    self.time = time
    self.joints = joints
    self.up = up
    self.height = height
    self.isMissing = isMissing
    self.articleVerticalAxis = articleVerticalAxis
  }
}
