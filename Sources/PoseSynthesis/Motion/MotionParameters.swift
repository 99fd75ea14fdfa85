package import PoseModel

/// How a held body moves: sway, tremor and breath.
package struct MotionParameters: ScriptParameters {
  /// Standard deviation of sway at the hips, an Ornstein-Uhlenbeck process.
  package var sway = Meters(0.005)
  /// Correlation time of sway.
  package var swayTime = Seconds(1)
  /// Frequency of tremor.
  package var tremorRate = Hertz(10)
  /// Amplitude of tremor at the hips.
  package var tremor = Meters(0.0005)
  /// Amplitude of tremor at the end of a tiring hold; it grows over the last fifth.
  package var lateTremor = Meters(0.003)
  /// Breaths a second at rest.
  package var breathRate = Hertz(0.25)
  /// Breaths a second at the end of a tiring hold.
  package var lateBreathRate = Hertz(0.55)
  /// Amplitude of breathing at the middle of the spine, along the front of the body.
  package var breathAtSpine = Meters(0.004)
  /// Amplitude of breathing at the hips, in the vertical plane.
  package var breathAtRoot = Meters(0.002)

  /// A healthy adult.
  package init() {}

  /// A body that does not move at all.
  package static let still: MotionParameters = {
    var motion = MotionParameters()
    motion.sway = Meters(0)
    motion.tremor = Meters(0)
    motion.lateTremor = Meters(0)
    motion.breathAtSpine = Meters(0)
    motion.breathAtRoot = Meters(0)
    return motion
  }()

  package static let section = "motion"

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "sway_m", "m", 0...0.02, \.sway.value,
      "standard deviation of sway at the hips; 3 to 8 mm is usual"),
    ScriptField(
      "sway_time_s", "s", 0.1...5, \.swayTime.value, "correlation time of sway; 0.5 to 1.5 s"),
    ScriptField(
      "tremor_rate_hz", "Hz", 4...15, \.tremorRate.value,
      "frequency of tremor; physiological band 8 to 12 Hz (Lakie 2015)"),
    ScriptField(
      "tremor_m", "m", 0...0.005, \.tremor.value, "amplitude of tremor; 0.3 to 1 mm (assumed)"),
    ScriptField(
      "late_tremor_m", "m", 0...0.01, \.lateTremor.value,
      "amplitude of tremor at the end of a tiring hold; 2 to 5 mm (assumed)"),
    ScriptField(
      "breath_rate_hz", "Hz", 0.1...1, \.breathRate.value, "breaths a second at rest"),
    ScriptField(
      "late_breath_rate_hz", "Hz", 0.1...1, \.lateBreathRate.value,
      "breaths a second at the end of a tiring hold"),
    ScriptField(
      "breath_at_spine_m", "m", 0...0.02, \.breathAtSpine.value,
      "amplitude of breathing at the spine (Kaneko and Horie 2012: a few mm quiet)"),
    ScriptField(
      "breath_at_root_m", "m", 0...0.01, \.breathAtRoot.value,
      "amplitude of breathing at the hips"),
  ]
}
