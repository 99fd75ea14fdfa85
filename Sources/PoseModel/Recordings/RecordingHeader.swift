/// What is known of a recording as a whole: the first line of its file.
public struct RecordingHeader: Hashable, Sendable {
  /// The skeleton whose joints the recording holds.
  public var skeleton: Skeleton
  /// The joints in the order of the positions; a subset of the skeleton's, without repeats.
  public var joints: [Joint]
  /// The axes of the positions.
  public var frame: FrameOfReference
  /// How the device was held, where known.
  public var orientation: DeviceOrientation?
  /// Which camera recorded, where known.
  public var cameraPosition: CameraPosition?
  /// What the pose detector was given, where known.
  public var buffer: ImageBuffer?
  /// Whether the image was flipped left to right before detection.
  ///
  /// Readers undo a flip when they load, and then say false here.
  public var isMirrored = false
  /// The unit up vector of the whole recording, where given; for `pelvis` in the camera's axes.
  public var up: Vector3?
  /// Who was recorded.
  public var subject: String?
  /// The person's height, where known.
  public var bodyHeight: Meters?
  /// Where the height comes from.
  public var heightEstimation: HeightEstimation?
  /// The rate that was asked of the camera; timestamps say what came.
  public var nominalRate: Hertz?
  /// Width of the image in pixels.
  public var imageWidth: Int?
  /// Height of the image in pixels.
  public var imageHeight: Int?

  /// Makes a header with the required fields; the others start unknown.
  public init(skeleton: Skeleton, joints: [Joint], frame: FrameOfReference) {
    self.skeleton = skeleton
    self.joints = joints
    self.frame = frame
  }
}
