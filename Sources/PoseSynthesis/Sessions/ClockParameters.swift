package import PoseModel

/// The rate of a session's frames.
package struct ClockParameters: ScriptParameters {
  /// Frames a second.
  package var rate = Hertz(30)
  /// Frames a second once the device has become warm.
  package var warmRate = Hertz(15)
  /// When that happens; 600 s is beyond most sessions.
  package var warmAfter = Seconds(600)

  /// 30 frames a second throughout.
  package init() {}

  package static let section = "clock"

  package static let fields: [ScriptField<Self>] = [
    ScriptField("rate_hz", "Hz", 1...120, \.rate.value, "frames a second"),
    ScriptField("warm_rate_hz", "Hz", 1...120, \.warmRate.value, "frames a second once warm"),
    ScriptField(
      "warm_after_s", "s", 0...600, \.warmAfter.value, "when the rate changes for the warm one"),
  ]
}
