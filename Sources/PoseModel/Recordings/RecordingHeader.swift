/// The facts about a recording as a whole: the first line of its file.
public struct RecordingHeader: Hashable, Sendable {
  /// The skeleton whose joints the recording holds.
  public var skeleton: Skeleton
  /// The joints in the order of the positions; a subset of the skeleton's, without repeats.
  public var joints: [Joint]
  /// The axes of the positions.
  public var frame: FrameOfReference
  /// How the device was held, if known.
  public var orientation: DeviceOrientation?
  /// Which camera recorded, if known.
  public var cameraPosition: CameraPosition?
  /// The image that the pose detector was given, if known.
  public var buffer: ImageBuffer?
  /// How the camera's buffers are turned, for buffers that are fixed to the device; nil means
  /// upright in portrait.
  public var bufferRotation: BufferRotation?
  /// Whether the image was flipped left to right before detection.
  ///
  /// Readers undo a flip when they load, and then set this to false.
  public var isMirrored = false
  /// The unit up vector of the whole recording, if given; for `pelvis` in the camera's axes.
  public var up: Vector3?
  /// Who was recorded.
  public var subject: String?
  /// The person's height, if known.
  public var bodyHeight: Meters?
  /// Where the height comes from.
  public var heightEstimation: HeightEstimation?
  /// The rate requested from the camera; timestamps show the actual rate.
  public var nominalRate: Hertz?
  /// Width of the image in pixels.
  public var imageWidth: Int?
  /// Height of the image in pixels.
  public var imageHeight: Int?

  /// Makes a header with the required fields; all others are unknown.
  public init(skeleton: Skeleton, joints: [Joint], frame: FrameOfReference) {
    self.skeleton = skeleton
    self.joints = joints
    self.frame = frame
  }
}

/// How the device was held while it recorded.
public enum DeviceOrientation: String, CaseIterable, Hashable, Sendable {
  /// Home button or indicator at the bottom.
  case portrait
  /// Home button or indicator at the top.
  case portraitUpsideDown
  /// Home button at the right.
  case landscapeLeft
  /// Home button at the left.
  case landscapeRight

  /// Whether the device lay on its side.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

/// Which of the device's cameras recorded.
public enum CameraPosition: String, CaseIterable, Hashable, Sendable {
  /// The camera on the display's side.
  case front
  /// The camera on the other side.
  case back
}

/// The image that the pose detector was given.
public enum ImageBuffer: String, CaseIterable, Hashable, Sendable {
  /// Fixed to the device: the detector was not told how the device was held.
  case fixed
  /// Turned upright: the device's orientation was passed to the detector.
  case upright
}

/// How the buffers of a camera are turned, compared with buffers that are upright in portrait.
///
/// On a device it is `AVCaptureConnection.videoRotationAngle` minus the angle that makes the image
/// upright while the device is held in portrait: 0 if the app has set that angle, 270 on most
/// iPhones if it has set none.
public struct BufferRotation: Hashable, Sendable {
  /// The turn, clockwise: 0, 90, 180 or 270.
  public let degrees: Int

  /// The rotation of upright buffers.
  public static let upright = BufferRotation(quarterTurns: 0)

  /// Makes a rotation of whole quarter turns; -90 is 270.
  ///
  /// - Returns: nil for anything else.
  public init?(degrees: Double) {
    let turns = degrees / 90
    guard turns == turns.rounded(), turns.magnitude <= 4 else { return nil }
    self.init(quarterTurns: Int(turns))
  }

  /// A rotation by quarter turns, clockwise; any number.
  public init(quarterTurns: Int) { degrees = (quarterTurns % 4 + 4) % 4 * 90 }

  /// Where a direction of the upright image points in the turned image.
  public func callAsFunction(_ vector: Vector3) -> Vector3 {
    switch degrees {
    case 90: Vector3(vector.y, -vector.x, vector.z)
    case 180: Vector3(-vector.x, -vector.y, vector.z)
    case 270: Vector3(-vector.y, vector.x, vector.z)
    default: vector
    }
  }
}

/// The axes in which a recording's positions are written.
public enum FrameOfReference: String, CaseIterable, Hashable, Sendable {
  /// x right, y up in the image, z toward the camera; the origin is the root joint.
  case camera
  /// y is up in the world.
  case world
  /// Fixed to the person's pelvis: x toward the left hip, y along the spine.
  case pelvis
  /// Two-dimensional image coordinates, for 2D skeletons.
  case image
}

/// Where the body height of a recording comes from.
public enum HeightEstimation: String, CaseIterable, Hashable, Sendable {
  /// The reference height of 1.8 m: the skeleton is a template, so heights mean nothing.
  case reference
  /// Measured with depth data.
  case measured

  /// The height that Vision gives everybody whom it does not measure.
  ///
  /// Detectors take it where a frame of 3D positions comes without a height.
  public static let referenceHeight = Meters(1.8)
}
