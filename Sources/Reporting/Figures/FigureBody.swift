import PoseModel

/// A frame's joints in the axes of evaluation, the root at the origin, with the up vector.
struct FigureBody {
  /// A bone with the color of its side.
  struct Stroke {
    let from: Joint
    let to: Joint
    let color: String
    let width: Double
  }

  /// The up vector.
  let up: Vector3
  private let positions: [Joint: Vector3]

  /// Takes a frame's joints; nil where there is no pose or no up vector.
  init?(_ recording: Recording, frame: Int) {
    guard let axes = recording.axes(at: frame) else { return nil }
    up = axes.up
    var positions: [Joint: Vector3] = [:]
    for joint in recording.header.joints {
      positions[joint] = recording.evaluatedPosition(of: joint, at: frame)
    }
    guard !positions.isEmpty else { return nil }
    self.positions = positions
    all = recording.header.joints.compactMap { positions[$0] }
  }

  /// A joint's position; nil where it is missing.
  subscript(joint: Joint) -> Vector3? { positions[joint] }

  /// Every position.
  let all: [Vector3]

  /// The middle of the ankles.
  var ankles: Vector3? { middle(.leftAnkle, .rightAnkle) }

  /// The middle of two joints; nil where one is missing.
  func middle(_ a: Joint, _ b: Joint) -> Vector3? {
    guard let a = self[a], let b = self[b] else { return nil }
    return a.midpoint(b)
  }

  /// The bones from the far side to the near one, by the depth of their shoulders.
  ///
  /// - Parameter depth: how far toward the viewer a position is.
  func strokes(depth: (Vector3) -> Double) -> [Stroke] {
    let left = self[.leftShoulder].map(depth) ?? 0
    let right = self[.rightShoulder].map(depth) ?? 0
    let (near, far) = left >= right ? (Self.left, Self.right) : (Self.right, Self.left)
    return far + Self.trunk + near
  }

  private static func limb(_ joints: [Joint], _ color: String) -> [Stroke] {
    zip(joints, joints.dropFirst()).map { Stroke(from: $0, to: $1, color: color, width: 4.5) }
  }

  private static let left =
    limb([.leftHip, .leftKnee, .leftAnkle], FigureColors.left)
    + limb([.leftShoulder, .leftElbow, .leftWrist], FigureColors.left)
  private static let right =
    limb([.rightHip, .rightKnee, .rightAnkle], FigureColors.right)
    + limb([.rightShoulder, .rightElbow, .rightWrist], FigureColors.right)
  private static let trunk: [Stroke] =
    limb(
      [.root, .spine, .centerShoulder, .centerHead, .topHead], FigureColors.trunk)
    + limb([.leftShoulder, .centerShoulder, .rightShoulder], FigureColors.trunk)
    + limb([.leftHip, .root, .rightHip], FigureColors.trunk)
}
