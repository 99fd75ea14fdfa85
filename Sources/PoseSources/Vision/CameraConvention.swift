package import PoseModel

/// What a file's camera matrices mean.
///
/// Four hypotheses, as no documentation settles it: the matrix leads from the pelvis to the camera
/// or back, and the camera looks along its own -z or +z. For a view along +z the other two axes
/// follow from the handedness up to a half turn, which `isTurnedOver` tells.
package struct CameraConvention: Hashable, Sendable, CustomStringConvertible {
  /// Which way the matrix leads.
  package enum Direction: String, CaseIterable, Hashable, Sendable {
    /// p_cam = M p.
    case pelvisToCamera
    /// p_cam = M⁻¹ p.
    case cameraToPelvis
  }

  /// Along which of its axes the camera looks.
  package enum View: String, CaseIterable, Hashable, Sendable {
    /// Along -z, with x right and y up.
    case negativeZ
    /// Along +z, with x right and y down.
    case positiveZ
  }

  /// Which way the matrix leads.
  package let direction: Direction
  /// Along which axis the camera looks.
  package let view: View
  /// Whether x and y both point the other way than `view` says.
  package let isTurnedOver: Bool

  /// Makes a convention.
  package init(_ direction: Direction, _ view: View, isTurnedOver: Bool = false) {
    self.direction = direction
    self.view = view
    self.isTurnedOver = isTurnedOver
  }

  /// How this project reads Vision's matrix, and how recordings keep it.
  package static let standard = CameraConvention(.pelvisToCamera, .negativeZ)

  /// The four hypotheses.
  package static let hypotheses: [CameraConvention] = Direction.allCases.flatMap { direction in
    View.allCases.map { CameraConvention(direction, $0) }
  }

  /// The same convention with x and y turned over or not.
  package func turnedOver(_ isTurnedOver: Bool) -> CameraConvention {
    CameraConvention(direction, view, isTurnedOver: isTurnedOver)
  }

  /// The matrix that means the same by the standard convention.
  package func standardized(_ matrix: CameraMatrix) -> CameraMatrix {
    guard self != .standard else { return matrix }
    let forward = direction == .pelvisToCamera ? matrix : matrix.rigidInverse
    let flip = view == .negativeZ ? 1.0 : -1.0
    let sign = isTurnedOver ? -1.0 : 1.0
    func turned(_ v: Vector3) -> Vector3 { Vector3(sign * v.x, sign * flip * v.y, flip * v.z) }
    let (x, y, z) = forward.rotation.columns
    return CameraMatrix(
      rotation: Rotation3(turned(x), turned(y), turned(z)),
      translation: turned(forward.translation))
  }

  /// The convention in words.
  package var description: String {
    let leads = direction == .pelvisToCamera ? "pelvis to camera" : "camera to pelvis"
    let looks = view == .negativeZ ? "looks along -z" : "looks along +z"
    return "\(leads), \(looks)" + (isTurnedOver ? ", turned over" : "")
  }
}
