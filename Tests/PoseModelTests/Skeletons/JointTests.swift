import PoseModel
import Testing

@Suite("Joints")
struct JointTests {
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

  @Test("Left becomes right", arguments: [("leftHip", "rightHip"), ("rightEar", "leftEar")])
  func sides(name: String, other: String) {
    #expect(Joint(name: name)?.mirrored.name == other)
  }
}

@Suite("Joint groups")
struct JointGroupTests {
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

  @Test("The torso of the 3D body pose has the seven joints of the SDK")
  func torso() {
    #expect(
      Set(JointGroup.torso.joints(in: .vision3d)) == [
        .leftShoulder, .rightShoulder, .centerShoulder, .spine, .leftHip, .root, .rightHip,
      ])
  }

  @Test("Heads are in 3D and faces in 2D")
  func headAndFace() {
    #expect(JointGroup.head.joints(in: .vision3d) == [.topHead, .centerHead])
    #expect(JointGroup.face.joints(in: .vision3d).isEmpty)
    #expect(JointGroup.head.joints(in: .vision2d).isEmpty)
    #expect(JointGroup.face.joints(in: .coco17).count == 5)
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
