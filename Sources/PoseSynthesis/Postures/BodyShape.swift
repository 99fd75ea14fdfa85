import PoseModel

/// How a body is held: where its pelvis points and where each bone points from there.
///
/// The pelvis frame is x to the left, y cranial, z anterior. Directions stand in that frame, so
/// that a shape fits bodies of any bone lengths.
struct BodyShape {
  /// From the pelvis frame to the world (y up, the body's heading along +z).
  var orientation: Rotation3
  /// Unit vectors in the pelvis frame, by `Bone`.
  var directions: [Vector3]

  subscript(bone: Bone) -> Vector3 {
    get { directions[bone.rawValue] }
    set { directions[bone.rawValue] = newValue }
  }

  /// The joints of a body in this shape, relative to the root, in the pelvis frame.
  func joints(of body: Body) -> JointPositions {
    JointPositions(directions: directions, lengths: body.lengths)
  }

  /// The same in the world's axes.
  func worldJoints(of body: Body) -> JointPositions {
    JointPositions(directions: directions.map { orientation($0) }, lengths: body.lengths)
  }
}

/// The positions of the 17 joints of the 3D skeleton.
struct JointPositions {
  /// Positions in meters by `Joint.index`; the first 17 joints are the 3D skeleton's.
  var values: [Vector3]

  static let count = 17

  /// Walks from the root along every bone.
  init(directions: [Vector3], lengths: [Double]) {
    values = Array(repeating: .zero, count: Self.count)
    for (bone, ends) in Bone.ends.enumerated() {
      values[ends.child] = values[ends.parent] + directions[bone] * lengths[bone]
    }
  }

  subscript(joint: Joint) -> Vector3 {
    get { values[joint.index] }
    set { values[joint.index] = newValue }
  }

  /// Halfway between two joints.
  func middle(_ a: Joint, _ b: Joint) -> Vector3 { self[a].midpoint(self[b]) }
}
