/// One frame that an app passes to the detector.
public struct PoseFrame: Hashable, Sendable {
  /// When the frame was taken.
  public var time: Seconds
  /// The joints, or nil if no pose was found.
  public var pose: Pose?
  /// Which way is up, and how the pose is turned before it is measured.
  public var axes: FrameAxes
  /// The person's height, if known; a detector takes `HeightEstimation.referenceHeight` for nil.
  public var bodyHeight: Meters?

  /// Makes a frame.
  public init(time: Seconds, pose: Pose?, axes: FrameAxes, bodyHeight: Meters? = nil) {
    self.time = time
    self.pose = pose
    self.axes = axes
    self.bodyHeight = bodyHeight
  }

  /// A joint's position in the axes of evaluation: pelvis positions are turned, image points scaled.
  ///
  /// - Returns: nil if the joint or the pose is missing.
  public func position(of joint: Joint) -> Vector3? {
    guard let position = pose?[joint] else { return nil }
    if let image = axes.image { return image(position) }
    return axes.rotation.map { $0(position) } ?? position
  }
}

/// The frames of a recording as an app would pass them to a detector, in the axes of evaluation.
///
/// A frame that cannot be evaluated has no pose: none was found, or it is in pelvis axes without a
/// camera matrix, or nothing says which way is up or how large the image is.
public struct PoseFrames: RandomAccessCollection, Sendable {
  private let recording: Recording
  private let axes: AxesReader

  /// The frames of a recording.
  public init(_ recording: Recording) {
    self.recording = recording
    axes = AxesReader(recording.header)
  }

  /// The first frame's position.
  public var startIndex: Int { 0 }
  /// The position after the last frame.
  public var endIndex: Int { recording.frameCount }

  /// A frame by its position, from 0.
  ///
  /// - Complexity: O(joints); a frame with a pose allocates its joints.
  public subscript(index: Int) -> PoseFrame {
    let axes = axes.axes(at: index, of: recording)
    var pose: Pose?
    if axes != nil {
      var loaded = Pose()
      loaded.load(recording, frame: index)
      pose = loaded
    }
    return PoseFrame(
      time: Seconds(recording.times[index]), pose: pose, axes: axes ?? FrameAxes(up: .unitY),
      bodyHeight: recording.bodyHeight(at: index))
  }
}

extension Recording {
  /// The frames as an app would pass them to a detector.
  public var poseFrames: PoseFrames { PoseFrames(self) }
}
