import PoseModel

/// Up in the camera's axes, from `CMDeviceMotion.gravity`, for a fixed buffer.
nonisolated func upVector(gravity: CMAcceleration, camera: CameraPosition) -> Vector3? {
  let up =
    camera == .back
    ? Vector3(-gravity.x, -gravity.y, -gravity.z)
    : Vector3(gravity.x, -gravity.y, gravity.z)  // the front camera's x and z are reversed
  return up.norm > 0.5 ? up / up.norm : nil
}
