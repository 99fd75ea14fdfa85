#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(EmbeddedMath)
  import EmbeddedMath
#endif

/// A 3D body pose as Apple Vision observes it: 17 joints and the camera's position.
///
/// Names match those of Vision's own observations, so code reads the same; the type needs no Apple
/// framework. Positions are in meters. Their axes are most probably fixed to the pelvis, with x
/// toward the left hip, y along the spine and z out of the belly; this has not been verified on a
/// device. In such axes, a straight body always looks upright, so code that needs the up direction
/// must first turn positions by `cameraOriginMatrix`, as `positionInCameraAxes` does.
public struct BodyPose3DObservation: Hashable, Sendable {
  /// The transform from the pelvis to the camera.
  ///
  /// The matrix M is applied as p_cam = M p, with x right, y up and z toward the camera. This fits
  /// public dumps; Apple says only that the matrix leads from the hip to the camera.
  public let cameraOriginMatrix: CameraMatrix
  /// The person's height; nil if the recording does not give one.
  ///
  /// Vision gives 1.8 m unless it has measured the height.
  public let bodyHeight: Meters?
  /// The source of the height; nil if the recording does not give one.
  public let heightEstimation: HeightEstimation?
  private let positions: [Matrix4x4]

  /// Makes an observation from positions relative to the root.
  ///
  /// - Parameters:
  ///   - positions: one per joint of `Skeleton.vision3d`; other joints are ignored.
  ///   - cameraOriginMatrix: the transform from the pelvis frame to the camera.
  ///   - bodyHeight: the person's height, if known.
  ///   - heightEstimation: where the height comes from, if known.
  /// - Throws: `ObservationError.missingJoints` unless all 17 joints are present, or `notFinite`
  ///   for a position or a camera matrix with a number that is not finite.
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
  /// - Throws: `ObservationError.missingJoints` unless the pose has all 17 joints, or `notFinite`
  ///   for a camera matrix with a number that is not finite.
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

  func position(of joint: Joint) -> Matrix4x4? { Self.slots[joint].map { positions[$0] } }

  private static let slots = Dictionary(
    uniqueKeysWithValues: Skeleton.vision3d.joints.enumerated().map { ($1, $0) })
}

extension BodyPose3DObservation {
  /// The joints of an observation, in the order of Vision's header file.
  ///
  /// At run time, Vision lists joints in another order: use names, not positions.
  public var availableJointNames: [Joint] { Skeleton.vision3d.joints }

  /// The groups of joints that an observation has.
  public var availableJointsGroupNames: [JointGroup] {
    JointGroup.allCases.filter { !$0.joints(in: .vision3d).isEmpty }
  }

  /// Returns a joint's recognized point.
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

  /// Returns the points of a group by joint; a joint may be in several groups.
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

  /// Returns the point with one of Vision's raw keys, for example `human_left_elbow_3D`.
  ///
  /// The result is nil for any other key.
  public func recognizedPoint(visionKey: String) -> RecognizedPoint3D? {
    Skeleton.vision3d.joint(visionKey: visionKey).flatMap(joint(for:))
  }

  /// Returns the point of a joint; nil for joints that only 2D skeletons have.
  ///
  /// The method matches that of Vision's Swift-only interface.
  public func joint(for joint: Joint) -> RecognizedPoint3D? { try? recognizedPoint(joint) }

  /// Returns the points of a group, or of all joints if the group is nil.
  ///
  /// The method matches that of Vision's Swift-only interface.
  public func allJoints(in group: JointGroup? = nil) -> [Joint: RecognizedPoint3D] {
    (try? recognizedPoints(group ?? .all)) ?? [:]
  }

  /// Returns the parent of a joint, which is the root itself for the root.
  ///
  /// The result is nil for joints that only 2D skeletons have.
  public func parentJointName(_ joint: Joint) -> Joint? {
    position(of: joint) == nil ? nil : Skeleton.vision3d.parent(of: joint) ?? joint
  }
}

extension BodyPose3DObservation {
  /// Returns a joint's position in camera axes with the root as origin: R p, in meters.
  ///
  /// The axes are x right, y up in the image and z toward the camera. Detectors evaluate these
  /// positions, which leave out the distance to the camera, because it is far noisier than the
  /// pose.
  ///
  /// - Throws: `ObservationError.noSuchJoint` for joints that only 2D skeletons have.
  public func positionInCameraAxes(_ joint: Joint) throws(ObservationError) -> Vector3 {
    cameraOriginMatrix.rotation(try recognizedPoint(joint).vector)
  }

  /// Returns a joint's position in camera coordinates, with the camera as origin: R p + t, in
  /// meters.
  ///
  /// - Throws: `ObservationError.noSuchJoint` for joints that only 2D skeletons have.
  public func positionBeforeCamera(_ joint: Joint) throws(ObservationError) -> Vector3 {
    cameraOriginMatrix(try recognizedPoint(joint).vector)
  }

  /// Returns what Vision's method of this name most probably returns: `position` times the matrix.
  ///
  /// In that order, the position is translated but not turned: the result has the translation t +
  /// p, so differences between joints stay in pelvis axes. The result gives a rough distance to the
  /// root, but not the body's attitude; for M p, use `positionBeforeCamera`. The order was inferred
  /// from the framework without a device and is unverified.
  ///
  /// - Throws: `ObservationError.noSuchJoint` for joints that only 2D skeletons have.
  public func cameraRelativePosition(_ joint: Joint) throws(ObservationError) -> Matrix4x4 {
    try recognizedPoint(joint).position * cameraOriginMatrix.matrix
  }

  /// Returns a joint's image point, normalized, with the origin at the lower left.
  ///
  /// As in Vision, the point is a projection of the 3D model, not a point that a 2D detector found.
  /// Vision knows its camera's intrinsics; here, the caller gives them.
  ///
  /// - Throws: `ObservationError.behindCamera` for a joint that is not in front of the camera, or
  ///   `noSuchJoint` for a joint that only 2D skeletons have.
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
  /// A header for recordings of observations: all 17 joints in pelvis axes.
  public static var observations: RecordingHeader {
    RecordingHeader(skeleton: .vision3d, joints: Skeleton.vision3d.joints, frame: .pelvis)
  }
}

extension PoseFrame {
  /// Makes a frame from an observation, as the initializers for Vision's own observations do.
  ///
  /// - Parameters:
  ///   - observation: the person, or nil if nobody was found; frames without a person count, too.
  ///   - up: the unit up vector in the camera's axes.
  ///   - time: the frame's own time.
  public init(_ observation: BodyPose3DObservation?, up: Vector3, time: Seconds) {
    self.init(
      time: time, pose: observation?.pose,
      axes: observation.map { FrameAxes(up: up, cameraOriginMatrix: $0.cameraOriginMatrix) }
        ?? FrameAxes(up: up, frame: .pelvis), bodyHeight: observation?.bodyHeight)
  }
}

extension BodyPose3DObservation {
  /// The joints' translations, in pelvis axes.
  public var pose: Pose {
    var pose = Pose()
    for joint in Skeleton.vision3d.joints { pose[joint] = position(of: joint)?.translation }
    return pose
  }

  /// Returns what a recording stores for an observation besides its pose.
  ///
  /// `up` is a unit vector in camera axes.
  public func extras(up: Vector3? = nil, answer: DeviceAnswer? = nil) -> FrameExtras {
    FrameExtras(
      up: up, camera: cameraOriginMatrix, bodyHeight: bodyHeight,
      heightEstimation: heightEstimation, answer: answer)
  }
}

extension Recording {
  /// Returns the observation from which a frame of a pelvis recording was made.
  ///
  /// Positions are restored exactly; the rotations in joints' own matrices are not recorded.
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

/// The reason why a 3D body pose observation cannot be made or cannot answer a question.
public enum ObservationError: Error, Hashable, Sendable {
  /// Some joints are missing: an observation must have all 17.
  case missingJoints([Joint])
  /// A position or the camera matrix has a number that is not finite.
  case notFinite(String)
  /// A joint that the 3D skeleton does not have.
  case noSuchJoint(Joint)
  /// A group that the 3D skeleton does not have.
  case noSuchGroup(JointGroup)
  /// A joint that is not in front of the camera and therefore has no image point.
  case behindCamera(Joint)
  /// A recording that is not in pelvis axes.
  case notPelvisAxes(FrameOfReference)
  /// A frame with a pose but without a camera matrix.
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

/// A joint of an observation with its position.
///
/// A point has no confidence, because Vision gives none for 3D joints.
public struct RecognizedPoint3D: Hashable, Sendable {
  /// The joint.
  public let joint: Joint
  /// The position relative to the root, in meters, as Vision gives it.
  public let position: Matrix4x4
  /// The parent of the joint; the root is its own parent.
  public let parentJoint: Joint
  /// The position relative to the parent, in meters: the parent's inverse times `position`.
  ///
  /// Vision's positions have no rotation, so this is the difference of the two translations.
  public let localPosition: Matrix4x4

  /// Vision's own key of the joint, for example `human_left_elbow_3D`.
  public var identifier: String { Skeleton.vision3d.visionKey(of: joint) ?? joint.name }

  /// The translation of `position`.
  public var vector: Vector3 { position.translation }

  /// The translation of `localPosition`.
  public var localVector: Vector3 { localPosition.translation }

  /// The angle to the parent, computed as in Apple's sample code.
  public var angleToParent: ParentAngles {
    let column = localPosition.columns.3
    return ParentAngles(localPosition: SIMD3(column.x, column.y, column.z))
  }

  /// The direction from the parent, computed accurately; nil for the root.
  public var directionFromParent: BoneDirection? { BoneDirection(localPosition: localVector) }

  init(joint: Joint, position: Matrix4x4, parentJoint: Joint, parentPosition: Matrix4x4) {
    self.joint = joint
    self.position = position
    self.parentJoint = parentJoint
    localPosition = CameraMatrix(parentPosition).rigidInverse.matrix * position
  }
}

/// The angles of a joint relative to its parent, computed as in Apple's sample code.
///
/// The angles are intended as the Euler angles of a SceneKit node that represents the bone. The yaw
/// is computed in single precision by the arc cosine, which loses half of its digits near 0 and pi,
/// and it is NaN if the joint and its parent coincide, as for the root. `BoneDirection` is
/// accurate.
public struct ParentAngles: Hashable, Sendable {
  /// The rotation around x, always pi/2: it turns a node that hangs down to lie along its bone.
  public let pitchRadians: Float
  /// The rotation around y: arccos(z / length), 0...pi.
  public let yawRadians: Float
  /// The rotation around z: atan2(y, x), -pi...pi.
  public let rollRadians: Float

  /// Computes the angles of a position relative to the parent, in meters.
  public init(localPosition: SIMD3<Float>) {
    let length = (localPosition * localPosition).sum().squareRoot()
    pitchRadians = Float.pi / 2
    yawRadians = acosf(localPosition.z / length)
    rollRadians = atan2f(localPosition.y, localPosition.x)
  }
}

/// The direction and distance of a joint from its parent.
///
/// `polar` and `azimuth` equal the yaw and roll of `ParentAngles` in degrees, but they are computed
/// by atan2 in double precision. They are accurate even for bones along the z axis, and an
/// undefined azimuth is nil instead of an arbitrary number.
public struct BoneDirection: Hashable, Sendable {
  /// The length of the bone.
  public let length: Meters
  /// The angle from the z axis, 0...180.
  public let polar: Degrees
  /// The angle around the z axis from x toward y, -180...180; nil if the bone is along z.
  public let azimuth: Degrees?

  /// The length below which a bone has no direction.
  public static let shortestBone = Meters(0.001)
  /// The sine of the polar angle (about 0.01 degrees) below which a bone counts as along z.
  private static let alongAxis = 2e-4

  /// Computes the direction from a position relative to the parent, in meters.
  ///
  /// - Returns: nil for a bone shorter than 1 mm, and for numbers that are not finite.
  public init?(localPosition: Vector3) {
    let norm = localPosition.norm
    guard norm.isFinite, norm >= Self.shortestBone.value else { return nil }
    let across = (localPosition.x * localPosition.x + localPosition.y * localPosition.y)
      .squareRoot()
    length = Meters(norm)
    polar = Degrees(atan2Degrees(across, localPosition.z))
    azimuth =
      across < Self.alongAxis * norm ? nil : Degrees(atan2Degrees(localPosition.y, localPosition.x))
  }
}
