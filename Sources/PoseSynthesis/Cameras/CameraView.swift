internal import Platform
package import PoseModel

package enum CameraAim: String, CaseIterable, Hashable, Sendable {
  case level
  /// Toward a point 0.3 m above the floor under the subject's hips, as with a phone on a stand.
  case subject
}

package struct CameraParameters: ScriptParameters {
  package var orientation = DeviceOrientation.portrait
  package var position = CameraPosition.front
  package var buffer = ImageBuffer.fixed
  package var isMirrored = false
  package var aim = CameraAim.level
  package var recordsGravity = false
  package var distance = Meters(2)
  package var height = Meters(0.4)
  /// Relative to the aim; negative looks down.
  package var pitch = Degrees(0)
  /// About the optical axis; positive turns the image's content to the left.
  package var roll = Degrees(0)
  /// 600 s is beyond the end of most sessions.
  package var nudgedAt = Seconds(600)
  package var nudge = Degrees(0)
  /// Clockwise, in degrees: 0, 90, 180 or 270; sensors of most phones deliver 270.
  package var bufferRotation = 0.0
  package var isDeclared = true
  /// The direction from the subject to the camera: 0 beyond the head, 90 toward +x, 180 beyond the
  /// feet.
  ///
  /// +x is the left side of a prone body.
  package var azimuth = Degrees(90)
  package var focalLengthPixels = 786.0
  package var imageShortSidePixels = 1080.0
  package var imageLongSidePixels = 1920.0

  package init() {}

  package static let section = "camera"

  package static let words: [ScriptWord<Self>] = [
    .init("orientation", \.orientation, "how the device is held"),
    .init("position", \.position, "which camera records"),
    .init("buffer", \.buffer, "fixed to the device, or turned upright before detection"),
    .init("mirrored", \.isMirrored, "whether the image is flipped before detection"),
    .init("aim", \.aim, "level, or at a point 0.3 m above the floor under the hips"),
    .init("gravity", \.recordsGravity, "whether the measured up vector is recorded"),
    .init("declared", \.isDeclared, "whether the header declares mirroring and turned buffers"),
  ]

  package static let fields: [ScriptField<Self>] = [
    .init("distance_m", 0.6...4, \.distance.value, "horizontal distance to the hips"),
    .init("height_m", 0.05...2, \.height.value, "height above the floor"),
    .init("pitch_deg", -45...45, \.pitch.value, "turn of the axis above its aim"),
    .init("roll_deg", -45...45, \.roll.value, "turn about the axis"),
    .init("nudged_at_s", 0...600, \.nudgedAt.value, "when a nudge turns the device"),
    .init("nudge_deg", 0...30, \.nudge.value, "how far the nudge turns it"),
    .init(
      "buffer_rotation_deg", 0...270, \.bufferRotation,
      "turn of fixed buffers: 0, 90, 180 or 270; a phone's sensor often gives 270"),
    .init(
      "azimuth_deg", 0...360, \.azimuth.value,
      "direction from the subject: 0 head, 90 side, 180 feet"),
    .init("focal_length_px", 200...5000, \.focalLengthPixels, "focal length; 786 is 69 deg"),
    .init("image_short_side_px", 100...8000, \.imageShortSidePixels, "short side of the image"),
    .init("image_long_side_px", 100...8000, \.imageLongSidePixels, "long side of the image"),
  ]

  package static let limits = [(lower: "image_short_side_px", upper: "image_long_side_px")]

  package func validateRelations(in section: String) throws {
    guard bufferRotation.truncatingRemainder(dividingBy: 90) == 0 else {
      throw ScriptError.noQuarterTurn(
        field: section + ".buffer_rotation_deg", found: bufferRotation)
    }
  }

  var headerRotation: BufferRotation? {
    bufferRotation == 0 ? nil : BufferRotation(degrees: bufferRotation)
  }
}

/// The position and axes of the camera in the world.
///
/// In the world, y is up, and the subject's hips are above the origin. Camera axes are x right and
/// y up in the buffer, and z toward the camera.
struct CameraView {
  let origin: Vector3
  private(set) var rotation: Rotation3
  let imageWidth: Int
  let imageHeight: Int
  private let focalLength: Double

  static let nearLimit = 0.2
  static let aimHeight = 0.3

  init(_ parameters: CameraParameters) {
    let azimuth = parameters.azimuth.radians
    let distance = parameters.distance.value
    origin = Vector3(distance * sin(azimuth), parameters.height.value, distance * cos(azimuth))
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
    var view = self
    view.rotation = turn.composed(after: rotation)
    return view
  }

  var up: Vector3 { rotation(.unitY) }

  func inCamera(_ position: Vector3) -> Vector3 { rotation(position - origin) }

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

package struct SightParameters: ScriptParameters {
  package enum Unseen: String, CaseIterable, Hashable, Sendable {
    case guessed
    case lost
  }

  package var outside = Unseen.guessed
  package var hidden = Unseen.guessed
  /// With fewer of the 17 joints in sight, no pose is found.
  package var fewestJoints = 0.0

  package init() {}

  package static let section = "sight"

  package static let words: [ScriptWord<Self>] = [
    .init("outside", \.outside, "joints outside the image"),
    .init("hidden", \.hidden, "elbows, wrists, knees and ankles behind the body"),
  ]

  package static let fields: [ScriptField<Self>] = [
    .init(
      "fewest_joints", 0...17, \.fewestJoints,
      "with fewer of the 17 joints in sight, no pose is found")
  ]
}

struct Sight {
  var isOutside: [Bool]
  var isHidden: [Bool]

  func isUnseen(_ joint: Int) -> Bool { isOutside[joint] || isHidden[joint] }

  var unseen: [Bool] { isOutside.indices.map(isUnseen) }

  /// Returns nil if no pose is found: too few joints are in sight, or the root, to which positions
  /// are relative, is lost.
  func lost(_ parameters: SightParameters) -> [Bool]? {
    let seen = unseen.count { !$0 }
    let lost = isOutside.indices.map { joint in
      (isOutside[joint] && parameters.outside == .lost)
        || (isHidden[joint] && Self.isLimb[joint] && parameters.hidden == .lost)
    }
    return Double(seen) < parameters.fewestJoints || lost[Joint.root.index] ? nil : lost
  }

  private static let isLimb: [Bool] = Skeleton.vision3d.joints.map { joint in
    BodySide.allCases.contains { side in
      (side.limb(isArm: true) + side.limb(isArm: false)).contains(joint)
    }
  }

  init(_ joints: JointPositions, root: Vector3, view: CameraView, height: Meters) {
    let places = joints.values.map { root + $0 }
    isOutside = places.map { !(view.pixel($0).map(view.contains) ?? false) }
    isHidden = places.indices.map { Self.isHidden($0, among: places, height: height.value) }
  }

  /// The ray from the camera ends one and a half radii before the joint, so that the flesh around
  /// the joint itself does not hide it.
  private static func isHidden(_ joint: Int, among places: [Vector3], height: Double) -> Bool {
    let (target, distance) = (places[joint], places[joint].norm)
    for (bone, ends) in Bone.ends.enumerated() where ends.parent != joint && ends.child != joint {
      let radius = radii[bone] * height
      guard distance > 1.5 * radius else { continue }
      let near = target * (1 - 1.5 * radius / distance)
      let (a, b) = (places[ends.parent], places[ends.child])
      if gap(.zero, near, a, b) < radius { return true }
    }
    return false
  }

  /// Returns the shortest distance between the segments p to q and a to b.
  ///
  /// Source: Ericson, Real-Time Collision Detection, 2005, section 5.1.9.
  static func gap(_ p: Vector3, _ q: Vector3, _ a: Vector3, _ b: Vector3) -> Double {
    let (d, e, r) = (q - p, b - a, p - a)
    let (dd, ee, de) = (d.dot(d), e.dot(e), d.dot(e))
    let (dr, er) = (d.dot(r), e.dot(r))
    let denominator = dd * ee - de * de
    var s = denominator > 1e-12 ? min(max((de * er - dr * ee) / denominator, 0), 1) : 0
    var t = ee > 1e-12 ? (de * s + er) / ee : 0
    if t < 0 || t > 1 {
      t = min(max(t, 0), 1)
      s = dd > 1e-12 ? min(max((de * t - dr) / dd, 0), 1) : 0
    }
    return (p + d * s - (a + e * t)).norm
  }

  private static let radii: [Double] = Bone.allCases.map { bone in
    switch bone {
    case .lumbar, .thoracic: 0.07
    case .neck: 0.035
    case .head, .leftHip, .rightHip: 0.05
    case .leftShoulder, .rightShoulder: 0.045
    case .leftThigh, .rightThigh: 0.045
    case .leftShank, .rightShank: 0.03
    case .leftUpperArm, .rightUpperArm: 0.027
    case .leftForearm, .rightForearm: 0.022
    }
  }
}
