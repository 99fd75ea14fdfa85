import PoseModel
import Testing

@Suite("Skeletons") struct SkeletonTests {
  @Test("Joints of the 3D body pose are in the order of the SDK, with the Human3.6M tree")
  func vision3d() {
    let parents = [nil, 0, 1, 2, 0, 4, 5, 0, 7, 8, 9, 8, 11, 12, 8, 14, 15]
    let joints = Skeleton.vision3d.joints
    #expect(
      joints.map(\.name) == [
        "root", "rightHip", "rightKnee", "rightAnkle", "leftHip", "leftKnee", "leftAnkle", "spine",
        "centerShoulder", "centerHead", "topHead", "leftShoulder", "leftElbow", "leftWrist",
        "rightShoulder", "rightElbow", "rightWrist",
      ])
    let found = joints.map { joint in
      Skeleton.vision3d.parent(of: joint).flatMap { joints.firstIndex(of: $0) }
    }
    #expect(found == parents)
  }

  @Test("PoseNet's joints are in COCO's order")
  func coco17() {
    #expect(
      Skeleton.coco17.joints.map(\.name) == [
        "nose", "leftEye", "rightEye", "leftEar", "rightEar", "leftShoulder", "rightShoulder",
        "leftElbow", "rightElbow", "leftWrist", "rightWrist", "leftHip", "rightHip", "leftKnee",
        "rightKnee", "leftAnkle", "rightAnkle",
      ])
  }

  @Test("Bones make one tree that reaches every joint", arguments: Skeleton.allCases)
  func tree(skeleton: Skeleton) {
    let roots = skeleton.joints.filter { skeleton.parent(of: $0) == nil }
    #expect(roots.count == 1)
    #expect(skeleton.bones.count == skeleton.joints.count - 1)
    for joint in skeleton.joints {
      var path = [joint]
      while let parent = path.last.flatMap(skeleton.parent), path.count <= skeleton.joints.count {
        path.append(parent)
      }
      #expect(path.last == roots.first, "\(joint)")
      #expect(Set(path).isSubset(of: skeleton.joints))
    }
  }

  @Test("A joint of another skeleton has no parent")
  func foreignJoint() {
    #expect(Skeleton.vision3d.parent(of: .nose) == nil)
    #expect(Skeleton.coco17.parent(of: .spine) == nil)
  }

  @Test(
    "Vision's keys name every joint of Vision's skeletons once",
    arguments: [Skeleton.vision3d, .vision2d])
  func keys(skeleton: Skeleton) {
    let keys = skeleton.joints.compactMap { skeleton.visionKey(of: $0) }
    #expect(Set(keys).count == skeleton.joints.count)
    #expect(skeleton.joints == keys.compactMap { skeleton.joint(visionKey: $0) })
  }

  @Test(
    "Vision's keys are the published ones",
    arguments: [
      (Skeleton.vision3d, Joint.leftElbow, "human_left_elbow_3D"),
      (.vision3d, .centerShoulder, "human_center_shoulder_3D"), (.vision3d, .root, "human_root_3D"),
      (.vision2d, .leftElbow, "left_forearm_joint"), (.vision2d, .rightHip, "right_upLeg_joint"),
      (.vision2d, .neck, "neck_1_joint"), (.vision2d, .root, "root"),
    ])
  func publishedKeys(skeleton: Skeleton, joint: Joint, key: String) {
    #expect(skeleton.visionKey(of: joint) == key)
  }
}

@Suite("Joints") struct JointTests {
  @Test("A joint is found by its name, and by no other spelling", arguments: Joint.allCases)
  func names(joint: Joint) {
    #expect(joint.name == String(describing: joint))
    #expect(Joint(name: joint.name) == joint)
    #expect(Joint(name: joint.name.uppercased()) == nil)
    #expect(Joint(name: " " + joint.name) == nil)
    #expect(Joint.allCases[joint.index] == joint && Joint.count == Joint.allCases.count)
  }

  @Test("Mirroring twice changes nothing and keeps the part of the body", arguments: Joint.allCases)
  func mirroring(joint: Joint) {
    #expect(joint.mirrored.mirrored == joint)
    let isSided = joint.name.hasPrefix("left") || joint.name.hasPrefix("right")
    #expect((joint.mirrored != joint) == isSided)
  }
}

@Suite("Joint groups") struct JointGroupTests {
  @Test(
    "A group holds joints of its skeleton only, each once",
    arguments: JointGroup.allCases, Skeleton.allCases)
  func members(group: JointGroup, skeleton: Skeleton) {
    let joints = group.joints(in: skeleton)
    #expect(Set(joints).count == joints.count)
    #expect(Set(joints).isSubset(of: skeleton.joints))
  }

  @Test("The groups together hold every joint", arguments: Skeleton.allCases)
  func cover(skeleton: Skeleton) {
    let parts = JointGroup.allCases.filter { $0 != .all }
    #expect(Set(parts.flatMap { $0.joints(in: skeleton) }) == Set(skeleton.joints))
    #expect(JointGroup.all.joints(in: skeleton) == skeleton.joints)
  }

  @Test(
    "A group has a Vision key exactly where Vision has the group", arguments: JointGroup.allCases)
  func keys(group: JointGroup) {
    for skeleton in [Skeleton.vision3d, .vision2d] {
      #expect((group.visionKey(in: skeleton) != nil) == !group.joints(in: skeleton).isEmpty)
    }
    #expect(group.visionKey(in: .coco17) == nil)
  }

  @Test("The mirror image of an arm or leg is the other one", arguments: Skeleton.allCases)
  func mirroring(skeleton: Skeleton) {
    for (left, right) in [(JointGroup.leftArm, JointGroup.rightArm), (.leftLeg, .rightLeg)] {
      #expect(left.joints(in: skeleton).map(\.mirrored) == right.joints(in: skeleton))
    }
  }
}
