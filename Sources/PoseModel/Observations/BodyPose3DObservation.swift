/// A 3D body pose as Apple Vision observes it: all 17 joints, and the camera's place relative to
/// them.
///
/// The names are those of Vision's own observations, so that code reads the same; the type itself
/// needs no Apple framework. Positions are in meters in axes that are, most probably, fixed to the
/// pelvis (no device was at hand to settle it): x toward the left hip, y along the spine, z out of
/// the belly. In such axes every straight body looks upright, so code that asks which way is up
/// must first turn them by `cameraOriginMatrix`, as `positionInCameraAxes` does.
public struct BodyPose3DObservation: Hashable, Sendable {
  /// The transform from the pelvis to the camera.
  ///
  /// It is read as p_cam = M p with x right, y up and z toward the camera, which fits public dumps;
  /// Apple only says that it leads from the hip to the camera.
  public let cameraOriginMatrix: CameraMatrix
  /// The person's height, or nil if a recording does not have it.
  ///
  /// Vision gives 1.8 m for everyone unless it measured the height.
  public let bodyHeight: Meters?
  /// Where the height comes from, or nil if a recording does not say.
  public let heightEstimation: HeightEstimation?
  private let positions: [Matrix4x4]

  /// Makes an observation from positions relative to the root.
  ///
  /// - Parameters:
  ///   - positions: one per joint of `Skeleton.vision3d`; others are ignored.
  ///   - cameraOriginMatrix: the transform from the pelvis frame to the camera.
  ///   - bodyHeight: the person's height, if known.
  ///   - heightEstimation: where the height comes from, if known.
  /// - Throws: `ObservationError.missingJoints` unless all 17 are present, `notFinite`.
  public init(
    positions: [Joint: Matrix4x4], cameraOriginMatrix: CameraMatrix, bodyHeight: Meters? = nil,
    heightEstimation: HeightEstimation? = nil
  ) throws(ObservationError) {
    let missing = Skeleton.vision3d.joints.filter { positions[$0] == nil }
    guard missing.isEmpty else { throw .missingJoints(missing) }
    for joint in Skeleton.vision3d.joints where positions[joint]?.isFinite == false {
      throw .notFinite("the position of \(joint.name)")
    }
    guard cameraOriginMatrix.columnMajor.allSatisfy({ $0.isFinite }) else {
      throw .notFinite("the camera matrix")
    }
    self.positions = Skeleton.vision3d.joints.compactMap { positions[$0] }
    self.cameraOriginMatrix = cameraOriginMatrix
    self.bodyHeight = bodyHeight
    self.heightEstimation = heightEstimation
  }

  /// Makes an observation from a pose in pelvis axes.
  ///
  /// - Throws: `ObservationError.missingJoints` unless the pose has all 17 joints.
  public init(
    pose: Pose, cameraOriginMatrix: CameraMatrix, bodyHeight: Meters? = nil,
    heightEstimation: HeightEstimation? = nil
  ) throws(ObservationError) {
    var positions: [Joint: Matrix4x4] = [:]
    for joint in Skeleton.vision3d.joints {
      positions[joint] = pose[joint].map(Matrix4x4.init(translation:))
    }
    try self.init(
      positions: positions, cameraOriginMatrix: cameraOriginMatrix, bodyHeight: bodyHeight,
      heightEstimation: heightEstimation)
  }

  func position(of joint: Joint) -> Matrix4x4? {
    Self.slots[joint].map { positions[$0] }
  }

  private static let slots = Dictionary(
    uniqueKeysWithValues: Skeleton.vision3d.joints.enumerated().map { ($1, $0) })
}

extension BodyPose3DObservation {
  /// The joints of every observation, in the order of the SDK's header.
  ///
  /// Vision lists them in another order at run time: use names, never positions.
  public var availableJointNames: [Joint] { Skeleton.vision3d.joints }

  /// The groups of joints of an observation.
  public var availableJointsGroupNames: [JointGroup] {
    JointGroup.allCases.filter { !$0.joints(in: .vision3d).isEmpty }
  }

  /// The point of a joint.
  ///
  /// - Throws: `ObservationError.noSuchJoint` for joints that only 2D skeletons have.
  public func recognizedPoint(_ joint: Joint) throws(ObservationError) -> RecognizedPoint3D {
    let parent = Skeleton.vision3d.parent(of: joint) ?? joint
    guard let position = position(of: joint), let parentPosition = self.position(of: parent) else {
      throw .noSuchJoint(joint)
    }
    return RecognizedPoint3D(
      joint: joint, position: position, parentJoint: parent, parentPosition: parentPosition)
  }

  /// The points of a group, by joint; joints may be in several groups.
  ///
  /// - Throws: `ObservationError.noSuchGroup` for the face, which only 2D skeletons have.
  public func recognizedPoints(
    _ group: JointGroup
  ) throws(ObservationError) -> [Joint: RecognizedPoint3D] {
    let joints = group.joints(in: .vision3d)
    guard !joints.isEmpty else { throw .noSuchGroup(group) }
    var points: [Joint: RecognizedPoint3D] = [:]
    for joint in joints { points[joint] = try recognizedPoint(joint) }
    return points
  }

  /// The point of one of Vision's raw keys, for example `human_left_elbow_3D`; nil for others.
  public func recognizedPoint(visionKey: String) -> RecognizedPoint3D? {
    Skeleton.vision3d.joint(visionKey: visionKey).flatMap(joint(for:))
  }

  /// The point of a joint, as in the Swift-only API; nil for joints that only 2D skeletons have.
  public func joint(for joint: Joint) -> RecognizedPoint3D? { try? recognizedPoint(joint) }

  /// The points of a group, as in the Swift-only API; nil selects all joints.
  public func allJoints(in group: JointGroup? = nil) -> [Joint: RecognizedPoint3D] {
    (try? recognizedPoints(group ?? .all)) ?? [:]
  }

  /// The parent of a joint; the root's is the root itself, and 2D joints have none.
  public func parentJointName(_ joint: Joint) -> Joint? {
    position(of: joint) == nil ? nil : Skeleton.vision3d.parent(of: joint) ?? joint
  }
}

extension BodyPose3DObservation {
  /// A joint's position in the camera's axes with the root as origin: R p, in meters.
  ///
  /// x right, y up in the image, z toward the camera. Detectors judge these positions: the distance
  /// to the camera, which is far noisier than the pose, is left out.
  ///
  /// - Throws: `ObservationError.noSuchJoint`.
  public func positionInCameraAxes(_ joint: Joint) throws(ObservationError) -> Vector3 {
    cameraOriginMatrix.rotation(try recognizedPoint(joint).vector)
  }

  /// A joint's position in front of the camera: R p + t, in meters.
  ///
  /// - Throws: `ObservationError.noSuchJoint`.
  public func positionBeforeCamera(_ joint: Joint) throws(ObservationError) -> Vector3 {
    cameraOriginMatrix(try recognizedPoint(joint).vector)
  }

  /// What Vision's method of this name most probably returns: `position` times the camera matrix.
  ///
  /// In that order the position is moved and NOT turned: the translation is t + p, so differences
  /// between joints stay in pelvis axes. It is good for a rough distance of the root, not for the
  /// attitude of the body; `positionBeforeCamera` is M p. This was read off the framework without a
  /// device, so it is unverified.
  ///
  /// - Throws: `ObservationError.noSuchJoint`.
  public func cameraRelativePosition(_ joint: Joint) throws(ObservationError) -> Matrix4x4 {
    try recognizedPoint(joint).position * cameraOriginMatrix.matrix
  }

  /// The image point of a joint, normalized with its origin at the lower left.
  ///
  /// It is the projection of the 3D model, as Vision's is, not a point that a 2D detector saw.
  /// Vision knows its own intrinsics; here they must be given.
  ///
  /// - Throws: `ObservationError.behindCamera`, `noSuchJoint`.
  public func pointInImage(
    _ joint: Joint, intrinsics: CameraIntrinsics
  ) throws(ObservationError) -> ImagePoint {
    guard let point = intrinsics.project(try positionBeforeCamera(joint)) else {
      throw .behindCamera(joint)
    }
    return point
  }
}

extension RecordingHeader {
  /// The header of a recording of observations: all 17 joints in pelvis axes.
  public static var observations: RecordingHeader {
    RecordingHeader(skeleton: .vision3d, joints: Skeleton.vision3d.joints, frame: .pelvis)
  }
}

extension PoseFrame {
  /// Makes the frame of an observation, as the initializers for Vision's own observations do.
  ///
  /// - Parameters:
  ///   - observation: the person, or nil if nobody was found: such a frame counts, too.
  ///   - up: the unit up vector in the camera's axes.
  ///   - time: the frame's own time.
  public init(_ observation: BodyPose3DObservation?, up: Vector3, time: Seconds) {
    self.init(
      time: time, pose: observation?.pose,
      axes: observation.map { FrameAxes(up: up, cameraOriginMatrix: $0.cameraOriginMatrix) }
        ?? FrameAxes(up: up, frame: .pelvis),
      bodyHeight: observation?.bodyHeight)
  }
}

extension BodyPose3DObservation {
  /// The joints' translations, in pelvis axes.
  public var pose: Pose {
    var pose = Pose()
    for joint in Skeleton.vision3d.joints { pose[joint] = position(of: joint)?.translation }
    return pose
  }

  /// What a recording stores of the observation besides its pose; `up` is a unit vector in camera
  /// axes.
  public func extras(up: Vector3? = nil, answer: DeviceAnswer? = nil) -> FrameExtras {
    FrameExtras(
      up: up, camera: cameraOriginMatrix, bodyHeight: bodyHeight,
      heightEstimation: heightEstimation, answer: answer)
  }
}

extension Recording {
  /// The observation from which a frame of a pelvis recording was made.
  ///
  /// Joints come back exactly; rotations in a joint's own matrix are not recorded.
  ///
  /// - Returns: nil if no pose was found.
  /// - Throws: `ObservationError` for other axes, a pose without its matrix, or missing joints.
  public func observation(at frame: Int) throws(ObservationError) -> BodyPose3DObservation? {
    guard header.frame == .pelvis, header.skeleton == .vision3d else {
      throw .notPelvisAxes(header.frame)
    }
    guard hasPose(at: frame) else { return nil }
    guard let camera = camera(at: frame) else { throw .noCameraMatrix(frame: frame) }
    var pose = Pose()
    pose.load(self, frame: frame)
    return try BodyPose3DObservation(
      pose: pose, cameraOriginMatrix: camera, bodyHeight: bodyHeight(at: frame),
      heightEstimation: extras(at: frame).heightEstimation ?? header.heightEstimation)
  }
}

/// Why a 3D body pose observation cannot be made, or cannot answer.
public enum ObservationError: Error, Hashable, Sendable {
  /// Some joints are missing: an observation has all 17 or is not one.
  case missingJoints([Joint])
  /// A position or the camera matrix has a number that is not finite.
  case notFinite(String)
  /// A joint that the 3D skeleton does not have.
  case noSuchJoint(Joint)
  /// A group that the 3D skeleton does not have.
  case noSuchGroup(JointGroup)
  /// A joint that is not in front of the camera and so has no image point.
  case behindCamera(Joint)
  /// A recording that is not in pelvis axes.
  case notPelvisAxes(FrameOfReference)
  /// A frame with a pose but without its camera matrix.
  case noCameraMatrix(frame: Int)
}

extension ObservationError: CustomStringConvertible {
  /// What was found, what is allowed, and what to do.
  public var description: String {
    switch self {
    case .missingJoints(let joints):
      "an observation has all 17 joints or none; missing: "
        + "\(joints.map { $0.name }.joined(separator: ", ")); leave the frame without a pose"
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
