package import PoseModel

/// One posture held for a while.
package struct Hold: Hashable, Sendable {
  /// What is held.
  package var posture: Posture
  /// For how long, the movements before and after not counted.
  package var duration: Seconds
  /// How it is taken.
  package var placement = PlacementParameters()
  /// How far it is from straight; only planks have a form.
  package var form = FormParameters()
  /// How it tires; only planks drift.
  package var drift = DriftParameters()

  /// The seconds that a hold can have.
  package static let durations = 0.5...600.0

  /// Holds a posture straight.
  package init(_ posture: Posture, for duration: Seconds) {
    self.posture = posture
    self.duration = duration
  }

  /// Checks every field.
  ///
  /// - Parameter section: the hold's place in the script, for example `holds[2]`.
  package func validate(in section: String) throws(ScriptError) {
    guard Self.durations.contains(duration.value) else {
      throw .outOfRange(
        field: section + ".duration_s", found: duration.value, allowed: Self.durations, unit: "s")
    }
    try placement.validate(in: section + ".placement")
    try form.validate(in: section + ".form")
    try drift.validate(in: section + ".drift")
    let offsets = [
      ("form.hip_offset_m", form.hipOffset), ("form.lumbar_offset_m", form.lumbarOffset),
      ("form.shoulder_offset_m", form.shoulderOffset), ("drift.final_offset_m", drift.finalOffset),
    ]
    for (key, offset) in offsets where !posture.isPlank && offset.value != 0 {
      throw .formOfNegative(field: section + "." + key, posture: posture.rawValue)
    }
    if form.flexionOffset.value != 0, !posture.isSidePlank {
      throw .flexionOutsideSidePlank(
        field: section + ".form.flexion_offset_m", posture: posture.rawValue)
    }
  }
}
