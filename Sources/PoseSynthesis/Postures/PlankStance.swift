import PoseModel

/// What carries a plank: which way the body lies, on which arms, on feet or knees.
struct PlankStance {
  /// What of an arm is on the floor.
  enum Support {
    case forearm
    case hand
  }

  /// A side of the body that carries alone.
  enum Side {
    case left
    case right
  }

  let rest: Rest
  let support: Support
  /// The carrying side of a side plank; nil where both arms carry.
  var carrying: Side?
  var isOnKnees = false

  /// Bend of the knees in a plank on the knees (ours: feet off the floor).
  static let kneelingFlexion = Degrees(60)

  /// The stance of a posture, or nil for one that is not solved by its contacts.
  init?(_ posture: Posture) {
    switch posture {
    case .forearm: self.init(rest: .prone, support: .forearm)
    case .high: self.init(rest: .prone, support: .hand)
    case .reverse: self.init(rest: .supine, support: .hand)
    case .sideLeftElbow: self.init(rest: .leftUp, support: .forearm, carrying: .right)
    case .sideLeftHand: self.init(rest: .leftUp, support: .hand, carrying: .right)
    case .sideRightElbow: self.init(rest: .rightUp, support: .forearm, carrying: .left)
    case .sideRightHand: self.init(rest: .rightUp, support: .hand, carrying: .left)
    case .kneePlank: self.init(rest: .prone, support: .hand, isOnKnees: true)
    default: return nil
    }
  }

  private init(rest: Rest, support: Support, carrying: Side? = nil, isOnKnees: Bool = false) {
    self.rest = rest
    self.support = support
    self.carrying = carrying
    self.isOnKnees = isOnKnees
  }

  /// The point that the carrying arms hold up.
  func supportShoulder(_ joints: JointPositions) -> Vector3 {
    switch carrying {
    case .left: joints[.leftShoulder]
    case .right: joints[.rightShoulder]
    case nil: joints.middle(.leftShoulder, .rightShoulder)
    }
  }

  /// The lower contact and its height above the floor in meters.
  func lowerContact(_ joints: JointPositions, stature: Double) -> (Vector3, Double) {
    switch carrying {
    case .left: return (joints[.leftAnkle], ContactHeights.footEdge * stature)
    case .right: return (joints[.rightAnkle], ContactHeights.footEdge * stature)
    case nil: break
    }
    if isOnKnees {
      return (joints.middle(.leftKnee, .rightKnee), ContactHeights.knee * stature)
    }
    let height = rest == .supine ? ContactHeights.heel : ContactHeights.tuckedToes
    return (joints.middle(.leftAnkle, .rightAnkle), height * stature)
  }
}
