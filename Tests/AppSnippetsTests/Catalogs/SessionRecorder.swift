import PoseModel
import PoseRecording

/// Records one session beside the app's own work: a frame that cannot be written is counted, and
/// the session goes on.
nonisolated final class SessionRecorder {
  private let writer: PoseRecordingWriter
  private(set) var refusals = 0

  init(path: String, subject: String) throws {
    var header = RecordingHeader(
      skeleton: .vision3d, joints: Skeleton.vision3d.joints, frame: .pelvis)
    header.subject = subject
    header.nominalRate = Hertz(30)
    writer = try PoseRecordingWriter(path: path, header: header, decimals: 4)
  }

  func record(
    _ pose: Pose?, camera: CameraMatrix?, up: Vector3?, shown answer: DeviceAnswer, at time: Seconds
  ) {
    do {
      let extras = FrameExtras(up: up, camera: camera, answer: answer)
      try writer.append(time: time, pose: pose, extras: extras)
    } catch {
      refusals += 1
    }
  }

  func finish() throws { try writer.close() }
}
