import Platform
import PoseModel

/// A limb that lies on the floor; its angles turn in the plane of the floor: flexion is the
/// direction of the near bone from that of the head, positive outward, or to the front of a body on
/// its side; the bend of a knee turns the shank further, the bend of an elbow turns the forearm
/// back.
///
/// How far each bone falls follows from the height at which its end rests, so no joint is below the
/// floor.
struct LaidLimb {
  private let near: Bone
  private let far: Bone
  private let angles: @Sendable (JointAngles) -> JointAngles.Limb
  private let isArm: Bool
  private var isFarOnly = false
  private var lift = 0.0

  static let arms = [
    LaidLimb(near: .leftUpperArm, far: .leftForearm, angles: { $0.leftArm }, isArm: true),
    LaidLimb(near: .rightUpperArm, far: .rightForearm, angles: { $0.rightArm }, isArm: true),
  ]
  static let legs = [
    LaidLimb(near: .leftThigh, far: .leftShank, angles: { $0.leftLeg }, isArm: false),
    LaidLimb(near: .rightThigh, far: .rightShank, angles: { $0.rightLeg }, isArm: false),
  ]
  /// Forearms of arms that stand on their elbows; they point to the head, inward by the arm's turn.
  static let forearms = arms.map {
    var forearm = $0
    forearm.isFarOnly = true
    return forearm
  }

  func lifted(by lift: Double) -> LaidLimb {
    var limb = self
    limb.lift = lift
    return limb
  }

  func lay(_ shape: inout BodyShape, angles: JointAngles, body: Body, rootHeight: Double) {
    let limb = self.angles(angles)
    let stature = body.height.value
    let joints = shape.joints(of: body)
    let heights: (Double, Double) =
      isArm
      ? (ContactHeights.elbow, ContactHeights.wrist) : (ContactHeights.knee, ContactHeights.instep)
    let start = rootHeight + shape.orientation(joints[near.parent]).y
    let middle = rootHeight + shape.orientation(joints[near.child]).y
    var reached = middle
    if !isFarOnly {
      let end = (heights.1 + lift) * stature
      reached = max(heights.0 * stature, lift > 0 ? (start + end) / 2 : 0)
      let direction = self.direction(
        shape, heading: limb.flexion, rise: (reached - start) / body.length(near))
      shape[near] = shape.orientation.inverse(direction)
      reached = start + direction.y * body.length(near)
    }
    let heading =
      isFarOnly ? -limb.turn : limb.flexion + (isArm ? -limb.bend : limb.bend)
    let direction = self.direction(
      shape, heading: heading,
      rise: ((heights.1 + lift) * stature - reached) / body.length(far))
    shape[far] = shape.orientation.inverse(direction)
  }

  /// The world's direction with a heading in degrees and a rise, the sine of its angle to the floor.
  private func direction(_ shape: BodyShape, heading: Double, rise: Double) -> Vector3 {
    let left = shape.orientation(.unitX).x
    let isOnSide = left.magnitude < 0.5
    let side: Double = near == .leftUpperArm || near == .leftThigh ? 1 : -1
    let outward = isOnSide ? shape.orientation(.unitZ).x : side * left
    let angle = Degrees(heading).radians
    let rise = min(max(rise, -1), 1)
    let flat = Vector3(outward < 0 ? -sin(angle) : sin(angle), 0, cos(angle))
    return flat * (1 - rise * rise).squareRoot() + Vector3.unitY * rise
  }
}
