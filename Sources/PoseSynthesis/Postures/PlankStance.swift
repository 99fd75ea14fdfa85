import Platform
import PoseModel

struct PlankStance {
  enum Support {
    case forearm
    case hand
  }

  enum Side {
    case left
    case right
  }

  let rest: Rest
  let support: Support
  var carrying: Side?
  var isOnKnees = false

  /// Bend of the knees in a plank on the knees (ours: feet off the floor).
  static let kneelingFlexion = Degrees(60)

  init?(_ posture: Posture) {
    switch posture {
    case .forearm: self.init(rest: .prone, support: .forearm)
    case .kneeForearmPlank: self.init(rest: .prone, support: .forearm, isOnKnees: true)
    case .high, .mountainClimber: self.init(rest: .prone, support: .hand)
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

  func supportShoulder(_ joints: JointPositions) -> Vector3 {
    switch carrying {
    case .left: joints[.leftShoulder]
    case .right: joints[.rightShoulder]
    case nil: joints.middle(.leftShoulder, .rightShoulder)
    }
  }

  func lowerContact(_ joints: JointPositions, body: Body) -> (Vector3, Double) {
    let stature = body.height.value
    switch carrying {
    case .left: return (joints[.leftAnkle], ContactHeights.footEdge * stature)
    case .right: return (joints[.rightAnkle], ContactHeights.footEdge * stature)
    case nil: break
    }
    if isOnKnees {
      return (joints.middle(.leftKnee, .rightKnee), ContactHeights.knee * stature)
    }
    let height = rest == .supine ? ContactHeights.heel : body.tuckedAnkle
    return (joints.middle(.leftAnkle, .rightAnkle), height * stature)
  }
}

/// How high a joint's center stays above the floor, as fractions of stature.
///
/// Elbow, wrist and feet give the shoulder heights 0.206 (forearms) and 0.362 (straight arms) of
/// the plank geometry with Winter's segments. The others are half the depth of the soft tissue
/// around the joint (ours: the buttock and chest are about 0.12 to 0.13 of stature deep, the thigh
/// above the knee 0.10, the shoulder from the side 0.09).
enum ContactHeights {
  static let elbow = 0.02
  static let wrist = 0.03
  static let knee = 0.05
  static let tuckedToes = 0.075
  static let heel = 0.045
  static let flatFoot = 0.039
  static let footEdge = 0.03
  static let instep = 0.03
  /// The hips of a body that lies on its front: in films 0.05 to 0.09 above the lowest joint.
  static let proneHip = 0.08
  static let seatedHip = 0.06

  static let resting: [Double] = {
    var heights = Array(repeating: 0.0, count: JointPositions.count)
    for joint in Skeleton.vision3d.joints { heights[joint.index] = resting(joint) }
    return heights
  }()

  private static func resting(_ joint: Joint) -> Double {
    switch joint {
    case .leftElbow, .rightElbow: elbow
    case .leftWrist, .rightWrist: wrist
    case .leftKnee, .rightKnee: knee
    case .leftAnkle, .rightAnkle: flatFoot
    case .leftShoulder, .rightShoulder, .leftHip, .rightHip: 0.045
    case .centerHead: 0.05
    case .topHead: 0.03
    default: 0.06
    }
  }
}

/// The triangle of shoulder, hip and ankle: hip offset in meters and bend in radians.
enum HipOffset {
  /// The bend b that puts the hip a distance `offset` off the line from shoulder to ankle.
  ///
  /// b = asin(d/L1) + asin(d/L2), with the altitude d inside the triangle; the angle shoulder, hip,
  /// ankle is then 180 degrees - b. Near 0 it is d (1/L1 + 1/L2): 0.554 cm per degree at 1.75 m, 6.6 cm for 12 degrees. The exact
  /// form is used, not that approximation. Offsets over nine tenths of the shorter side are cut to
  /// that.
  static func bend(offset: Double, upper: Double, lower: Double) -> Double {
    let altitude = min(offset.magnitude, 0.9 * min(upper, lower))
    return asin(altitude / upper) + asin(altitude / lower)
  }
}

enum Incline {
  /// The angle about -x (head up for a body whose head lies along +z) that gives a span its rise.
  ///
  /// Turned by theta, the span (x, y, z) rises by y cos(theta) + z sin(theta). With r = sqrt(y^2 +
  /// z^2) that is r sin(theta + atan2(y, z)), so theta = asin(rise/r) - atan2(y, z). A rise beyond
  /// r is cut at r. For a straight body it is asin((h_S - h_A)/0.779 H): 9.7 degrees on forearms,
  /// 21.6 on hands, 24.0 in a reverse plank.
  static func solving(span: Vector3, rise: Double) -> Degrees {
    let reach = (span.y * span.y + span.z * span.z).squareRoot()
    guard reach > 0 else { return Degrees(0) }
    let sine = min(max(rise / reach, -1), 1)
    return Degrees(radians: asin(sine) - atan2(span.y, span.z))
  }
}
