internal import PoseModel

/// One frame's joints as vectors in the axes of evaluation.
///
/// A missing or non-finite joint reads as NaN, which runs through every formula and comes out as
/// an undefined measurement.
struct JointReader {
  private enum Source {
    case recorded(UnsafePointer<Float>, offsets: UnsafePointer<Int>, rotation: Rotation3?)
    case smoothed(UnsafePointer<Double>)
  }

  private let source: Source

  /// Reads from one frame of three numbers a joint; `offsets` is `JointLayout.offsets`.
  init(
    positions: UnsafePointer<Float>, offsets: UnsafePointer<Int>, rotation: Rotation3?
  ) {
    source = .recorded(positions, offsets: offsets, rotation: rotation)
  }

  /// Reads from three numbers a joint in the order of `Joint.allCases`, turned already.
  init(smoothed positions: UnsafePointer<Double>) { source = .smoothed(positions) }

  /// A joint's position in meters, NaN where it is missing.
  subscript(joint: Joint) -> Vector3 {
    let missing = Vector3(.nan, .nan, .nan)
    switch source {
    case .recorded(let positions, let offsets, let rotation):
      let offset = offsets[joint.index]
      guard offset >= 0 else { return missing }
      let start = positions + offset
      let position = Vector3(Double(start[0]), Double(start[1]), Double(start[2]))
      guard position.isFinite else { return missing }
      return rotation?(position) ?? position
    case .smoothed(let positions):
      let start = positions + 3 * joint.index
      let position = Vector3(start[0], start[1], start[2])
      return position.isFinite ? position : missing
    }
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
