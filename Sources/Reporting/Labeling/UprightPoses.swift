internal import PoseModel

/// The joints of every frame in the axes of evaluation, turned so that up is y.
struct UprightPoses {
  /// Whether a frame has something to draw.
  enum State: UInt8 {
    /// It has.
    case found = 0
    /// No pose was found.
    case noPose = 1
    /// A pelvis pose without its matrix.
    case noCamera = 2
  }

  /// The number that stands for a missing joint.
  static let missing = Int16.min

  /// What 1 stands for: a millimeter in 3D, in 2D a share of the image or of a pixel.
  let unit: Double
  /// The state of every frame.
  let states: [State]
  /// `layout.stride` numbers a frame in the header's order; too far away stops at the largest.
  let positions: [Int16]

  /// Turns and rounds the poses of a recording.
  ///
  /// - Complexity: O(frames x joints).
  init(_ recording: Recording) {
    let unit = Self.unit(of: recording.header.skeleton)
    self.unit = unit
    states = (0..<recording.frameCount).map { frame in
      if !recording.hasPose(at: frame) { return .noPose }
      return recording.isMissing(at: frame) ? .noCamera : .found
    }
    var positions: [Int16] = []
    positions.reserveCapacity(recording.frameCount * recording.layout.stride)
    for frame in 0..<recording.frameCount {
      let turn = Self.turn(of: recording, at: frame)
      for joint in recording.header.joints {
        let position = recording.evaluatedPosition(of: joint, at: frame).map { turn($0) }
        Self.append(position, recording.layout.dimension, unit, to: &positions)
      }
    }
    self.positions = positions
  }

  private static func unit(of skeleton: Skeleton) -> Double {
    switch skeleton {
    case .vision3d: 0.001
    case .vision2d: 1.0 / 8192
    case .coco17: 0.25
    }
  }

  /// What brings a frame's positions upright; 2D images are stretched or turned over instead.
  private static func turn(of recording: Recording, at frame: Int) -> Rotation3 {
    switch recording.header.skeleton {
    case .vision3d:
      return recording.axes(at: frame).map { uprightTurn(up: $0.up) } ?? .identity
    case .vision2d:
      var aspect = 1.0
      if let width = recording.header.imageWidth, let height = recording.header.imageHeight {
        aspect = Double(width) / Double(max(height, 1))
      }
      return Rotation3(Vector3(aspect, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))
    case .coco17:
      return Rotation3(Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0, 0, 1))
    }
  }

  /// The rotation that takes up to y and leaves the direction of view level with the floor.
  ///
  /// A camera that looks straight up or down sees the image's upper edge away from it or toward
  /// it, so there the image's y takes the place of the direction of view.
  static func uprightTurn(up: Vector3) -> Rotation3 {
    let isVertical = up.z.magnitude > 0.99
    let view = isVertical ? Vector3(0, up.z > 0 ? -1 : 1, 0) : Vector3(0, 0, 1)
    let level = view - up * view.dot(up)
    let z = level / level.norm
    let x = up.cross(z)
    return Rotation3(
      Vector3(x.x, up.x, z.x), Vector3(x.y, up.y, z.y), Vector3(x.z, up.z, z.z))
  }

  private static func append(
    _ position: Vector3?, _ dimension: Int, _ unit: Double, to positions: inout [Int16]
  ) {
    guard let position else {
      positions.append(contentsOf: repeatElement(missing, count: dimension))
      return
    }
    let numbers = [position.x, position.y, position.z].prefix(dimension)
    for number in numbers {
      let steps = (number / unit).rounded()
      positions.append(Int16(min(max(steps, -32767), 32767)))
    }
  }
}
