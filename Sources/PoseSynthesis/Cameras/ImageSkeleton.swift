import PoseModel

/// The joints of the 2D skeletons, from those of the 3D one.
///
/// Limbs, hips, shoulders and root are the same joints. The face is ours: nose 0.06, eyes 0.05
/// before the head's center and 0.018 to each side, ears 0.043 to each side, the neck 0.03 above
/// the shoulders' middle, all of stature.
struct ImageSkeleton {
  let joints: [Joint]
  private let stature: Double

  init(_ skeleton: Skeleton, stature: Double) {
    joints = skeleton.joints
    self.stature = stature
  }

  /// Positions in the order of `joints`, in the axes of the given ones.
  func positions(_ body: JointPositions) -> [Vector3] {
    let up = (body[.topHead] - body[.centerHead]).unit()
    let across = body[.leftShoulder] - body[.rightShoulder]
    let left = across.perpendicular(to: up).unit(or: .unitX)
    let front = left.cross(up)
    let head = body[.centerHead]
    return joints.map { joint in
      switch joint {
      case .nose: head + front * (0.06 * stature)
      case .leftEye: head + (front * 0.05 + up * 0.012 + left * 0.018) * stature
      case .rightEye: head + (front * 0.05 + up * 0.012 - left * 0.018) * stature
      case .leftEar: head + left * (0.043 * stature)
      case .rightEar: head - left * (0.043 * stature)
      case .neck: body[.centerShoulder] + up * (0.03 * stature)
      default: body[joint]
      }
    }
  }
}
