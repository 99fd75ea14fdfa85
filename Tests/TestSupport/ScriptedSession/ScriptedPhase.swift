package import PoseModel

/// A posture held for a while, and how the body moves into it.
package struct ScriptedPhase: Hashable, Sendable {
  /// The posture.
  package var posture: ScriptedPosture
  /// How long it is held, the way into it not counted.
  package var hold: Seconds
  /// How far the hips are off the line from ankles to shoulders; negative is a sag.
  package var hipOffset: Meters
  /// The way from the phase before; the first phase has none.
  package var entry: ScriptedTransition

  /// The offset from which on the form is labeled sag or pike: visible to a trainer.
  package static let visibleOffset = Meters(0.03)

  /// Makes a phase from seconds and centimeters.
  package init(
    _ posture: ScriptedPosture, seconds: Double, hipCentimeters: Double = 0,
    entry: ScriptedTransition = ScriptedTransition(Seconds(1))
  ) {
    self.posture = posture
    hold = Seconds(seconds)
    hipOffset = Meters(hipCentimeters / 100)
    self.entry = entry
  }

  /// The form label, or nil if the posture is not a plank.
  package var form: FormClass? {
    guard posture.truth != PlankClass.none else { return nil }
    if hipOffset.value <= -Self.visibleOffset.value { return .sag }
    return hipOffset.value >= Self.visibleOffset.value ? .pike : .aligned
  }
}
