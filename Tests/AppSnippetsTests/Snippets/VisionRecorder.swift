import PoseModel
import PoseRecording

/// Records what `VNDetectHumanBodyPose3DRequest` finds, frame by frame.
nonisolated final class VisionRecorder {
  private let writer: PoseRecordingWriter
  private let request = VNDetectHumanBodyPose3DRequest()
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
    _ buffer: CVPixelBuffer, at seconds: Double, up: Vector3? = nil, answer: DeviceAnswer? = nil
  ) throws {
    try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
    guard let observation = request.results?.first else {
      return try writer.append(time: Seconds(seconds), pose: nil)
    }
    for name in observation.availableJointNames {
      guard let joint = Skeleton.vision3d.joint(visionKey: name.rawValue.rawValue) else { continue }
      let column = try observation.recognizedPoint(name).position.columns.3
      pose[joint] = Vector3(Double(column.x), Double(column.y), Double(column.z))
    }
    let extras = FrameExtras(
      up: up, camera: CameraMatrix(columns: observation.cameraOriginMatrix.columns),
      bodyHeight: Meters(Double(observation.bodyHeight)),
      heightEstimation: observation.heightEstimation == .measured ? .measured : .reference,
      answer: answer)
    try writer.append(time: Seconds(seconds), pose: pose, extras: extras)
  }
}
