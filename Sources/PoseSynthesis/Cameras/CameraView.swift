import PoseModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A camera in the world: from world positions to camera axes and to the image.
///
/// The world is y up with the subject's hips over the origin. Camera axes are x right and y up in
/// the buffer, z toward the camera. A buffer that is fixed to the device turns with it; the
/// contract's table of up vectors says which way for either camera.
struct CameraView {
  /// Where the camera is, in the world.
  let origin: Vector3
  /// From world axes to the buffer's axes.
  let rotation: Rotation3
  /// Width and height of the buffer in pixels.
  let imageWidth: Int
  let imageHeight: Int
  private let focalLength: Double

  /// Joints nearer than this many meters are not projected.
  static let nearLimit = 0.2
  /// Height of the point at which `CameraAim.subject` looks, in meters.
  static let aimHeight = 0.3

  init(_ parameters: CameraParameters) {
    let azimuth = parameters.azimuth.radians
    let distance = parameters.distance.value
    origin = Vector3(
      distance * sin(azimuth), parameters.height.value, distance * cos(azimuth))
    var elevation = parameters.pitch.radians
    if parameters.aim == .subject {
      elevation += atan2(Self.aimHeight - parameters.height.value, distance)
    }
    let toCamera = Vector3(
      sin(azimuth) * cos(elevation), -sin(elevation), cos(azimuth) * cos(elevation))
    let right = Vector3(cos(azimuth), 0, -sin(azimuth))
    let level = Rotation3(right, toCamera.cross(right), toCamera).transposed
    let up = Self.bufferUp(parameters)
    rotation = .aboutZ(Degrees(radians: atan2(-up.x, up.y))) * level
    focalLength = parameters.focalLengthPixels
    let isWide = parameters.buffer == .upright && parameters.orientation.isLandscape
    let (short, long) = (parameters.imageShortSidePixels, parameters.imageLongSidePixels)
    imageWidth = Int(isWide ? long : short)
    imageHeight = Int(isWide ? short : long)
  }

  /// The world's up in camera axes.
  var up: Vector3 { rotation(.unitY) }

  /// A world position in camera axes, from the camera.
  func inCamera(_ position: Vector3) -> Vector3 { rotation(position - origin) }

  /// The pixel of a position in camera axes, from the lower left corner.
  ///
  /// - Returns: nil for what is nearer than 0.2 m or behind the camera.
  func pixel(_ position: Vector3) -> (u: Double, v: Double)? {
    let depth = -position.z
    guard depth >= Self.nearLimit else { return nil }
    return (
      u: Double(imageWidth) / 2 + focalLength * position.x / depth,
      v: Double(imageHeight) / 2 + focalLength * position.y / depth
    )
  }

  /// Whether a pixel lies within the image.
  func contains(_ pixel: (u: Double, v: Double)) -> Bool {
    (0...Double(imageWidth)).contains(pixel.u) && (0...Double(imageHeight)).contains(pixel.v)
  }

  /// What the contract's table gives for the way the device is held.
  private static func bufferUp(_ parameters: CameraParameters) -> Vector3 {
    var header = RecordingHeader(skeleton: .vision3d, joints: [], frame: .camera)
    header.orientation = parameters.orientation
    header.cameraPosition = parameters.position
    header.buffer = parameters.buffer
    if case .known(let up) = header.upDirection { return up }
    return .unitY
  }
}
