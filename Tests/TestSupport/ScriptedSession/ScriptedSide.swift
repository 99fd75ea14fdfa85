internal import PoseModel

/// A side of the body with its joints.
enum ScriptedSide: CaseIterable {
  case left
  case right

  /// 1 on the left, -1 on the right.
  var sign: Double { self == .left ? 1 : -1 }
  /// The side's shoulder.
  var shoulder: Joint { self == .left ? .leftShoulder : .rightShoulder }
  /// The side's elbow.
  var elbow: Joint { self == .left ? .leftElbow : .rightElbow }
  /// The side's wrist.
  var wrist: Joint { self == .left ? .leftWrist : .rightWrist }
  /// The side's hip.
  var hip: Joint { self == .left ? .leftHip : .rightHip }
  /// The side's knee.
  var knee: Joint { self == .left ? .leftKnee : .rightKnee }
  /// The side's ankle.
  var ankle: Joint { self == .left ? .leftAnkle : .rightAnkle }
}
