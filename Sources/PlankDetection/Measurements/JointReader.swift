internal import PoseModel

/// One frame's joints as vectors in the axes of evaluation.
///
/// A missing or non-finite joint reads as NaN, which runs through every formula and comes out as
/// an undefined measurement.
struct JointReader {
  private let positions: UnsafePointer<Float>
  private let offsets: UnsafePointer<Int>
  private let rotation: Rotation3?

  /// Reads from one frame of three numbers a joint; `offsets` is `JointLayout.offsets`.
  init(
    positions: UnsafePointer<Float>, offsets: UnsafePointer<Int>, rotation: Rotation3?
  ) {
    self.positions = positions
    self.offsets = offsets
    self.rotation = rotation
  }

  /// A joint's position in meters, NaN where it is missing.
  subscript(joint: Joint) -> Vector3 {
    let offset = offsets[joint.index]
    guard offset >= 0 else { return Vector3(.nan, .nan, .nan) }
    let start = positions + offset
    let position = Vector3(Double(start[0]), Double(start[1]), Double(start[2]))
    guard position.isFinite else { return Vector3(.nan, .nan, .nan) }
    return rotation?(position) ?? position
  }

  /// The lowest height of a present joint along a direction; NaN where there is no joint.
  func lowest(along up: Vector3) -> Double {
    var lowest = Double.nan
    for joint in Joint.allCases {
      let height = self[joint].dot(up)
      if !(lowest <= height), height.isFinite { lowest = height }
    }
    return lowest
  }
}
