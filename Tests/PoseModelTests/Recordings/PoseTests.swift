import PoseModel
import Testing

@Suite("Poses")
struct PoseTests {
  @Test("A new pose has no joints", arguments: Joint.allCases)
  func empty(joint: Joint) {
    #expect(Pose()[joint] == nil)
  }

  @Test("A joint comes back rounded to storage, and can be taken away", arguments: Joint.allCases)
  func roundTrip(joint: Joint) {
    var pose = Pose()
    pose[joint] = Vector3(0.1, -2, 3)
    #expect(pose[joint] == Vector3(Double(Float(0.1)), -2, 3))
    #expect(Joint.allCases.count { pose[$0] != nil } == 1)
    pose[joint] = nil
    #expect(pose[joint] == nil)
  }

  @Test("Loading a frame replaces every joint")
  func load() {
    var pose = Pose()
    pose[.topHead] = Vector3(1, 1, 1)
    let recording = smallRecording()
    pose.load(recording, frame: 1)
    #expect(pose[.topHead] == nil)
    #expect(pose[.leftHip] == recording.position(of: .leftHip, at: 1))
  }

  @Test("The full layout gives every joint a place of three numbers")
  func layout() {
    let layout = JointLayout.full
    #expect(layout.stride == 3 * Joint.count)
    #expect(layout.offsets == Joint.allCases.map { 3 * $0.index })
  }

  @Test("A layout of some joints has no place for the others")
  func partialLayout() {
    let layout = JointLayout(joints: [.leftHip, .root], dimension: 2)
    #expect(layout.stride == 4)
    #expect(layout.offsets[Joint.leftHip.index] == 0)
    #expect(layout.offsets[Joint.root.index] == 2)
    #expect(layout.offsets[Joint.spine.index] == -1)
  }
}
