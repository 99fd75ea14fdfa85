import PoseModel

package struct SightParameters: ScriptParameters {
  package enum Unseen: String, CaseIterable, Hashable, Sendable {
    case guessed
    case lost
  }

  package var outside = Unseen.guessed
  /// What becomes of elbows, wrists, knees and ankles behind the body.
  package var hidden = Unseen.guessed
  /// With fewer of the 17 joints in sight, inside the image and not hidden, no pose is found.
  package var fewestJoints = 0.0

  package init() {}

  package static let section = "sight"

  package static let words: [ScriptWord<Self>] = [
    ScriptWord("outside", \.outside, "joints outside the image"),
    ScriptWord("hidden", \.hidden, "elbows, wrists, knees and ankles behind the body"),
  ]

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "fewest_joints", "joints", 0...17, \.fewestJoints,
      "with fewer of the 17 joints in sight, no pose is found")
  ]
}

struct Sight {
  var isOutside: [Bool]
  var isHidden: [Bool]

  func isUnseen(_ joint: Int) -> Bool { isOutside[joint] || isHidden[joint] }

  var unseen: [Bool] { isOutside.indices.map(isUnseen) }

  /// Nil where no pose is found: too few joints are in sight, or the root is lost, from which all
  /// positions count.
  func lost(_ parameters: SightParameters) -> [Bool]? {
    let seen = unseen.count { !$0 }
    let lost = isOutside.indices.map { joint in
      (isOutside[joint] && parameters.outside == .lost)
        || (isHidden[joint] && Self.isLimb[joint] && parameters.hidden == .lost)
    }
    return Double(seen) < parameters.fewestJoints || lost[Joint.root.index] ? nil : lost
  }

  private static let isLimb: [Bool] = Skeleton.vision3d.joints.map { joint in
    [BodySide.left, .right].contains { side in
      (side.limb(isArm: true) + side.limb(isArm: false)).contains(joint)
    }
  }

  init(_ joints: JointPositions, root: Vector3, view: CameraView, height: Meters) {
    let places = joints.values.map { root + $0 }
    isOutside = places.map { !(view.pixel($0).map(view.contains) ?? false) }
    isHidden = places.indices.map { Self.isHidden($0, among: places, height: height.value) }
  }

  /// Whether a bone that does not end at the joint crosses the ray from the camera to it.
  ///
  /// Bones are capsules. The ray ends one and a half radii before the joint, so that flesh around
  /// the joint itself hides nothing.
  private static func isHidden(_ joint: Int, among places: [Vector3], height: Double) -> Bool {
    let (target, distance) = (places[joint], places[joint].norm)
    for (bone, ends) in Bone.ends.enumerated() where ends.parent != joint && ends.child != joint {
      let radius = radii[bone] * height
      guard distance > 1.5 * radius else { continue }
      let near = target * (1 - 1.5 * radius / distance)
      let (a, b) = (places[ends.parent], places[ends.child])
      if gap(.zero, near, a, b) < radius { return true }
    }
    return false
  }

  /// Source: Ericson, Real-Time Collision Detection, 2005, section 5.1.9.
  static func gap(_ p: Vector3, _ q: Vector3, _ a: Vector3, _ b: Vector3) -> Double {
    let (d, e, r) = (q - p, b - a, p - a)
    let (dd, ee, de) = (d.dot(d), e.dot(e), d.dot(e))
    let (dr, er) = (d.dot(r), e.dot(r))
    let denominator = dd * ee - de * de
    var s = denominator > 1e-12 ? min(max((de * er - dr * ee) / denominator, 0), 1) : 0
    var t = ee > 1e-12 ? (de * s + er) / ee : 0
    if t < 0 || t > 1 {
      t = min(max(t, 0), 1)
      s = dd > 1e-12 ? min(max((de * t - dr) / dd, 0), 1) : 0
    }
    return (p + d * s - (a + e * t)).norm
  }

  private static let radii: [Double] = Bone.allCases.map { bone in
    switch bone {
    case .lumbar, .thoracic: 0.07
    case .neck: 0.035
    case .head, .leftHip, .rightHip: 0.05
    case .leftShoulder, .rightShoulder: 0.045
    case .leftThigh, .rightThigh: 0.045
    case .leftShank, .rightShank: 0.03
    case .leftUpperArm, .rightUpperArm: 0.027
    case .leftForearm, .rightForearm: 0.022
    }
  }
}
