import PoseModel
import TestSupport
import Testing

@Suite("Angles to the parent")
struct ParentAnglesTests {
  @Test("Pitch is a right angle, yaw opens from z, roll turns from x to y")
  func published() {
    let along = ParentAngles(localPosition: SIMD3(0, 0, 0.3))
    #expect(along.pitchRadians == Float.pi / 2)
    #expect(along.yawRadians == 0)
    #expect(along.rollRadians == 0)
    let across = ParentAngles(localPosition: SIMD3(0, 0.3, 0))
    #expect(abs(across.yawRadians - Float.pi / 2) < 1e-6)
    #expect(abs(across.rollRadians - Float.pi / 2) < 1e-6)
    let back = ParentAngles(localPosition: SIMD3(-0.2, 0, 0))
    #expect(abs(back.rollRadians - Float.pi) < 1e-6)
  }

  @Test("The sound direction says the same in degrees", arguments: 1...20)
  func agreement(seed: Int) throws {
    let observation = try Bodies.random(seed: UInt64(seed))
    for joint in observation.availableJointNames where joint != .root {
      let point = try observation.recognizedPoint(joint)
      let published = point.angleToParent
      let sound = try #require(point.directionFromParent)
      #expect(abs(Double(published.yawRadians) * 180 / .pi - sound.polar.value) < 0.05)
      if let azimuth = sound.azimuth {
        #expect(abs(Double(published.rollRadians) * 180 / .pi - azimuth.value) < 1e-4)
      }
    }
  }

  @Test("Near the axis the arc cosine in single precision goes wrong and the direction does not")
  func nearTheAxis() throws {
    let tilt = 1e-4  // radians
    let vector = Vector3(0.3 * tilt, 0, 0.3)
    let published = ParentAngles(
      localPosition: SIMD3(Float(vector.x), Float(vector.y), Float(vector.z)))
    let sound = try #require(BoneDirection(localPosition: vector))
    #expect(published.yawRadians == 0)
    #expect(abs(sound.polar.value - tilt * 180 / .pi) < 1e-9)
  }

  @Test("A bone along z has no azimuth, a bone under a millimeter no direction")
  func undefined() throws {
    let along = try #require(BoneDirection(localPosition: Vector3(0, 0, -0.2)))
    #expect(along.polar.value == 180)
    #expect(along.azimuth == nil)
    #expect(along.length.value == 0.2)
    #expect(BoneDirection(localPosition: Vector3(0, 0.0009, 0)) == nil)
    #expect(BoneDirection(localPosition: Vector3(0, 0.001, 0)) != nil)
    #expect(BoneDirection(localPosition: Vector3(.nan, 0, 0)) == nil)
  }
}
