import Foundation

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

  /// The angles of the left and the right knee.
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

  /// A length over the body height.
  func perHeight(_ meters: Double?) -> Double? {
    meters.map { $0 / (pose.height ?? 1.8) }
  }
}

extension OracleBodyReading {
  /// Up of the measurements for which the article takes the camera's y.
  private var riseUp: Vector? { axes == .article ? Vector(0, 1, 0) : pose.up }

  /// S, H and A.
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

  /// Shoulder, elbow and wrist of a side.
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
