package import PoseModel

/// How the positions of single joints err, in camera axes; all lengths hold at 2 m.
package struct JointNoiseParameters: ScriptParameters {
  /// White noise across the view, a standard deviation.
  package var whiteAcross = Meters(0)
  /// White noise in depth.
  package var whiteDepth = Meters(0)
  /// Colored (AR(1)) noise across the view, a standard deviation.
  package var coloredAcross = Meters(0)
  /// Colored noise in depth.
  package var coloredDepth = Meters(0)
  /// Correlation time of colored noise.
  package var coloredTime = Seconds(0.7)
  /// Bias across the view, drawn once a session for every joint.
  package var biasAcross = Meters(0)
  /// Bias in depth.
  package var biasDepth = Meters(0)
  /// Power of distance / 2 m by which errors across the view grow.
  package var acrossExponent = 1.0
  /// Power by which errors in depth grow.
  package var depthExponent = 1.0
  /// Standard deviation of the logarithm of the factor by which a stretch of time is worse.
  package var unevenness = 0.0
  /// Longest such stretch; the shortest is a third of it.
  package var unevennessTime = Seconds(3)
  /// Factor on errors of lying and inverted postures.
  package var lyingFactor = 1.0
  /// Factor on errors of the limbs on the far side, in a full side view.
  package var farSideFactor = 1.0
  /// Factor on errors of joints outside of the image.
  package var outOfImageFactor = 1.0
  /// Relative standard deviation of every bone's length over time.
  package var limbLength = 0.0
  /// Probability a joint and a frame of an outlier.
  package var outlierProbability = 0.0
  /// Half the edge of the cube in which outliers are uniform.
  package var outlierExtent = Meters(0.3)

  /// No noise.
  package init() {}

  package static let section = "joints"

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "white_across_m", "m", 0...0.1, \.whiteAcross.value, "white noise across the view, at 2 m"),
    ScriptField("white_depth_m", "m", 0...0.2, \.whiteDepth.value, "white noise in depth, at 2 m"),
    ScriptField(
      "colored_across_m", "m", 0...0.1, \.coloredAcross.value,
      "AR(1) noise across the view, at 2 m"),
    ScriptField(
      "colored_depth_m", "m", 0...0.2, \.coloredDepth.value, "AR(1) noise in depth, at 2 m"),
    ScriptField(
      "colored_time_s", "s", 0.02...10, \.coloredTime.value, "correlation time; 0.3 to 2 s"),
    ScriptField(
      "bias_across_m", "m", 0...0.2, \.biasAcross.value,
      "bias across the view, drawn once a session, at 2 m"),
    ScriptField(
      "bias_depth_m", "m", 0...0.3, \.biasDepth.value, "bias in depth, at 2 m; 1 to 4 cm"),
    ScriptField(
      "across_exponent", "", 0...3, \.acrossExponent, "growth across the view with distance"),
    ScriptField(
      "depth_exponent", "", 0...3, \.depthExponent,
      "growth in depth: 1 lifting from RGB, 2 triangulation (Khoshelham and Elberink 2012)"),
    ScriptField(
      "unevenness", "", 0...1.5, \.unevenness,
      "sd of the log factor of worse and better stretches (SmoothNet 2022: highly uneven)"),
    ScriptField(
      "unevenness_time_s", "s", 0.3...60, \.unevennessTime.value, "longest such stretch"),
    ScriptField("lying_factor", "", 1...6, \.lyingFactor, "factor on lying and inverted postures"),
    ScriptField(
      "far_side_factor", "", 1...6, \.farSideFactor, "factor on the far limbs in a side view"),
    ScriptField(
      "out_of_image_factor", "", 1...10, \.outOfImageFactor, "factor on joints not in the image"),
    ScriptField(
      "limb_length", "", 0...0.1, \.limbLength,
      "relative sd of bone lengths over time; 0 is a rigid template"),
    ScriptField(
      "outlier_probability", "", 0...0.1, \.outlierProbability,
      "outliers a joint and frame (Gaussian and uniform mixture, Wang and Kurillo 2015)"),
    ScriptField(
      "outlier_extent_m", "m", 0...1, \.outlierExtent.value, "half the edge of their cube"),
  ]
}
