import PoseModel
import Testing

@Suite("Joints")
struct JointTests {
  @Test("A joint is found by its name, and by no other spelling", arguments: Joint.allCases)
  func names(joint: Joint) {
    #expect(Joint(name: joint.name) == joint)
    #expect(Joint(name: joint.name.uppercased()) == nil)
    #expect(Joint(name: " " + joint.name) == nil)
    #expect(Joint.allCases[joint.index] == joint)
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
