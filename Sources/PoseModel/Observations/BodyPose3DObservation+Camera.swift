extension BodyPose3DObservation {
  /// A joint's position in the camera's axes with the root as origin: R p, in meters.
  ///
  /// x right, y up in the image, z toward the camera. What detectors judge: the distance to the
  /// camera, which is far noisier than the pose, is left out.
  ///
  /// - Throws: `ObservationError.noSuchJoint`.
  public func positionInCameraAxes(_ joint: Joint) throws(ObservationError) -> Vector3 {
    cameraOriginMatrix.rotation(try recognizedPoint(joint).vector)
  }

  /// A joint's place before the camera: R p + t, in meters.
  ///
  /// - Throws: `ObservationError.noSuchJoint`.
  public func positionBeforeCamera(_ joint: Joint) throws(ObservationError) -> Vector3 {
    cameraOriginMatrix(try recognizedPoint(joint).vector)
  }

  /// What Vision's method of this name most probably returns: `position` times the camera matrix.
  ///
  /// In that order the position is moved and NOT turned: the translation is t + p, so differences
  /// between joints stay in pelvis axes. Good for a rough distance of the root, not for how the
  /// body lies; `positionBeforeCamera` is M p. Read off the framework without a device, so
  /// unverified.
  ///
  /// - Throws: `ObservationError.noSuchJoint`.
  public func cameraRelativePosition(_ joint: Joint) throws(ObservationError) -> Matrix4x4 {
    try recognizedPoint(joint).position * cameraOriginMatrix.matrix
  }

  /// The image of a joint, normalized with its origin at the lower left.
  ///
  /// The projection of the 3D model, as Vision's is, not what a 2D detector saw. Vision knows its
  /// own intrinsics; here they are given.
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
