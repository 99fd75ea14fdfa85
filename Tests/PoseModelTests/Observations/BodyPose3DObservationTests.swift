import PoseModel
import TestSupport
import Testing

@Suite("3D body pose observations")
struct BodyPose3DObservationTests {
  @Test("Every joint is there by name and by raw key, with the parent of Vision's tree")
  func joints() throws {
    let observation = try Bodies.random(seed: 1)
    #expect(observation.availableJointNames.count == 17)
    for joint in observation.availableJointNames {
      let point = try observation.recognizedPoint(joint)
      #expect(point.joint == joint)
      #expect(observation.recognizedPoint(visionKey: point.identifier) == point)
      #expect(point.parentJoint == observation.parentJointName(joint))
      #expect(observation.joint(for: joint) == point)
    }
    #expect(try observation.recognizedPoint(.leftWrist).identifier == "human_left_wrist_3D")
    #expect(try observation.recognizedPoint(.leftWrist).parentJoint == .leftElbow)
    #expect(observation.recognizedPoint(visionKey: "left_wrist") == nil)
  }

  @Test("The root is its own parent, at no distance")
  func root() throws {
    let root = try Bodies.random(seed: 2).recognizedPoint(.root)
    #expect(root.parentJoint == .root)
    #expect(root.localPosition == .identity)
    #expect(root.directionFromParent == nil)
    #expect(root.angleToParent.yawRadians.isNaN)
  }

  @Test("Groups hold their joints, all of them where none is named")
  func groups() throws {
    let observation = try Bodies.random(seed: 3)
    #expect(
      Set(try observation.recognizedPoints(.leftArm).keys) == [
        .leftShoulder, .leftElbow, .leftWrist,
      ])
    #expect(try observation.recognizedPoints(.torso).count == 7)
    #expect(try observation.recognizedPoints(.head).count == 2)
    #expect(observation.allJoints().count == 17)
    #expect(!observation.availableJointsGroupNames.contains(.face))
    #expect(throws: ObservationError.noSuchGroup(.face)) {
      try observation.recognizedPoints(.face)
    }
  }

  @Test("A joint of 2D skeletons is an error by one API and nil by the other")
  func foreignJoint() throws {
    let observation = try Bodies.random(seed: 4)
    #expect(throws: ObservationError.noSuchJoint(.nose)) {
      try observation.recognizedPoint(.nose)
    }
    #expect(observation.joint(for: .nose) == nil)
    #expect(observation.parentJointName(.nose) == nil)
  }

  @Test("Without one joint there is no observation", arguments: Skeleton.vision3d.joints)
  func allOrNone(missing: Joint) throws {
    var pose = try Bodies.random(seed: 5).pose
    pose[missing] = nil
    #expect(throws: ObservationError.missingJoints([missing])) {
      try BodyPose3DObservation(
        pose: pose,
        cameraOriginMatrix: CameraMatrix(rotation: .identity, translation: Vector3(0, 0, -2)))
    }
  }

  @Test("Numbers that are not finite make no observation, and the message says which")
  func notFinite() throws {
    var positions = try Bodies.random(seed: 6).allJoints().mapValues(\.position)
    positions[.spine]?.columns.3.x = .nan
    let camera = CameraMatrix(rotation: .identity, translation: Vector3(0, 0, -2))
    let error = try #require(throws: ObservationError.self) {
      try BodyPose3DObservation(positions: positions, cameraOriginMatrix: camera)
    }
    #expect(error.description.contains("spine"))
    positions[.spine] = .identity
    #expect(throws: ObservationError.self) {
      try BodyPose3DObservation(
        positions: positions,
        cameraOriginMatrix: CameraMatrix(
          rotation: .identity, translation: Vector3(0, .infinity, 0)))
    }
  }

  @Test("A position relative to the parent is the difference of the positions, to the bit")
  func localPositions() throws {
    let observation = try Bodies.random(seed: 7)
    for joint in observation.availableJointNames where joint != .root {
      let point = try observation.recognizedPoint(joint)
      let parent = try observation.recognizedPoint(point.parentJoint)
      let difference = point.position.columns.3 - parent.position.columns.3
      #expect(point.localPosition.columns.3.x == difference.x)
      #expect(point.localPosition.columns.3.y == difference.y)
      #expect(point.localPosition.columns.3.z == difference.z)
      #expect(point.localPosition.columns.3.w == 1)
    }
  }

  @Test("A position whose parent is turned is given in the parent's axes")
  func turnedParent() throws {
    var positions = try Bodies.random(seed: 8).allJoints().mapValues(\.position)
    let quarter = CameraMatrix(
      rotation: Rotation3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1)),
      translation: Vector3(0, 0.5, 0))
    positions[.leftElbow] = quarter.matrix
    positions[.leftWrist] = Matrix4x4(translation: Vector3(0, 0.75, 0))
    let wrist = try BodyPose3DObservation(
      positions: positions,
      cameraOriginMatrix: CameraMatrix(rotation: .identity, translation: Vector3(0, 0, -2))
    ).recognizedPoint(.leftWrist)
    #expect(wrist.localVector == Vector3(0.25, 0, 0))
  }
}
