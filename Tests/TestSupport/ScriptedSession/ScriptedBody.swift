package import PoseModel

/// A rigid body of which every segment is a fixed share of its stature.
///
/// Shares follow Drillis and Contini (1966) as given by Winter (2009), figure 4.1; half-widths are
/// those of joint centers. Bone lengths of trunk, thigh, shank, upper arm and forearm are the
/// same in every posture, with every hip offset.
package struct ScriptedBody: Hashable, Sendable {
  /// The height of the standing body.
  package var stature: Meters

  /// Makes a body.
  package init(stature: Meters) { self.stature = stature }

  /// Shoulder to hip.
  var trunk: Double { 0.288 * stature.value }
  /// Hip to knee.
  var thigh: Double { 0.245 * stature.value }
  /// Knee to ankle.
  var shank: Double { 0.246 * stature.value }
  /// Shoulder to elbow.
  var upperArm: Double { 0.186 * stature.value }
  /// Elbow to wrist.
  var forearm: Double { 0.146 * stature.value }
  /// Shoulder line to the center of the head.
  var neck: Double { 0.117 * stature.value }
  /// Shoulder line to the top of the head.
  var head: Double { 0.182 * stature.value }

  /// The joints of the body in a posture, in world axes: y up, the floor at 0, the head toward +x.
  ///
  /// - Parameter hipOffset: how far the hips are moved off the line from ankles to shoulders,
  ///   along that line's upward normal; negative is a sag, positive a pike. Contacts with the
  ///   floor stay. Standing and all-fours ignore it.
  package func joints(
    in posture: ScriptedPosture, hipOffset: Meters = Meters(0)
  ) -> [Joint: Vector3] {
    let axis = axis(of: posture, hipOffset: hipOffset.value)
    var joints = axis.midline(of: self)
    for side in ScriptedSide.allCases {
      let outward = axis.left * side.sign * stature.value
      let shoulder = axis.shoulders + outward * 0.105
      let arm = armDirections(posture, side, axis)
      let elbow = shoulder + arm.upper * upperArm
      joints[side.shoulder] = shoulder
      joints[side.elbow] = elbow
      joints[side.wrist] = elbow + arm.lower * forearm
      joints[side.hip] = axis.hips + outward * 0.087
      joints[side.knee] = axis.knees + outward * 0.07
      joints[side.ankle] = axis.ankles + outward * 0.05
    }
    return joints
  }

  /// Where the upper arm and the forearm of a side point.
  private func armDirections(
    _ posture: ScriptedPosture, _ side: ScriptedSide, _ axis: ScriptedAxis
  ) -> (upper: Vector3, lower: Vector3) {
    let down = -Vector3.unitY
    switch posture {
    case .standing, .allFours, .high: return (down, down)
    case .forearm: return (down, .unitX)
    case .reverse:
      let tilted = Self.tiltedArm
      return (tilted, tilted)
    case .sideLeft, .sideRight:
      let isFree = (posture == .sideLeft) == (side == .left)
      let feet = (axis.ankles - axis.shoulders) / (axis.ankles - axis.shoulders).norm
      let anterior = axis.left.cross(-feet)
      return isFree ? (feet, feet) : (down, anterior)
    }
  }

  /// Straight down, turned 20 degrees toward the feet.
  private static let tiltedArm = Vector3(-0.3420201433256687, -0.9396926207859084, 0)
}
