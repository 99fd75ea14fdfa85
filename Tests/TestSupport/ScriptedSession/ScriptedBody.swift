internal import Platform
package import PoseModel

/// A rigid body of which every segment is a fixed share of its stature.
///
/// Shares follow Drillis and Contini (1966) as given by Winter (2009), figure 4.1; half-widths are
/// those of joint centers. Bone lengths of trunk, thigh, shank, upper arm and forearm are the
/// same in every posture, with every hip offset.
package struct ScriptedBody: Hashable, Sendable {
  package var stature: Meters

  package init(stature: Meters) { self.stature = stature }

  var trunk: Double { 0.288 * stature.value }
  var thigh: Double { 0.245 * stature.value }
  var shank: Double { 0.246 * stature.value }
  var upperArm: Double { 0.186 * stature.value }
  var forearm: Double { 0.146 * stature.value }
  var neck: Double { 0.117 * stature.value }
  var head: Double { 0.182 * stature.value }

  /// The joints of the body in a posture, in world axes: y up, the floor at 0, the head toward +x.
  ///
  /// - Parameter hipOffset: how far the hips are moved off the line from ankles to shoulders,
  ///   along that line's upward normal; negative is a sag, positive a pike. Contacts with the
  ///   floor stay. Standing and all-fours ignore it.
  package func joints(
    in posture: ScriptedPosture, hipOffset: Meters = Meters(0)
  ) -> [Joint: Vector3] {
    let axis = axis(of: posture, hipOffset: hipOffset.value)
    var joints = axis.midline(of: self)
    for side in ScriptedSide.allCases {
      let outward = axis.left * side.sign * stature.value
      let shoulder = axis.shoulders + outward * 0.105
      let arm = armDirections(posture, side, axis)
      let elbow = shoulder + arm.upper * upperArm
      joints[side.shoulder] = shoulder
      joints[side.elbow] = elbow
      joints[side.wrist] = elbow + arm.lower * forearm
      joints[side.hip] = axis.hips + outward * 0.087
      joints[side.knee] = axis.knees + outward * 0.07
      joints[side.ankle] = axis.ankles + outward * 0.05
    }
    return joints
  }

  private func armDirections(
    _ posture: ScriptedPosture, _ side: ScriptedSide, _ axis: ScriptedAxis
  ) -> (upper: Vector3, lower: Vector3) {
    let down = -Vector3.unitY
    switch posture {
    case .standing, .allFours, .high: return (down, down)
    case .forearm: return (down, .unitX)
    case .reverse:
      let tilted = Self.tiltedArm
      return (tilted, tilted)
    case .sideLeft, .sideRight:
      let isFree = (posture == .sideLeft) == (side == .left)
      let feet = (axis.ankles - axis.shoulders) / (axis.ankles - axis.shoulders).norm
      let anterior = axis.left.cross(-feet)
      return isFree ? (feet, feet) : (down, anterior)
    }
  }

  /// Straight down, turned 20 degrees toward the feet.
  private static let tiltedArm = Vector3(-0.3420201433256687, -0.9396926207859084, 0)
}

package enum ScriptedPosture: String, CaseIterable, Hashable, Sendable {
  case standing
  /// On hands and knees, toes tucked: not a plank, but the published rules take it for one.
  case allFours
  case forearm
  case high
  case sideLeft
  case sideRight
  /// Supine on straight arms that point 20 degrees toward the feet.
  ///
  /// With hands right under the shoulders the published rules see a high plank.
  case reverse

  package var truth: PlankClass {
    switch self {
    case .standing, .allFours: .none
    case .forearm: .forearm
    case .high: .high
    case .sideLeft: .sideLeft
    case .sideRight: .sideRight
    case .reverse: .reverse
    }
  }

  package static let planks: [ScriptedPosture] = allCases.filter { $0.truth != PlankClass.none }
}

struct ScriptedAxis {
  var ankles: Vector3
  var knees: Vector3
  var hips: Vector3
  var shoulders: Vector3
  var left: Vector3

  /// The joints on the midline; the head continues the trunk.
  func midline(of body: ScriptedBody) -> [Joint: Vector3] {
    let cranial = (shoulders - hips) / (shoulders - hips).norm
    return [
      .root: hips, .spine: hips.midpoint(shoulders), .centerShoulder: shoulders,
      .centerHead: shoulders + cranial * body.neck, .topHead: shoulders + cranial * body.head,
    ]
  }
}

extension ScriptedBody {
  /// The midline of a posture; heights of contacts as shares of the stature.
  func axis(of posture: ScriptedPosture, hipOffset: Double) -> ScriptedAxis {
    let toRight = Vector3(0, 0, 1)
    switch posture {
    case .standing: return standing
    case .allFours: return allFours
    case .forearm: return straight(shoulder: 0.206, ankle: 0.075, hipOffset) { _ in -toRight }
    case .high: return straight(shoulder: 0.362, ankle: 0.075, hipOffset) { _ in -toRight }
    case .reverse: return straight(shoulder: 0.342, ankle: 0.045, hipOffset) { _ in toRight }
    case .sideLeft: return straight(shoulder: 0.206, ankle: 0.03, stacked: 0.055, hipOffset) { $0 }
    case .sideRight:
      return straight(shoulder: 0.206, ankle: 0.03, stacked: 0.055, hipOffset) { -$0 }
    }
  }

  /// A straight body that touches the floor at both ends, bent at the hips by an offset.
  ///
  /// The incline t solves sin t * span = rise + stacked * cos t, where `stacked` is how much
  /// farther the shoulders' center is from the lower shoulder than the ankles' from the lower
  /// ankle: 0 unless the body lies on its side.
  ///
  /// - Parameter left: the left side's direction from the line's upward normal.
  private func straight(
    shoulder: Double, ankle: Double, stacked: Double = 0, _ hipOffset: Double,
    left: (Vector3) -> Vector3
  ) -> ScriptedAxis {
    let legs = ((thigh + shank) * (thigh + shank) - hipOffset * hipOffset).squareRoot()
    let span = legs + (trunk * trunk - hipOffset * hipOffset).squareRoot()
    let rise = (shoulder - ankle) * stature.value
    let half = stacked * stature.value
    let incline = asin(rise / (span * span + half * half).squareRoot()) + atan2(half, span)
    let line = Vector3(cos(incline), sin(incline), 0)
    let normal = Vector3(-sin(incline), cos(incline), 0)
    let ankleHeight = ankle * stature.value + (stacked > 0 ? 0.05 * stature.value * line.x : 0)
    let ankles = Vector3(0, ankleHeight, 0)
    let hips = ankles + line * legs + normal * hipOffset
    return ScriptedAxis(
      ankles: ankles, knees: ankles + (hips - ankles) * (shank / (thigh + shank)), hips: hips,
      shoulders: ankles + line * span, left: left(normal))
  }

  private var standing: ScriptedAxis {
    let ankles = Vector3(0, 0.039 * stature.value, 0)
    let knees = ankles + .unitY * shank
    let hips = knees + .unitY * thigh
    return ScriptedAxis(
      ankles: ankles, knees: knees, hips: hips, shoulders: hips + .unitY * trunk,
      left: Vector3(0, 0, -1))
  }

  private var allFours: ScriptedAxis {
    let ankles = Vector3(0, 0.075 * stature.value, 0)
    let kneeDrop = 0.045 * stature.value
    let kneeReach = (shank * shank - kneeDrop * kneeDrop).squareRoot()
    let knees = ankles + Vector3(kneeReach, -kneeDrop, 0)
    let hips = knees + .unitY * thigh
    let rise = 0.362 * stature.value - hips.y
    let reach = (trunk * trunk - rise * rise).squareRoot()
    return ScriptedAxis(
      ankles: ankles, knees: knees, hips: hips, shoulders: hips + Vector3(reach, rise, 0),
      left: Vector3(0, 0, -1))
  }
}

enum ScriptedSide: CaseIterable {
  case left
  case right

  /// 1 on the left, -1 on the right.
  var sign: Double { self == .left ? 1 : -1 }
  var shoulder: Joint { self == .left ? .leftShoulder : .rightShoulder }
  var elbow: Joint { self == .left ? .leftElbow : .rightElbow }
  var wrist: Joint { self == .left ? .leftWrist : .rightWrist }
  var hip: Joint { self == .left ? .leftHip : .rightHip }
  var knee: Joint { self == .left ? .leftKnee : .rightKnee }
  var ankle: Joint { self == .left ? .leftAnkle : .rightAnkle }
}

/// A level camera of a device that looks at the body.
///
/// Its axes come from how the device is held, not from the table of up vectors: device axes are
/// x to the screen's right, y to its top, z out of it. The back camera shares them; the front
/// camera looks the other way, so its x and z are turned around.
package struct ScriptedCamera: Hashable, Sendable {
  package var position: CameraPosition
  package var orientation: DeviceOrientation
  package var buffer: ImageBuffer
  package var isMirrored: Bool
  /// The camera's direction: 0 at the body's side (+z in the world), 90 beyond its head (+x).
  package var azimuth: Degrees

  /// Makes a camera; by default a plain one in portrait at the body's side.
  package init(
    _ position: CameraPosition = .back, _ orientation: DeviceOrientation = .portrait,
    _ buffer: ImageBuffer = .fixed, isMirrored: Bool = false, azimuth: Degrees = Degrees(0)
  ) {
    self.position = position
    self.orientation = orientation
    self.buffer = buffer
    self.isMirrored = isMirrored
    self.azimuth = azimuth
  }

  /// Every camera side, orientation, buffer and mirroring: 32 cameras at one place.
  package static func all(azimuth: Degrees) -> [ScriptedCamera] {
    CameraPosition.allCases.flatMap { position in
      DeviceOrientation.allCases.flatMap { orientation in
        ImageBuffer.allCases.flatMap { buffer in
          [false, true].map { isMirrored in
            ScriptedCamera(position, orientation, buffer, isMirrored: isMirrored, azimuth: azimuth)
          }
        }
      }
    }
  }

  package var rotation: Rotation3 {
    let (x, y, z) = axes
    return Rotation3(Vector3(x.x, y.x, z.x), Vector3(x.y, y.y, z.y), Vector3(x.z, y.z, z.z))
  }

  /// The camera's axes in the world: right in the image, up in it, toward the camera.
  private var axes: (Vector3, Vector3, Vector3) {
    let angle = azimuth.value * Double.pi / 180
    let toCamera = Vector3(sin(angle), 0, cos(angle))
    if buffer == .upright { return (Vector3.unitY.cross(toCamera), .unitY, toCamera) }
    let (x, y, z) = deviceAxes(toCamera)
    return position == .back ? (x, y, z) : (-x, y, -z)
  }

  /// The device's axes in the world: the lens in use looks at the body, gravity says the rest.
  private func deviceAxes(_ toCamera: Vector3) -> (Vector3, Vector3, Vector3) {
    let z = position == .back ? toCamera : -toCamera
    switch orientation {
    case .portrait: return (Vector3.unitY.cross(z), .unitY, z)
    case .portraitUpsideDown: return ((-Vector3.unitY).cross(z), -.unitY, z)
    // Home button (the device's -y) at the right: its x points up, gravity is (-1, 0, 0).
    case .landscapeLeft: return (.unitY, z.cross(.unitY), z)
    case .landscapeRight: return (-.unitY, z.cross(-.unitY), z)
    }
  }
}
