internal import Platform
internal import PoseModel

/// The midline of a posed body, with the direction of its left side.
struct ScriptedAxis {
  var ankles: Vector3
  var knees: Vector3
  var hips: Vector3
  var shoulders: Vector3
  var left: Vector3

  /// The joints on the midline; the head continues the trunk.
  func midline(of body: ScriptedBody) -> [Joint: Vector3] {
    let cranial = (shoulders - hips) / (shoulders - hips).norm
    return [
      .root: hips, .spine: hips.midpoint(shoulders), .centerShoulder: shoulders,
      .centerHead: shoulders + cranial * body.neck, .topHead: shoulders + cranial * body.head,
    ]
  }
}

extension ScriptedBody {
  /// The midline of a posture; heights of contacts as shares of the stature.
  func axis(of posture: ScriptedPosture, hipOffset: Double) -> ScriptedAxis {
    let toRight = Vector3(0, 0, 1)
    switch posture {
    case .standing: return standing
    case .allFours: return allFours
    case .forearm:
      return straight(shoulder: 0.206, ankle: 0.075, hipOffset) { _ in -toRight }
    case .high:
      return straight(shoulder: 0.362, ankle: 0.075, hipOffset) { _ in -toRight }
    case .reverse:
      return straight(shoulder: 0.342, ankle: 0.045, hipOffset) { _ in toRight }
    case .sideLeft:
      return straight(shoulder: 0.206, ankle: 0.03, stacked: 0.055, hipOffset) { $0 }
    case .sideRight:
      return straight(shoulder: 0.206, ankle: 0.03, stacked: 0.055, hipOffset) { -$0 }
    }
  }

  /// A straight body that touches the floor at both ends, bent at the hips by an offset.
  ///
  /// The incline t solves sin t * span = rise + stacked * cos t, where `stacked` is how much
  /// farther the shoulders' center is from the lower shoulder than the ankles' from the lower
  /// ankle: 0 unless the body lies on its side.
  ///
  /// - Parameter left: the left side's direction from the line's upward normal.
  private func straight(
    shoulder: Double, ankle: Double, stacked: Double = 0, _ hipOffset: Double,
    left: (Vector3) -> Vector3
  ) -> ScriptedAxis {
    let legs = ((thigh + shank) * (thigh + shank) - hipOffset * hipOffset).squareRoot()
    let span = legs + (trunk * trunk - hipOffset * hipOffset).squareRoot()
    let rise = (shoulder - ankle) * stature.value
    let half = stacked * stature.value
    let incline =
      asin(rise / (span * span + half * half).squareRoot()) + atan2(half, span)
    let line = Vector3(cos(incline), sin(incline), 0)
    let normal = Vector3(-sin(incline), cos(incline), 0)
    let ankleHeight = ankle * stature.value + (stacked > 0 ? 0.05 * stature.value * line.x : 0)
    let ankles = Vector3(0, ankleHeight, 0)
    let hips = ankles + line * legs + normal * hipOffset
    return ScriptedAxis(
      ankles: ankles, knees: ankles + (hips - ankles) * (shank / (thigh + shank)), hips: hips,
      shoulders: ankles + line * span, left: left(normal))
  }

  private var standing: ScriptedAxis {
    let ankles = Vector3(0, 0.039 * stature.value, 0)
    let knees = ankles + .unitY * shank
    let hips = knees + .unitY * thigh
    return ScriptedAxis(
      ankles: ankles, knees: knees, hips: hips, shoulders: hips + .unitY * trunk,
      left: Vector3(0, 0, -1))
  }

  /// Hands, knees and toes on the floor, arms and thighs vertical.
  private var allFours: ScriptedAxis {
    let ankles = Vector3(0, 0.075 * stature.value, 0)
    let kneeDrop = 0.045 * stature.value
    let kneeReach = (shank * shank - kneeDrop * kneeDrop).squareRoot()
    let knees = ankles + Vector3(kneeReach, -kneeDrop, 0)
    let hips = knees + .unitY * thigh
    let rise = 0.362 * stature.value - hips.y
    let reach = (trunk * trunk - rise * rise).squareRoot()
    return ScriptedAxis(
      ankles: ankles, knees: knees, hips: hips, shoulders: hips + Vector3(reach, rise, 0),
      left: Vector3(0, 0, -1))
  }
}
