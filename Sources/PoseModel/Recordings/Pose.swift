/// The joints of one frame, for callers that have no recording: an app that gets them one by one.
///
/// Keep one and write into it; setting joints in place allocates nothing.
public struct Pose: Hashable, Sendable {
  /// Three numbers a joint in the order of `Joint.allCases`, NaN where missing.
  public private(set) var positions: [Float]

  /// Makes a pose without joints.
  public init() {
    positions = Array(repeating: .nan, count: JointLayout.full.stride)
  }

  /// A joint's position in meters, rounded to `Float`; nil where it is missing.
  public subscript(joint: Joint) -> Vector3? {
    get {
      let start = joint.index * 3
      let position = Vector3(
        Double(positions[start]), Double(positions[start + 1]), Double(positions[start + 2]))
      return position.isFinite ? position : nil
    }
    set {
      let start = joint.index * 3
      let missing = Vector3(.nan, .nan, .nan)
      let position = newValue ?? missing
      positions[start] = Float(position.x)
      positions[start + 1] = Float(position.y)
      positions[start + 2] = Float(position.z)
    }
  }

  /// Takes over a frame of a 3D recording; joints that it lacks become missing.
  public mutating func load(_ recording: Recording, frame: Int) {
    for joint in Joint.allCases { self[joint] = recording.position(of: joint, at: frame) }
  }
}
