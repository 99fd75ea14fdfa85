package import PoseModel

/// Everything that lies between a body and its recording.
package struct NoiseParameters: Hashable, Sendable {
  /// Errors of single joints.
  package var joints = JointNoiseParameters()
  /// Swaps, depth mirrors, occlusions.
  package var confusions = ConfusionParameters()
  /// Frames without a pose.
  package var dropouts = DropoutParameters()
  /// Errors of matrices, heights, pixels and timestamps.
  package var capture = CaptureNoiseParameters()

  /// No noise at all.
  package init() {}

  /// Checks every field of every part.
  package func validate(in section: String = "noise") throws(ScriptError) {
    try joints.validate(in: section + ".joints")
    try confusions.validate(in: section + ".confusions")
    try dropouts.validate(in: section + ".dropouts")
    try capture.validate(in: section + ".capture")
  }
}

/// How a camera's matrices, the height, pixels and the clock err.
package struct CaptureNoiseParameters: ScriptParameters {
  /// Standard deviation of each turn of the pelvis matrix, an AR(1) process.
  package var pelvisRotation = Degrees(0)
  /// Correlation time of that process.
  package var pelvisTime = Seconds(0.5)
  /// Relative standard deviation of a measured height, drawn once a session.
  package var measuredHeight = 0.0
  /// White noise of 2D joints, in pixels.
  package var whitePixels = 0.0
  /// Colored noise of 2D joints, in pixels.
  package var coloredPixels = 0.0
  /// Standard deviation of timestamps about the nominal ones.
  package var clockJitter = Seconds(0)
  /// Probability that a frame is followed by a gap of 2 to 4 intervals.
  package var clockGapProbability = 0.0

  /// Exact matrices, heights, pixels and timestamps.
  package init() {}

  package static let section = "capture"

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "pelvis_rotation_deg", "deg", 0...15, \.pelvisRotation.value,
      "sd of each turn of the pelvis matrix; 1 to 5 deg"),
    ScriptField("pelvis_time_s", "s", 0.02...10, \.pelvisTime.value, "its correlation time"),
    ScriptField(
      "measured_height", "", 0...0.1, \.measuredHeight, "relative sd of a measured height"),
    ScriptField("white_px", "px", 0...50, \.whitePixels, "white noise of 2D joints"),
    ScriptField("colored_px", "px", 0...50, \.coloredPixels, "AR(1) noise of 2D joints"),
    ScriptField(
      "clock_jitter_s", "s", 0...0.02, \.clockJitter.value, "sd of timestamps; 2 to 5 ms"),
    ScriptField(
      "clock_gap_probability", "", 0...0.2, \.clockGapProbability,
      "frames followed by a gap of 2 to 4 intervals"),
  ]
}
