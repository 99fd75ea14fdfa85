/// What a 3D body pose observation cannot be made from, or cannot tell.
public enum ObservationError: Error, Hashable, Sendable {
  /// Some joints are missing: an observation has all 17 or is none.
  case missingJoints([Joint])
  /// A position or the camera matrix has a number that is not finite.
  case notFinite(String)
  /// A joint that the 3D skeleton does not have.
  case noSuchJoint(Joint)
  /// A group that the 3D skeleton does not have.
  case noSuchGroup(JointGroup)
  /// A joint that does not lie in front of the camera and has no image.
  case behindCamera(Joint)
  /// A recording that is not in pelvis axes.
  case notPelvisAxes(FrameOfReference)
  /// A frame with a pose and without its camera matrix.
  case noCameraMatrix(frame: Int)
}

extension ObservationError: CustomStringConvertible {
  /// What was found, what is allowed, and what to do.
  public var description: String {
    switch self {
    case .missingJoints(let joints):
      "an observation has all 17 joints or none; missing: "
        + "\(joints.map(\.name).joined(separator: ", ")); leave the frame without a pose"
    case .notFinite(let field):
      "\(field) has a number that is not finite; leave the frame without a pose"
    case .noSuchJoint(let joint):
      "the 3D skeleton has no \(joint.name); ask for one of `availableJointNames`"
    case .noSuchGroup(let group):
      "the 3D skeleton has no group \(group.rawValue); ask for one of `availableJointsGroupNames`"
    case .behindCamera(let joint):
      "\(joint.name) does not lie in front of the camera; check the convention of the camera matrix"
    case .notPelvisAxes(let frame):
      "the recording is in \(frame.rawValue) axes; only pelvis recordings hold observations"
    case .noCameraMatrix(let frame):
      "frame \(frame) has a pose and no camera matrix; record `cameraOriginMatrix` with every pose"
    }
  }
}
