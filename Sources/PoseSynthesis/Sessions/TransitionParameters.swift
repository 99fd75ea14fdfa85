package import PoseModel

/// How long the movements between holds take; all are minimum-jerk.
package struct TransitionParameters: ScriptParameters {
  /// From upright to the floor, through a squat and all fours.
  package var descent = Seconds(3.5)
  /// From the floor to upright, the same way back.
  package var ascent = Seconds(3)
  /// Between two postures on the floor.
  package var change = Seconds(1.5)
  /// From a plank to lying.
  package var collapse = Seconds(0.7)
  /// Between two forms of the same posture: no transition in the labels.
  package var correction = Seconds(1)

  /// The middle of the published ranges.
  package init() {}

  package static let section = "transitions"

  package static let fields: [ScriptField<Self>] = [
    ScriptField("descent_s", "s", 1...10, \.descent.value, "upright to floor; 2.5 to 5 s"),
    ScriptField("ascent_s", "s", 1...10, \.ascent.value, "floor to upright; 2 to 4 s"),
    ScriptField("change_s", "s", 0.3...10, \.change.value, "floor to floor; 1 to 2.5 s"),
    ScriptField("collapse_s", "s", 0.2...5, \.collapse.value, "plank to lying; 0.4 to 1 s"),
    ScriptField(
      "correction_s", "s", 0.2...10, \.correction.value, "form to form within a posture"),
  ]

  /// The time of the movement from one posture to another.
  func duration(from start: Posture, to end: Posture) -> Double {
    if start == end { return correction.value }
    if start.isUpright != end.isUpright { return (end.isUpright ? ascent : descent).value }
    if start.isPlank, end.isInvertedOrLying, end != .downwardDog { return collapse.value }
    return change.value
  }
}
