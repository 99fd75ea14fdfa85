import Foundation
import PoseModel
import PoseRecording

/// Records what `DetectHumanBodyPose3DRequest` finds, frame by frame.
nonisolated final class SwiftVisionRecorder {
  private let writer: PoseRecordingWriter
  private var pose = Pose()

  init(path: String, subject: String, bufferRotation: BufferRotation?) throws {
    var header = RecordingHeader.observations  // all 17 joints in pelvis axes
    header.orientation = .portrait  // how the device is held
    header.cameraPosition = .front
    header.buffer = .fixed  // Vision is not told how the device is held
    header.bufferRotation = bufferRotation  // how the camera's buffers are turned, see below
    header.subject = subject
    writer = try PoseRecordingWriter(path: path, header: header)
  }

  func record(
    _ observation: HumanBodyPose3DObservation?, at seconds: Double, up: Vector3? = nil,
    answer: DeviceAnswer? = nil
  ) throws {
    guard let observation else { return try writer.append(time: Seconds(seconds), pose: nil) }
    for (joint, name) in Self.names {
      let column = observation.joint(for: name)?.position.columns.3
      pose[joint] = column.map { Vector3(Double($0.x), Double($0.y), Double($0.z)) }
    }
    let extras = FrameExtras(
      up: up, camera: CameraMatrix(columns: observation.cameraOriginMatrix.columns),
      bodyHeight: Meters(observation.bodyHeight.converted(to: .meters).value),
      heightEstimation: observation.heightEstimationTechnique == .measured
        ? .measured : .reference, answer: answer)
    try writer.append(time: Seconds(seconds), pose: pose, extras: extras)
  }

  private static let names: [Joint: HumanBodyPose3DObservation.JointName] = [
    .root: .root, .spine: .spine, .centerShoulder: .centerShoulder, .centerHead: .centerHead,
    .topHead: .topHead, .leftShoulder: .leftShoulder, .rightShoulder: .rightShoulder,
    .leftElbow: .leftElbow, .rightElbow: .rightElbow, .leftWrist: .leftWrist,
    .rightWrist: .rightWrist, .leftHip: .leftHip, .rightHip: .rightHip, .leftKnee: .leftKnee,
    .rightKnee: .rightKnee, .leftAnkle: .leftAnkle, .rightAnkle: .rightAnkle,
  ]
}

nonisolated extension SwiftVisionRecorder {
  func record(
    _ buffer: CVPixelBuffer, at seconds: Double, using request: DetectHumanBodyPose3DRequest
  ) async throws {
    try record(await request.perform(on: buffer).first, at: seconds)
  }
}
