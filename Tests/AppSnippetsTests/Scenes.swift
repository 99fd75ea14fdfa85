import Foundation
import PoseModel
import TestSupport

/// A scripted session as both of Vision's APIs would show it.
nonisolated struct Scenes {
  /// The truth, in pelvis axes.
  let recording = ScriptedSession(
    ScriptedBody(stature: Meters(1.75)), rate: Hertz(5),
    dropouts: [ScriptedDropout(from: 0.3, to: 0.7)],
    phases: [ScriptedPhase(.standing, seconds: 1), ScriptedPhase(.sideLeft, seconds: 1)]
  ).pelvisRecording(ScriptedCamera(azimuth: Degrees(25)))

  /// Where joints appear in the image.
  let intrinsics = CameraIntrinsics(
    focalLengthPixels: 1400, imageWidthPixels: 1080, imageHeightPixels: 1920)

  /// What the Objective-C API finds in a frame.
  func observation(at frame: Int) -> VNHumanBodyPose3DObservation? {
    guard let camera = recording.camera(at: frame) else { return nil }
    var positions: [VNHumanBodyPose3DObservation.JointName: FloatMatrix] = [:]
    var images: [VNHumanBodyPose3DObservation.JointName: VNPoint] = [:]
    for joint in Skeleton.vision3d.joints {
      guard let position = recording.position(of: joint, at: frame),
        let key = Skeleton.vision3d.visionKey(of: joint),
        let image = intrinsics.project(camera(position))
      else { continue }
      let name = VNHumanBodyPose3DObservation.JointName(
        rawValue: VNRecognizedPointKey(rawValue: key))
      positions[name] = FloatMatrix(columns: Matrix4x4(translation: position).columns)
      images[name] = VNPoint(x: image.x, y: image.y)
    }
    return VNHumanBodyPose3DObservation(
      positions: positions, images: images, bodyHeight: 1.75, heightEstimation: .measured,
      cameraOriginMatrix: FloatMatrix(columns: camera.matrix.columns))
  }

  /// What the Swift-only API finds in a frame.
  func swiftObservation(at frame: Int) -> HumanBodyPose3DObservation? {
    guard let camera = recording.camera(at: frame) else { return nil }
    var joints: [HumanBodyPose3DObservation.JointName: Joint3D] = [:]
    for name in HumanBodyPose3DObservation.JointName.allCases {
      guard let joint = Joint(name: "\(name)"),
        let position = recording.position(of: joint, at: frame)
      else { continue }
      joints[name] = Joint3D(
        position: FloatMatrix(columns: Matrix4x4(translation: position).columns))
    }
    return HumanBodyPose3DObservation(
      bodyHeight: Measurement(value: 175, unit: .centimeters),
      heightEstimationTechnique: .measured,
      cameraOriginMatrix: FloatMatrix(columns: camera.matrix.columns), joints: joints)
  }
}
