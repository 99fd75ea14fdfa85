import PoseModel

/// A posture that is given by joint angles and put down on the floor.
struct FreePosture {
  /// How the body meets the floor.
  enum Settling {
    /// Put down until the first joint rests on it.
    case drop
    /// Turned about the body's x axis until both pairs of joints rest at their heights.
    case contacts(upper: Contact, lower: Contact)
  }

  /// A pair of joints whose middle rests at a height, a fraction of stature.
  struct Contact {
    let joints: (Joint, Joint)
    let height: Double

    static let wrists = Contact(joints: (.leftWrist, .rightWrist), height: ContactHeights.wrist)
    static let knees = Contact(joints: (.leftKnee, .rightKnee), height: ContactHeights.knee)
    static let toes = Contact(
      joints: (.leftAnkle, .rightAnkle), height: ContactHeights.tuckedToes)
    static let feet = Contact(joints: (.leftAnkle, .rightAnkle), height: ContactHeights.flatFoot)
    static let shoulders = Contact(joints: (.leftShoulder, .rightShoulder), height: 0.06)
  }

  let rest: Rest
  var angles: JointAngles
  var settling = Settling.drop

  /// The shape and the height of the root above the floor in meters.
  func settled(body: Body, extraPitch: Degrees, extraRoll: Degrees) -> (BodyShape, Double) {
    let base = rest.rotation * Rotation3.aboutY(extraRoll)
    let turn = Rotation3.aboutX(Degrees(angles.pitch) + extraPitch)
    var shape = BodyShape(orientation: turn * base, directions: angles.directions())
    guard case .contacts(let upper, let lower) = settling else {
      return (shape, Self.droppedHeight(shape, body: body))
    }
    let joints = shape.joints(of: body)
    let stature = body.height.value
    let near = joints.middle(lower.joints.0, lower.joints.1)
    let incline = Incline.solving(
      span: base(joints.middle(upper.joints.0, upper.joints.1) - near),
      rise: (upper.height - lower.height) * stature)
    shape.orientation = Rotation3.aboutX(-incline) * base
    return (shape, lower.height * stature - shape.orientation(near).y)
  }

  /// The root's height at which the lowest joint rests on the floor.
  static func droppedHeight(_ shape: BodyShape, body: Body) -> Double {
    let joints = shape.worldJoints(of: body)
    var height = -Double.infinity
    for (joint, resting) in zip(joints.values, ContactHeights.resting) {
      height = max(height, resting * body.height.value - joint.y)
    }
    return height
  }
}
