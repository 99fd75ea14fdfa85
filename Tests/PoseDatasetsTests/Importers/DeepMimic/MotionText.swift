import PoseDatasets

/// A hand-made skeleton and motions in DeepMimic's format.
///
/// The body stands: y up, facing x, its right side toward z. Lengths are sums of halves.
struct MotionText {
  /// Name, type, parent and offset of every joint; IDs are positions.
  static let joints: [(name: String, type: String, parent: Int, offset: SIMD3<Double>)] = [
    ("root", "none", -1, SIMD3(0, 0, 0)),
    ("chest", "spherical", 0, SIMD3(0, 0.25, 0)),
    ("right_hip", "spherical", 0, SIMD3(0, 0, 0.125)),
    ("right_knee", "revolute", 2, SIMD3(0, -0.5, 0)),
    ("right_ankle", "spherical", 3, SIMD3(0, -0.5, 0)),
    ("right_shoulder", "spherical", 1, SIMD3(0, 0.25, 0.25)),
    ("right_elbow", "revolute", 5, SIMD3(0, -0.25, 0)),
    ("right_wrist", "fixed", 6, SIMD3(0, -0.25, 0)),
    ("left_hip", "spherical", 0, SIMD3(0, 0, -0.125)),
    ("left_knee", "revolute", 8, SIMD3(0, -0.5, 0)),
    ("left_ankle", "spherical", 9, SIMD3(0, -0.5, 0)),
    ("left_shoulder", "spherical", 1, SIMD3(0, 0.25, -0.25)),
    ("left_elbow", "revolute", 11, SIMD3(0, -0.25, 0)),
    ("left_wrist", "fixed", 12, SIMD3(0, -0.25, 0)),
  ]

  /// The skeleton file.
  static var skeleton: NamedText {
    let entries = joints.enumerated().map { id, joint in
      """
      {"ID": \(id), "Name": "\(joint.name)", "Type": "\(joint.type)", "Parent": \(joint.parent),
       "AttachX": \(joint.offset.x), "AttachY": \(joint.offset.y), "AttachZ": \(joint.offset.z),
       "AttachThetaX": 0, "AttachThetaY": 0.0, "AttachThetaZ": 0}
      """
    }
    return NamedText(
      name: "skeleton.txt",
      text: "{\"Skeleton\": {\"Joints\": [\(entries.joined(separator: ",\n"))]}}")
  }

  /// The numbers of a frame in which joints have the given rotations: quaternions or angles by
  /// name.
  static func frame(_ turns: [String: [Double]] = [:], interval: Double = 0.25) -> [Double] {
    let numbers = joints.flatMap { joint -> [Double] in
      let turn = turns[joint.name]
      switch joint.type {
      case "none": return [7, 8, 9] + (turn ?? [1, 0, 0, 0])
      case "spherical": return turn ?? [1, 0, 0, 0]
      case "revolute": return turn ?? [0]
      default: return []
      }
    }
    return [interval] + numbers
  }

  /// A motion file.
  static func motion(_ frames: [[Double]], name: String = "motions/walk.txt") -> NamedText {
    NamedText(name: name, text: "{\"Loop\": \"wrap\", \"Frames\": \(frames)}")
  }

  /// A quarter turn about an axis (0, 1, 2) as a quaternion.
  static func quarterTurn(about axis: Int) -> [Double] {
    var quaternion = [(0.5).squareRoot(), 0, 0, 0]
    quaternion[axis + 1] = (0.5).squareRoot()
    return quaternion
  }
}
