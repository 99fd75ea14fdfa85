// Makes frames from Vision's observations, for both of Vision's interfaces. PlankLab's tests
// compile this file with stand-ins for Vision's types, because Vision exists only on Apple's
// systems.
#if PLANKLAB_VISION_STAND_INS
  import Foundation
  public import PoseModel
#elseif canImport(Vision)
  import Foundation
  public import Vision
#endif

#if PLANKLAB_VISION_STAND_INS || canImport(Vision)
  @available(macOS 14, iOS 17, tvOS 17, visionOS 1, *)
  nonisolated extension PoseFrame {
    /// Makes a frame from what a `VNDetectHumanBodyPose3DRequest` found.
    ///
    /// Vision's positions are relative to the pelvis, in axes that turn with the body. The frame
    /// carries the camera matrix that turns the positions back; without that matrix, no plank looks
    /// like a plank.
    ///
    /// - Parameters:
    ///   - observation: the person, or nil if nobody was found; frames without a person count, too.
    ///   - up: the unit up vector in the camera's axes, x right and y up in the image that Vision
    ///     saw. (0, 1, 0) is right for an upright image and a level device; a vector from gravity
    ///     is better.
    ///   - time: the frame's own time, for example its presentation time stamp.
    public init(_ observation: VNHumanBodyPose3DObservation?, up: Vector3, time: Seconds) {
      guard let observation else {
        self.init(time: time, pose: nil, axes: FrameAxes(up: up, frame: .pelvis))
        return
      }
      var pose = Pose()
      for name in observation.availableJointNames {
        guard let joint = Skeleton.vision3d.joint(visionKey: name.rawValue.rawValue),
          let column = try? observation.recognizedPoint(name).position.columns.3
        else { continue }
        pose[joint] = Vector3(Double(column.x), Double(column.y), Double(column.z))
      }
      self.init(
        time: time, pose: pose,
        axes: FrameAxes(
          up: up,
          cameraOriginMatrix: CameraMatrix(columns: observation.cameraOriginMatrix.columns)),
        bodyHeight: Meters(Double(observation.bodyHeight)))
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
  nonisolated extension PoseFrame {
    /// Makes a frame from what a `DetectHumanBodyPose3DRequest` found.
    ///
    /// Axes and parameters are those of the initializer for a `VNHumanBodyPose3DObservation`.
    public init(_ observation: HumanBodyPose3DObservation?, up: Vector3, time: Seconds) {
      guard let observation else {
        self.init(time: time, pose: nil, axes: FrameAxes(up: up, frame: .pelvis))
        return
      }
      var pose = Pose()
      for (joint, name) in Self.visionNames {
        guard let column = observation.joint(for: name)?.position.columns.3 else { continue }
        pose[joint] = Vector3(Double(column.x), Double(column.y), Double(column.z))
      }
      self.init(
        time: time, pose: pose,
        axes: FrameAxes(
          up: up,
          cameraOriginMatrix: CameraMatrix(columns: observation.cameraOriginMatrix.columns)),
        bodyHeight: Meters(observation.bodyHeight.converted(to: .meters).value))
    }

    private static let visionNames: [(Joint, HumanBodyPose3DObservation.JointName)] = [
      (.root, .root), (.spine, .spine), (.centerShoulder, .centerShoulder),
      (.centerHead, .centerHead), (.topHead, .topHead), (.leftShoulder, .leftShoulder),
      (.rightShoulder, .rightShoulder), (.leftElbow, .leftElbow), (.rightElbow, .rightElbow),
      (.leftWrist, .leftWrist), (.rightWrist, .rightWrist), (.leftHip, .leftHip),
      (.rightHip, .rightHip), (.leftKnee, .leftKnee), (.rightKnee, .rightKnee),
      (.leftAnkle, .leftAnkle), (.rightAnkle, .rightAnkle),
    ]
  }
#endif
