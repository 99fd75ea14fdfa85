// Stand-ins for the declarations of Vision's Swift-only API that the snippets use. Names and
// signatures are the framework's; nothing here detects anything.

import Foundation

nonisolated struct Joint3D: Sendable {
  let position: FloatMatrix
}

/// What the Swift-only 3D request finds.
nonisolated public struct HumanBodyPose3DObservation: Sendable {
  enum JointName: CaseIterable {
    case topHead, centerHead, centerShoulder, leftShoulder, rightShoulder
    case leftElbow, rightElbow, leftWrist, rightWrist, spine, root, leftHip, rightHip
    case leftKnee, rightKnee, leftAnkle, rightAnkle
  }

  enum EstimationTechnique {
    case measured, reference
  }

  let bodyHeight: Measurement<UnitLength>
  let heightEstimationTechnique: EstimationTechnique
  let cameraOriginMatrix: FloatMatrix
  /// The stand-in's own storage.
  let joints: [JointName: Joint3D]

  func joint(for jointName: JointName) -> Joint3D? { joints[jointName] }
}

nonisolated final class DetectHumanBodyPose3DRequest: Sendable {
  /// What the stand-in finds in every image.
  let found: [HumanBodyPose3DObservation]

  init(found: [HumanBodyPose3DObservation] = []) { self.found = found }

  func perform(on pixelBuffer: CVPixelBuffer) async throws -> [HumanBodyPose3DObservation] {
    found
  }
}

/// Core Motion's acceleration, in multiples of gravity.
nonisolated struct CMAcceleration {
  var x: Double
  var y: Double
  var z: Double
}
