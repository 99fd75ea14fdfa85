internal import Platform
package import PoseModel

package enum CameraAim: String, CaseIterable, Hashable, Sendable {
  case level
  /// At a point 0.3 m above the floor under the subject's hips, as for a phone on a stand.
  case subject
}

package struct CameraParameters: ScriptParameters {
  package var orientation = DeviceOrientation.portrait
  package var position = CameraPosition.front
  package var buffer = ImageBuffer.fixed
  package var isMirrored = false
  package var aim = CameraAim.level
  /// Whether the recording has the measured up vector; otherwise the orientation implies it.
  package var recordsGravity = false
  package var distance = Meters(2)
  package var height = Meters(0.4)
  /// Turn of the optical axis above its aim; negative looks down.
  package var pitch = Degrees(0)
  /// Turn about the optical axis; positive turns the image's content to the left.
  package var roll = Degrees(0)
  /// When something nudges the device; 600 s is beyond most sessions.
  package var nudgedAt = Seconds(600)
  package var nudge = Degrees(0)
  /// How far buffers that are fixed to the device are turned clockwise against upright ones: 0, 90,
  /// 180 or 270; sensors deliver 270 on most phones unless an app asks for another angle.
  package var bufferRotation = 0.0
  /// Whether the header declares that the image was mirrored or the buffers turned.
  package var isDeclared = true
  /// Direction of the camera from the subject: 0 beyond the head, 90 at the side toward which +x
  /// points (the left side of a prone body), 180 beyond the feet.
  package var azimuth = Degrees(90)
  /// Focal length in pixels; 786 is 69 degrees across 1080 pixels.
  package var focalLengthPixels = 786.0
  package var imageShortSidePixels = 1080.0
  package var imageLongSidePixels = 1920.0

  package init() {}

  package static let section = "camera"

  package static let words: [ScriptWord<Self>] = [
    ScriptWord("orientation", \.orientation, "how the device is held"),
    ScriptWord("position", \.position, "which camera records"),
    ScriptWord("buffer", \.buffer, "fixed to the device, or turned upright before detection"),
    ScriptWord("mirrored", \.isMirrored, "whether the image is flipped before detection"),
    ScriptWord("aim", \.aim, "level, or at a point 0.3 m above the floor under the hips"),
    ScriptWord("gravity", \.recordsGravity, "whether the measured up vector is recorded"),
    ScriptWord(
      "declared", \.isDeclared, "whether the header declares mirroring and turned buffers"),
  ]

  package static let fields: [ScriptField<Self>] = [
    ScriptField("distance_m", "m", 0.6...4, \.distance.value, "horizontal distance to the hips"),
    ScriptField("height_m", "m", 0.05...2, \.height.value, "height above the floor"),
    ScriptField("pitch_deg", "deg", -45...45, \.pitch.value, "turn of the axis above its aim"),
    ScriptField("roll_deg", "deg", -45...45, \.roll.value, "turn about the axis"),
    ScriptField(
      "nudged_at_s", "s", 0...600, \.nudgedAt.value, "when something nudges the device"),
    ScriptField("nudge_deg", "deg", 0...30, \.nudge.value, "how far it then turns"),
    ScriptField(
      "buffer_rotation_deg", "deg", 0...270, \.bufferRotation,
      "turn of fixed buffers: 0, 90, 180 or 270; a phone's sensor often gives 270"),
    ScriptField(
      "azimuth_deg", "deg", 0...360, \.azimuth.value,
      "direction from the subject: 0 head, 90 side, 180 feet"),
    ScriptField(
      "focal_length_px", "px", 200...5000, \.focalLengthPixels, "focal length; 786 is 69 deg"),
    ScriptField(
      "image_short_side_px", "px", 100...8000, \.imageShortSidePixels, "short side of the image"),
    ScriptField(
      "image_long_side_px", "px", 100...8000, \.imageLongSidePixels, "long side of the image"),
  ]

  package func validateRelations(in section: String) throws {
    guard imageShortSidePixels <= imageLongSidePixels else {
      throw ScriptError.reversedLimits(
        lower: section + ".image_short_side_px", upper: section + ".image_long_side_px")
    }
    guard bufferRotation.truncatingRemainder(dividingBy: 90) == 0 else {
      throw ScriptError.noQuarterTurn(
        field: section + ".buffer_rotation_deg", found: bufferRotation)
    }
  }

  var headerRotation: BufferRotation? {
    bufferRotation == 0 ? nil : BufferRotation(degrees: bufferRotation)
  }
}

/// The world is y up with the subject's hips over the origin.
///
/// Camera axes are x right and y up in the buffer, z toward the camera. A buffer that is fixed to
/// the device turns with it; the contract's table of up vectors gives the direction for either
/// camera.
struct CameraView {
  let origin: Vector3
  let rotation: Rotation3
  let imageWidth: Int
  let imageHeight: Int
  private let focalLength: Double

  static let nearLimit = 0.2
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
    let turned = Degrees(radians: atan2(-up.x, up.y)) + parameters.roll
    rotation = .aboutZ(turned) * level
    focalLength = parameters.focalLengthPixels
    let isWide =
      parameters.buffer == .upright
      ? parameters.orientation.isLandscape
      : parameters.bufferRotation.truncatingRemainder(dividingBy: 180) != 0
    let (short, long) = (parameters.imageShortSidePixels, parameters.imageLongSidePixels)
    imageWidth = Int(isWide ? long : short)
    imageHeight = Int(isWide ? short : long)
  }

  func turned(by turn: Rotation3) -> CameraView {
    CameraView(self, rotation: turn.composed(after: rotation))
  }

  private init(_ view: CameraView, rotation: Rotation3) {
    origin = view.origin
    self.rotation = rotation
    (imageWidth, imageHeight) = (view.imageWidth, view.imageHeight)
    focalLength = view.focalLength
  }

  var up: Vector3 { rotation(.unitY) }

  func inCamera(_ position: Vector3) -> Vector3 { rotation(position - origin) }

  /// From the lower left corner; nil for a position that is nearer than 0.2 m or behind the camera.
  func pixel(_ position: Vector3) -> (u: Double, v: Double)? {
    let depth = -position.z
    guard depth >= Self.nearLimit else { return nil }
    return (
      u: Double(imageWidth) / 2 + focalLength * position.x / depth,
      v: Double(imageHeight) / 2 + focalLength * position.y / depth
    )
  }

  func contains(_ pixel: (u: Double, v: Double)) -> Bool {
    (0...Double(imageWidth)).contains(pixel.u) && (0...Double(imageHeight)).contains(pixel.v)
  }

  private static func bufferUp(_ parameters: CameraParameters) -> Vector3 {
    var header = RecordingHeader(skeleton: .vision3d, joints: [], frame: .camera)
    header.orientation = parameters.orientation
    header.cameraPosition = parameters.position
    header.buffer = parameters.buffer
    header.bufferRotation = parameters.headerRotation
    if case .known(let up) = header.upDirection { return up }
    return .unitY
  }
}
