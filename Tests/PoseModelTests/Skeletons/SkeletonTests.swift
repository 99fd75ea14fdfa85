import PoseModel
import Testing

@Suite("Skeletons")
struct SkeletonTests {
  @Test(
    "A skeleton has as many joints and numbers per joint as its detector puts out",
    arguments: [(Skeleton.vision3d, 17, 3), (.vision2d, 19, 2), (.coco17, 17, 2)])
  func sizes(skeleton: Skeleton, joints: Int, dimension: Int) {
    #expect(skeleton.joints.count == joints)
    #expect(Set(skeleton.joints).count == joints)
    #expect(skeleton.dimension == dimension)
  }

  @Test("Positions are written in the axes that go with the dimension")
  func framesOfReference() {
    #expect(Skeleton.vision3d.framesOfReference == [.camera, .world, .pelvis])
    #expect(Skeleton.vision2d.framesOfReference == [.image, .camera])
    #expect(Skeleton.coco17.framesOfReference == [.image, .camera])
  }

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

  @Test("The tree is the same for both sides", arguments: Skeleton.allCases)
  func symmetry(skeleton: Skeleton) {
    for joint in skeleton.joints {
      #expect(skeleton.joints.contains(joint.mirrored))
      #expect(skeleton.parent(of: joint.mirrored) == skeleton.parent(of: joint)?.mirrored)
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

  @Test("PoseNet and joints that a skeleton lacks have no Vision key")
  func noKeys() {
    #expect(Skeleton.coco17.visionKey(of: .nose) == nil)
    #expect(Skeleton.vision3d.visionKey(of: .nose) == nil)
    #expect(Skeleton.vision3d.joint(visionKey: "human_nose_3D") == nil)
  }
}
