import PoseModel

/// The angle between the trunk and vertical in degrees: 0 for a person who stands, 90 for one who lies.
nonisolated func trunkTilt(of pose: Pose, in axes: FrameAxes) -> Double? {
  guard let hips = pose[.root], let shoulders = pose[.centerShoulder] else { return nil }
  let trunk = shoulders - hips
  return (axes.rotation?(trunk) ?? trunk).angleDegrees(to: axes.up)
}

/// The tilt in every frame of a recording; nil where there is no pose.
nonisolated func trunkTilts(in recording: Recording) -> [Double?] {
  let axes = AxesReader(recording.header)
  var pose = Pose()
  return (0..<recording.frameCount).map { frame in
    guard let axes = axes.axes(at: frame, of: recording) else { return nil }
    pose.load(recording, frame: frame)
    return trunkTilt(of: pose, in: axes)
  }
}
