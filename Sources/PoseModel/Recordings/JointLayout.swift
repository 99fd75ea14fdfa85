/// Where each joint's numbers stand within one frame's positions.
public struct JointLayout: Hashable, Sendable {
  /// The joints in storage order.
  public let joints: [Joint]
  /// Numbers a joint takes: 3 or 2.
  public let dimension: Int
  /// The offset of a joint's first number within a frame, by `Joint.index`; -1 where absent.
  public let offsets: [Int]

  /// Makes the layout of joints stored one after the other.
  public init(joints: [Joint], dimension: Int) {
    self.joints = joints
    self.dimension = dimension
    var offsets = Array(repeating: -1, count: Joint.count)
    for (slot, joint) in joints.enumerated() { offsets[joint.index] = slot * dimension }
    self.offsets = offsets
  }

  /// Numbers a frame takes.
  public var stride: Int { joints.count * dimension }

  /// The layout of `Pose`: every joint, three numbers each.
  public static let full = JointLayout(joints: Joint.allCases, dimension: 3)
}
