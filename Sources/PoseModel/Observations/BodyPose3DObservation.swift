/// A 3D body pose as Apple Vision observes it: all 17 joints, and how the camera stood to them.
///
/// The names are those of Vision's own observations, so that code reads the same; the type itself
/// needs no Apple framework. Positions are in meters in axes that are, most probably, fixed to
/// the pelvis (no device was at hand to settle it): x toward the left hip, y along the spine, z
/// out of the belly. In such axes every straight body looks upright, so anything that asks what
/// is up must turn them by `cameraOriginMatrix` first, as `positionInCameraAxes` does.
public struct BodyPose3DObservation: Hashable, Sendable {
  /// The transform from the pelvis to the camera.
  ///
  /// Read as p_cam = M p with x right, y up and z toward the camera, which is how public dumps
  /// fit; Apple says only that it leads from the hip to the camera.
  public let cameraOriginMatrix: CameraMatrix
  /// The person's height, or nil where a recording does not tell.
  ///
  /// Vision gives 1.8 m to everyone unless it measured.
  public let bodyHeight: Meters?
  /// Where the height comes from, or nil where a recording does not tell.
  public let heightEstimation: HeightEstimation?
  /// The joints' positions in the skeleton's order.
  private let positions: [Matrix4x4]

  /// Makes an observation from positions relative to the root.
  ///
  /// - Parameters:
  ///   - positions: one a joint of `Skeleton.vision3d`; others are left out.
  ///   - cameraOriginMatrix: the transform from the pelvis frame to the camera.
  ///   - bodyHeight: the person's height, where known.
  ///   - heightEstimation: where the height comes from, where known.
  /// - Throws: `ObservationError.missingJoints` unless all 17 are there, `notFinite`.
  public init(
    positions: [Joint: Matrix4x4], cameraOriginMatrix: CameraMatrix, bodyHeight: Meters? = nil,
    heightEstimation: HeightEstimation? = nil
  ) throws(ObservationError) {
    let missing = Skeleton.vision3d.joints.filter { positions[$0] == nil }
    guard missing.isEmpty else { throw .missingJoints(missing) }
    for joint in Skeleton.vision3d.joints where positions[joint]?.isFinite == false {
      throw .notFinite("the position of \(joint.name)")
    }
    guard cameraOriginMatrix.columnMajor.allSatisfy(\.isFinite) else {
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

  /// The position of a joint relative to the root, or nil where the skeleton has no such joint.
  func position(of joint: Joint) -> Matrix4x4? {
    Self.slots[joint].map { positions[$0] }
  }

  private static let slots = Dictionary(
    uniqueKeysWithValues: Skeleton.vision3d.joints.enumerated().map { ($1, $0) })
}
