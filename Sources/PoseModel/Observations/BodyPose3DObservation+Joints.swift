extension BodyPose3DObservation {
  /// The joints of every observation, in the order of the SDK's header.
  ///
  /// Vision lists them in another order at run time: go by name, never by position.
  public var availableJointNames: [Joint] { Skeleton.vision3d.joints }

  /// The groups of joints that an observation can be asked for.
  public var availableJointsGroupNames: [JointGroup] {
    JointGroup.allCases.filter { !$0.joints(in: .vision3d).isEmpty }
  }

  /// The point of a joint.
  ///
  /// - Throws: `ObservationError.noSuchJoint` for joints of 2D skeletons only.
  public func recognizedPoint(_ joint: Joint) throws(ObservationError) -> RecognizedPoint3D {
    let parent = Skeleton.vision3d.parent(of: joint) ?? joint
    guard let position = position(of: joint), let parentPosition = self.position(of: parent) else {
      throw .noSuchJoint(joint)
    }
    return RecognizedPoint3D(
      joint: joint, position: position, parentJoint: parent, parentPosition: parentPosition)
  }

  /// The points of a group, by joint; joints may be in several groups.
  ///
  /// - Throws: `ObservationError.noSuchGroup` for the face, which only 2D skeletons have.
  public func recognizedPoints(
    _ group: JointGroup
  ) throws(ObservationError) -> [Joint: RecognizedPoint3D] {
    let joints = group.joints(in: .vision3d)
    guard !joints.isEmpty else { throw .noSuchGroup(group) }
    var points: [Joint: RecognizedPoint3D] = [:]
    for joint in joints { points[joint] = try recognizedPoint(joint) }
    return points
  }

  /// The point of one of Vision's raw keys, for example `human_left_elbow_3D`; nil for others.
  public func recognizedPoint(visionKey: String) -> RecognizedPoint3D? {
    Skeleton.vision3d.joint(visionKey: visionKey).flatMap(joint(for:))
  }

  /// The point of a joint as the Swift-only API asks for it; nil for joints of 2D skeletons.
  public func joint(for joint: Joint) -> RecognizedPoint3D? { try? recognizedPoint(joint) }

  /// The points of a group as the Swift-only API asks for them; nil asks for all joints.
  public func allJoints(in group: JointGroup? = nil) -> [Joint: RecognizedPoint3D] {
    (try? recognizedPoints(group ?? .all)) ?? [:]
  }

  /// The joint that a joint hangs from; the root's is the root itself, nil for 2D joints.
  public func parentJointName(_ joint: Joint) -> Joint? {
    position(of: joint) == nil ? nil : Skeleton.vision3d.parent(of: joint) ?? joint
  }
}
