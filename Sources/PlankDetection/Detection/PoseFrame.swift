public import PoseModel

/// One frame as an app hands it to the detector.
public struct PoseFrame: Hashable, Sendable {
  /// When the frame was taken.
  public var time: Seconds
  /// The joints, or nil where no pose was found.
  public var pose: Pose?
  /// Which way is up, and how the pose is turned first.
  public var axes: FrameAxes
  /// The person's height, where known.
  public var bodyHeight: Meters?

  /// Makes a frame.
  public init(time: Seconds, pose: Pose?, axes: FrameAxes, bodyHeight: Meters? = nil) {
    self.time = time
    self.pose = pose
    self.axes = axes
    self.bodyHeight = bodyHeight
  }
}
