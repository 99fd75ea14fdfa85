/// What a frame may carry beside its time and pose.
public struct FrameExtras: Hashable, Sendable {
  /// The unit up vector; for `pelvis` recordings in the camera's axes.
  public var up: Vector3?
  /// The transform from the pelvis frame to the camera.
  public var camera: CameraMatrix?
  /// The person's height as estimated in this frame.
  public var bodyHeight: Meters?
  /// Where that height comes from.
  public var heightEstimation: HeightEstimation?
  /// The answer that the device itself gave.
  public var answer: DeviceAnswer?

  /// Makes the extras of a frame; all are absent unless given.
  public init(
    up: Vector3? = nil, camera: CameraMatrix? = nil, bodyHeight: Meters? = nil,
    heightEstimation: HeightEstimation? = nil, answer: DeviceAnswer? = nil
  ) {
    self.up = up
    self.camera = camera
    self.bodyHeight = bodyHeight
    self.heightEstimation = heightEstimation
    self.answer = answer
  }
}
