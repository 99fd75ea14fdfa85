import Platform
import PoseModel

package enum Activity: String, CaseIterable, Hashable, Sendable {
  case still
  case jacks
  case shoulderTaps
  case legLifts
  case climbs
}

package enum FootPlacement: String, CaseIterable, Hashable, Sendable {
  case apart
  case stacked
  case staggered
}

struct LimbMover {
  let body: Body

  /// The shape at a phase of the movement in radians; each half of the cycle has its side.
  func moved(_ shape: BodyShape, _ activity: Activity, phase: Double) -> BodyShape {
    var shape = shape
    let (left, right) = (max(0, sin(phase)), max(0, -sin(phase)))
    switch activity {
    case .still: break
    case .jacks:
      let spread = Degrees(9 * (1 - cos(phase)))
      turnLeg(&shape, .left, by: .aboutZ(spread))
      turnLeg(&shape, .right, by: .aboutZ(-spread))
    case .shoulderTaps:
      tap(&shape, side: .left, share: left)
      tap(&shape, side: .right, share: right)
    case .legLifts:
      turnLeg(&shape, .left, by: .aboutX(Degrees(22 * left)))
      turnLeg(&shape, .right, by: .aboutX(Degrees(22 * right)))
    case .climbs:
      climb(&shape, .left, share: left)
      climb(&shape, .right, share: right)
    }
    return shape
  }

  func feet(_ shape: BodyShape, _ feet: FootPlacement, lower: BodySide) -> BodyShape {
    var shape = shape
    let leg = body.length(.leftThigh) + body.length(.leftShank)
    let width = body.length(.leftHip) + body.length(.rightHip)
    let gap = max(0, width - 0.05 * body.height.value)
    let upper: BodySide = lower == .left ? .right : .left
    let inward = Degrees(radians: (upper == .left ? -1 : 1) * asin(min(0.5, gap / leg)))
    switch feet {
    case .apart: break
    case .stacked: turnLeg(&shape, upper, by: .aboutZ(inward))
    case .staggered:
      turnLeg(&shape, upper, by: .aboutX(Degrees(-9)) * .aboutZ(inward))
      turnLeg(&shape, lower, by: .aboutX(Degrees(4)))
    }
    return shape
  }

  private func turnLeg(_ shape: inout BodyShape, _ side: BodySide, by turn: Rotation3) {
    let (thigh, shank): (Bone, Bone) =
      side == .left ? (.leftThigh, .leftShank) : (.rightThigh, .rightShank)
    shape[thigh] = turn(shape[thigh])
    shape[shank] = turn(shape[shank])
  }

  /// Pulls a knee to the chest: 130 degrees at the hip, 140 at the knee; on the way the knee swings
  /// out by 55 degrees, over the floor.
  private func climb(_ shape: inout BodyShape, _ side: BodySide, share: Double) {
    let shank: Bone = side == .left ? .leftShank : .rightShank
    let out = Degrees((side == .left ? 55 : -55) * sin(Double.pi * share))
    turnLeg(&shape, side, by: .aboutZ(out) * .aboutX(Degrees(-130 * share)))
    let knee = Rotation3.aboutZ(out) * .aboutX(Degrees(140 * share)) * .aboutZ(-out)
    shape[shank] = knee(shape[shank])
  }

  private func tap(_ shape: inout BodyShape, side: BodySide, share: Double) {
    guard share > 0 else { return }
    let joints = shape.joints(of: body)
    let isLeft = side == .left
    let (upper, lower): (Bone, Bone) =
      isLeft ? (.leftUpperArm, .leftForearm) : (.rightUpperArm, .rightForearm)
    let (own, other): (Joint, Joint) =
      isLeft ? (.leftShoulder, .rightShoulder) : (.rightShoulder, .leftShoulder)
    let hand = joints[isLeft ? .leftWrist : .rightWrist]
    // In front of the shoulder by the thickness of hand and chest.
    let goal = joints[other] + Vector3.unitZ * (0.05 * body.height.value)
    let way = hand + (goal - hand) * MinimumJerk.share(share) - joints[own]
    let (u, f) = (body.length(upper), body.length(lower))
    let reach = min(max(way.norm, (u - f).magnitude + 1e-6), u + f - 1e-6)
    let along = way.unit()
    let cosine = (u * u + reach * reach - f * f) / (2 * u * reach)
    let outward = Vector3(isLeft ? 1 : -1, -0.5, 0).perpendicular(to: along).unit(or: .unitX)
    let elbow = along * (u * cosine) + outward * (u * max(0, 1 - cosine * cosine).squareRoot())
    shape[upper] = elbow.unit()
    shape[lower] = (along * reach - elbow).unit()
  }
}
