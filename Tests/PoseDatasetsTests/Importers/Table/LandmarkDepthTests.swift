import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Depth of landmarks") struct LandmarkDepthTests {
  @Test(
    "The anatomical factor brings shoulders and hips to people's widths", arguments: [0.4, 1, 2.5])
  func anatomical(exaggeration: Double) throws {
    let body = Self.body(shoulders: 0.207, hips: 0.135, exaggeration)
    let factor = try #require(LandmarkDepth.anatomical.factor(of: [body]))
    #expect(abs(factor * exaggeration - 1) < 1e-6)
    let other = Self.body(shoulders: 0.414, hips: 0.27, exaggeration)
    #expect(
      abs(try #require(LandmarkDepth.anatomical.factor(of: [other])) * exaggeration - 0.5) < 1e-6)
  }

  @Test("A body that faces the camera has no width in depth, and gives no factor")
  func frontal() {
    let body = Self.body(shoulders: 0.207, hips: 0.135, 1).map { Vector3($0.z, $0.y, 0) }
    #expect(LandmarkDepth.anatomical.factor(of: [body]) == nil)
    #expect(LandmarkDepth.scaled(0.5).factor(of: [body]) == 0.5)
  }

  /// A body of height 1 on its side: x along it, its widths in depth, times an exaggeration.
  private static func body(shoulders: Double, hips: Double, _ exaggeration: Double) -> BodyPose {
    var limbs: [Joint: Vector3] = [:]
    let parts: [(Joint, Double, Double)] = [
      (.leftShoulder, 0, shoulders), (.leftHip, 0.288, hips), (.leftKnee, 0.533, hips),
      (.leftAnkle, 0.779, hips),
    ]
    for (joint, along, width) in parts {
      limbs[joint] = Vector3(along, 0, width / 2 * exaggeration)
      limbs[joint.mirrored] = Vector3(along, 0, -width / 2 * exaggeration)
    }
    return BodyPose(limbs: limbs)
  }
}

func distance(_ one: Vector3?, _ other: Vector3?) -> Double {
  guard let one, let other else { return one == other ? 0 : .infinity }
  return [one.x - other.x, one.y - other.y, one.z - other.z].map(\.magnitude).max() ?? 0
}

/// Every joint of every frame, for comparing recordings.
func positions(_ recording: Recording) -> [[Joint: Vector3]] {
  (0..<recording.frameCount).map { frame in
    Dictionary(
      uniqueKeysWithValues: recording.header.joints.compactMap { joint in
        recording.position(of: joint, at: frame).map { (joint, $0) }
      })
  }
}
