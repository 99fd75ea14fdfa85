package import PoseModel

/// How a plank deviates from a straight one, in meters on the body.
package struct FormParameters: ScriptParameters {
  /// Hip off the line from shoulders to ankles, in the vertical plane; negative is sag.
  ///
  /// In a side plank this is the dropped or raised hip.
  package var hipOffset = Meters(0)
  /// Middle of the spine off the line from shoulders to hips; negative is toward the floor.
  package var lumbarOffset = Meters(0)
  /// Hips pushed back in a side plank: across the vertical plane, no hip drop.
  package var flexionOffset = Meters(0)
  /// Shoulders in front of the spine: positive pushes the trunk away from the floor.
  package var shoulderOffset = Meters(0)
  /// Bend of both knees; hips keep their offset.
  package var kneeFlexion = Degrees(2)

  /// A straight plank with soft knees.
  package init() {}

  package static let section = "form"

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "hip_offset_m", "m", -0.20...0.25, \.hipOffset.value,
      "hip off the line from shoulders to ankles; negative is sag"),
    ScriptField(
      "lumbar_offset_m", "m", -0.08...0.08, \.lumbarOffset.value,
      "middle of the spine off the line from shoulders to hips; negative is sag"),
    ScriptField(
      "flexion_offset_m", "m", 0...0.20, \.flexionOffset.value,
      "hips pushed back in a side plank, across the vertical plane"),
    ScriptField(
      "shoulder_offset_m", "m", -0.04...0.05, \.shoulderOffset.value,
      "shoulders before (positive) or behind the spine"),
    ScriptField("knee_flexion_deg", "deg", 0...40, \.kneeFlexion.value, "bend of both knees"),
  ]

  /// The form a share of the way to another one.
  func blended(to other: FormParameters, share: Double) -> FormParameters {
    var result = self
    for field in Self.fields {
      let (a, b) = (self[keyPath: field.path], other[keyPath: field.path])
      result[keyPath: field.path] = a + (b - a) * share
    }
    return result
  }
}
