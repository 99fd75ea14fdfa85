// Stand-ins for the declarations of Vision's Objective-C API that the snippets use. Names and
// signatures are the framework's; nothing here detects anything.

import Foundation

nonisolated final class CVPixelBuffer: Sendable {
  /// What the stand-in for a detector finds in it.
  let found: VNHumanBodyPose3DObservation?

  init(found: VNHumanBodyPose3DObservation?) { self.found = found }
}

nonisolated struct FloatMatrix: Sendable {
  var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
}

nonisolated struct VNRecognizedPointKey: RawRepresentable, Hashable {
  let rawValue: String
}

nonisolated final class VNPoint: Sendable {
  let x: Double
  let y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

nonisolated final class VNHumanBodyRecognizedPoint3D: Sendable {
  let position: FloatMatrix

  init(position: FloatMatrix) { self.position = position }
}

/// What the 3D request finds.
nonisolated public final class VNHumanBodyPose3DObservation: Sendable {
  struct JointName: RawRepresentable, Hashable {
    let rawValue: VNRecognizedPointKey
  }

  enum HeightEstimation: Int {
    case reference
    case measured
  }

  let availableJointNames: [JointName]
  let bodyHeight: Float
  let heightEstimation: HeightEstimation
  let cameraOriginMatrix: FloatMatrix
  private let positions: [JointName: FloatMatrix]
  private let images: [JointName: VNPoint]

  init(
    positions: [JointName: FloatMatrix], images: [JointName: VNPoint], bodyHeight: Float,
    heightEstimation: HeightEstimation, cameraOriginMatrix: FloatMatrix
  ) {
    availableJointNames = positions.keys.sorted { $0.rawValue.rawValue < $1.rawValue.rawValue }
    self.positions = positions
    self.images = images
    self.bodyHeight = bodyHeight
    self.heightEstimation = heightEstimation
    self.cameraOriginMatrix = cameraOriginMatrix
  }

  func recognizedPoint(_ jointName: JointName) throws -> VNHumanBodyRecognizedPoint3D {
    guard let position = positions[jointName] else { throw NoSuchJoint() }
    return VNHumanBodyRecognizedPoint3D(position: position)
  }

  func pointInImage(_ jointName: JointName) throws -> VNPoint {
    guard let point = images[jointName] else { throw NoSuchJoint() }
    return point
  }

  private struct NoSuchJoint: Error {}
}

nonisolated struct VNRecognizedPointGroupKey: RawRepresentable, Hashable {
  let rawValue: String
}

nonisolated final class VNRecognizedPoint: Sendable {
  let x: Double
  let y: Double
  let confidence: Float

  init(x: Double, y: Double, confidence: Float) {
    self.x = x
    self.y = y
    self.confidence = confidence
  }
}

nonisolated final class VNHumanBodyPoseObservation {
  struct JointName: RawRepresentable, Hashable {
    let rawValue: VNRecognizedPointKey
  }

  struct JointsGroupName: RawRepresentable, Hashable {
    static let all = JointsGroupName(rawValue: VNRecognizedPointGroupKey(rawValue: "VNIPOAll"))
    let rawValue: VNRecognizedPointGroupKey
  }

  private let points: [JointName: VNRecognizedPoint]

  init(points: [JointName: VNRecognizedPoint]) { self.points = points }

  func recognizedPoints(
    _ groupName: JointsGroupName
  ) throws -> [JointName: VNRecognizedPoint] {
    groupName == .all ? points : [:]
  }
}

/// A stand-in for AVFoundation's connection of a camera to an output.
nonisolated final class AVCaptureConnection {
  var videoRotationAngle: CGFloat = 0
  private let supported: [CGFloat]

  init(supported: [CGFloat]) { self.supported = supported }

  func isVideoRotationAngleSupported(_ videoRotationAngle: CGFloat) -> Bool {
    supported.contains(videoRotationAngle)
  }
}

nonisolated class VNRequest {
  fileprivate func look(at buffer: CVPixelBuffer) {}
}

nonisolated final class VNDetectHumanBodyPose3DRequest: VNRequest {
  private(set) var results: [VNHumanBodyPose3DObservation]?

  override fileprivate func look(at buffer: CVPixelBuffer) {
    results = buffer.found.map { [$0] } ?? []
  }
}

nonisolated final class VNImageRequestHandler {
  private let buffer: CVPixelBuffer

  init(cvPixelBuffer: CVPixelBuffer) { buffer = cvPixelBuffer }

  func perform(_ requests: [VNRequest]) throws {
    for request in requests { request.look(at: buffer) }
  }
}

// Stand-ins for the declarations of Vision's Swift-only API that the snippets use. Names and
// signatures are the framework's; nothing here detects anything.

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

nonisolated struct CMAcceleration {
  var x: Double
  var y: Double
  var z: Double
}
