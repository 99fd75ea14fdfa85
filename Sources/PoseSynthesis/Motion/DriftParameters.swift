package import PoseModel

/// How a hold tires: the hips drift after an onset, and are pulled back now and then.
package struct DriftParameters: ScriptParameters {
  /// The drift's end value at the hips; negative is toward the floor; 0 is no drift.
  package var finalOffset = Meters(0)
  /// The share of the hold after which the drift begins.
  package var onset = 0.6
  /// The power of the course after the onset.
  package var exponent = 2.0
  /// Shortest time between two recoveries; a hold without any has a time beyond its end.
  package var recoveryMinimum = Seconds(5)
  /// Longest time between two recoveries.
  package var recoveryMaximum = Seconds(20)
  /// The smallest share of the drift that a recovery leaves.
  package var recoveryFloor = 0.4
  /// The largest share of the drift that a recovery leaves.
  package var recoveryCeiling = 0.8
  /// How tired the body is at the end, 0...1: sway, tremor and breath grow to that share.
  package var fatigue = 0.0

  /// A fresh body that does not drift.
  package init() {}

  package static let section = "drift"

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "final_offset_m", "m", -0.15...0.15, \.finalOffset.value,
      "drift of the hips at the end of the hold; -3 to -12 cm is usual"),
    ScriptField("onset", "", 0...0.95, \.onset, "share of the hold before the drift; 0.5 to 0.7"),
    ScriptField("exponent", "", 0.5...4, \.exponent, "power of the course; 1.5 to 2.5"),
    ScriptField(
      "recovery_minimum_s", "s", 1...600, \.recoveryMinimum.value,
      "shortest time between recoveries"),
    ScriptField(
      "recovery_maximum_s", "s", 1...600, \.recoveryMaximum.value,
      "longest time between recoveries"),
    ScriptField(
      "recovery_floor", "", 0...1, \.recoveryFloor, "smallest share that a recovery leaves"),
    ScriptField(
      "recovery_ceiling", "", 0...1, \.recoveryCeiling, "largest share that a recovery leaves"),
    ScriptField("fatigue", "", 0...1, \.fatigue, "how tired the body is at the end of the hold"),
  ]

  package func validateRelations(in section: String) throws(ScriptError) {
    guard recoveryMinimum <= recoveryMaximum else {
      throw .reversedLimits(
        lower: section + ".recovery_minimum_s", upper: section + ".recovery_maximum_s")
    }
    guard recoveryFloor <= recoveryCeiling else {
      throw .reversedLimits(
        lower: section + ".recovery_floor", upper: section + ".recovery_ceiling")
    }
  }
}
