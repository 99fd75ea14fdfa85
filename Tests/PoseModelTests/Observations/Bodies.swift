import PoseModel
import TestSupport

/// Observations for tests.
enum Bodies {
  /// A body with random joints within a meter of the root, and a random rigid camera.
  static func random(seed: UInt64, bodyHeight: Meters? = Meters(1.8)) throws
    -> BodyPose3DObservation
  {
    var random = ScriptedRandom(seed: seed)
    var positions: [Joint: Matrix4x4] = [:]
    for joint in Skeleton.vision3d.joints {
      let offset = joint == .root ? Vector3(0, 0, 0) : random.normalVector(0.4)
      positions[joint] = Matrix4x4(translation: offset)
    }
    let camera = CameraMatrix(
      rotation: random.rotation(), translation: Vector3(0.1, -0.2, -3 - random.unit()))
    return try BodyPose3DObservation(
      positions: positions, cameraOriginMatrix: CameraMatrix(camera.matrix),
      bodyHeight: bodyHeight, heightEstimation: .reference)
  }

  /// The largest difference of two vectors' components.
  static func distance(_ one: Vector3, _ other: Vector3) -> Double {
    [one.x - other.x, one.y - other.y, one.z - other.z].map(\.magnitude).max() ?? 0
  }
}
