import Foundation
import PoseModel

/// The joints that SMPL, SMPL-H and SMPL-X have in common (Loper et al., 2015, doi
/// 10.1145/2816795.2818013; Pavlakos et al., "Expressive Body Capture", 2019).
struct BodyModel {
  static let jointCount = 22

  static let limbs: [(number: Int, joint: Joint)] = [
    (1, .leftHip), (2, .rightHip), (4, .leftKnee), (5, .rightKnee), (7, .leftAnkle),
    (8, .rightAnkle), (16, .leftShoulder), (17, .rightShoulder), (18, .leftElbow),
    (19, .rightElbow), (20, .leftWrist), (21, .rightWrist),
  ]

  private static let parents = [
    0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19,
  ]

  let rest: [Vector3]

  /// The joints of all frames of a motion.
  ///
  /// A joint turns all that hangs from it: p(j) = p(parent) + R(parent) (rest(j) - rest(parent)),
  /// where R is the product of all turns from the pelvis on.
  func frames(poses: NumpyArray, translations: NumpyArray) throws -> [[Vector3]] {
    let (shape, needed) = (poses.shape, 3 * Self.jointCount)
    guard shape.count == 2, shape[0] > 0, shape[1] >= needed, translations.shape == [shape[0], 3]
    else {
      throw PoseSourceError.unusableValues(
        name: poses.name,
        found: "poses \(ArrayProblem.text(shape)), trans \(ArrayProblem.text(translations.shape))",
        remedy: "give [frames, 66 or more] axis-angle numbers and [frames, 3] translations")
    }
    return (0..<shape[0]).map { frame in
      joints(
        turns: (0..<Self.jointCount).map {
          Turn(axisAngle: poses.vector(frame * shape[1] + 3 * $0))
        }, translation: translations.vector(3 * frame))
    }
  }

  private func joints(turns: [Turn], translation: Vector3) -> [Vector3] {
    var places = [rest[0] + translation]
    var whole = [turns[0]]
    for joint in 1..<Self.jointCount {
      let parent = Self.parents[joint]
      places.append(places[parent] + whole[parent](rest[joint] - rest[parent]))
      whole.append(whole[parent].followed(by: turns[joint]))
    }
    return places
  }
}

private struct Turn {
  let x: Vector3
  let y: Vector3
  let z: Vector3

  private init(x: Vector3, y: Vector3, z: Vector3) {
    self.x = x
    self.y = y
    self.z = z
  }

  init(axisAngle vector: Vector3) {
    let angle = vector.norm
    guard angle > 0 else {
      self.init(x: .unitX, y: .unitY, z: Vector3(0, 0, 1))
      return
    }
    let (axis, cosine, sine) = (vector / angle, cos(angle), sin(angle))
    func turned(_ v: Vector3) -> Vector3 {
      v * cosine + axis.cross(v) * sine + axis * (axis.dot(v) * (1 - cosine))
    }
    self.init(x: turned(.unitX), y: turned(.unitY), z: turned(Vector3(0, 0, 1)))
  }

  func callAsFunction(_ v: Vector3) -> Vector3 { x * v.x + y * v.y + z * v.z }

  func followed(by inner: Turn) -> Turn {
    Turn(x: self(inner.x), y: self(inner.y), z: self(inner.z))
  }
}

extension NumpyArray {
  func vector(_ position: Int) -> Vector3 {
    Vector3(self[position], self[position + 1], self[position + 2])
  }
}
