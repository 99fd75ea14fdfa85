import Foundation
import PoseModel

/// Turns the camera's buffers upright for a device in portrait, and returns their rotation.
///
/// `upright` is the `videoRotationAngleForHorizonLevelPreview` of an
/// `AVCaptureDevice.RotationCoordinator` whose preview layer is on a portrait screen.
nonisolated func bufferRotation(
  of connection: AVCaptureConnection, upright: CGFloat
) -> BufferRotation? {
  if connection.isVideoRotationAngleSupported(upright) { connection.videoRotationAngle = upright }
  return BufferRotation(degrees: Double(connection.videoRotationAngle - upright))
}
