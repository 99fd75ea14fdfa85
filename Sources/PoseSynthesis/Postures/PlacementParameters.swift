package import PoseModel

/// What the arm that does not carry does in a side plank.
package enum FreeArm: String, CaseIterable, Hashable, Sendable {
  /// Along the body.
  case atSide
  /// The hand on the hip.
  case onHip
  /// Straight up.
  case up
}

/// How a posture is taken: the freedoms that do not change its name.
package struct PlacementParameters: ScriptParameters {
  /// What the free arm of a side plank does.
  package var freeArm = FreeArm.atSide
  /// How far the carrying arms lean toward the feet; 0 is vertical.
  package var supportTilt = Degrees(0)
  /// Bend of straight carrying arms.
  package var elbowFlexion = Degrees(4)
  /// How far forearms on the floor turn inward.
  package var forearmTurn = Degrees(15)
  /// Turn of a side plank about the body's length; positive turns the chest to the floor where
  /// the left side is up.
  package var roll = Degrees(0)
  /// Trunk lean of a side bend.
  package var trunkLean = Degrees(25)
  /// Strides or crawling steps a second.
  package var cycleRate = Hertz(1)
  /// Standard deviation of every joint angle of postures that are no planks, drawn once a hold.
  package var angleSpread = Degrees(4)

  /// The textbook posture.
  package init() {}

  package static let section = "placement"

  package static let words: [ScriptWord<Self>] = [
    ScriptWord("free_arm", \.freeArm, "what the arm that does not carry does in a side plank")
  ]

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "support_tilt_deg", "deg", -10...25, \.supportTilt.value,
      "lean of the carrying arms toward the feet"),
    ScriptField(
      "elbow_flexion_deg", "deg", 0...20, \.elbowFlexion.value, "bend of straight carrying arms"),
    ScriptField(
      "forearm_turn_deg", "deg", -10...45, \.forearmTurn.value,
      "inward turn of forearms on the floor"),
    ScriptField(
      "roll_deg", "deg", -15...15, \.roll.value,
      "turn of a side plank about the body's length"),
    ScriptField(
      "trunk_lean_deg", "deg", 15...40, \.trunkLean.value, "sideways lean of a side bend"),
    ScriptField(
      "cycle_rate_hz", "Hz", 0.5...2, \.cycleRate.value, "strides or crawling steps a second"),
    ScriptField(
      "angle_spread_deg", "deg", 0...10, \.angleSpread.value,
      "standard deviation of each joint angle of negatives, drawn once a hold"),
  ]

  /// The placement a share of the way to another one.
  func blended(to other: PlacementParameters, share: Double) -> PlacementParameters {
    var result = share < 0.5 ? self : other
    for field in Self.fields {
      let (a, b) = (self[keyPath: field.path], other[keyPath: field.path])
      result[keyPath: field.path] = a + (b - a) * share
    }
    return result
  }
}
