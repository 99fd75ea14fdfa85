extension RecordingHeader {
  /// The header of a recording that holds observations: all 17 joints in pelvis axes.
  public static var observations: RecordingHeader {
    RecordingHeader(skeleton: .vision3d, joints: Skeleton.vision3d.joints, frame: .pelvis)
  }
}

extension BodyPose3DObservation {
  /// The joints' translations, in pelvis axes.
  public var pose: Pose {
    var pose = Pose()
    for joint in Skeleton.vision3d.joints { pose[joint] = position(of: joint)?.translation }
    return pose
  }

  /// What a recording keeps of the observation beside its pose.
  ///
  /// - Parameters:
  ///   - up: the unit up vector in the camera's axes, where known.
  ///   - answer: what the device itself answered, where it did.
  public func extras(up: Vector3? = nil, answer: DeviceAnswer? = nil) -> FrameExtras {
    FrameExtras(
      up: up, camera: cameraOriginMatrix, bodyHeight: bodyHeight,
      heightEstimation: heightEstimation, answer: answer)
  }
}

extension Recording {
  /// The observation that a frame of a pelvis recording was made from.
  ///
  /// Joints come back as they were, to the bit; turns in a joint's own matrix are not recorded.
  ///
  /// - Returns: nil where no pose was found.
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
