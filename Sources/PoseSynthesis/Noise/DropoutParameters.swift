package import PoseModel

/// When no pose is found: frames are there, poses are not.
package struct DropoutParameters: ScriptParameters {
  /// Probability that a frame has no pose.
  package var probability = 0.0
  /// Starts of longer losses a minute.
  package var burstsPerMinute = 0.0
  /// Shortest longer loss.
  package var burstMinimum = Seconds(0.2)
  /// Longest longer loss.
  package var burstMaximum = Seconds(3)
  /// Seconds without a pose at the start of a session, as the person comes into view.
  package var entryLoss = Seconds(0)
  /// Starts of losses a minute while a low camera looks along a lying body.
  package var headOnBurstsPerMinute = 0.0

  /// A pose in every frame.
  package init() {}

  package static let section = "dropouts"

  package static let fields: [ScriptField<Self>] = [
    ScriptField("probability", "", 0...0.5, \.probability, "frames without a pose; 1 to 5 %"),
    ScriptField("bursts_per_minute", "/min", 0...60, \.burstsPerMinute, "longer losses"),
    ScriptField("burst_minimum_s", "s", 0.02...10, \.burstMinimum.value, "shortest longer loss"),
    ScriptField("burst_maximum_s", "s", 0.02...10, \.burstMaximum.value, "longest longer loss"),
    ScriptField("entry_loss_s", "s", 0...10, \.entryLoss.value, "no pose at the session's start"),
    ScriptField(
      "head_on_bursts_per_minute", "/min", 0...60, \.headOnBurstsPerMinute,
      "losses while a low camera looks along the body"),
  ]

  package func validateRelations(in section: String) throws(ScriptError) {
    guard burstMinimum <= burstMaximum else {
      throw .reversedLimits(
        lower: section + ".burst_minimum_s", upper: section + ".burst_maximum_s")
    }
  }
}
