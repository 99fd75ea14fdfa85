package import PoseModel

/// The statistics of stature that a subject is drawn from.
package enum Sex: String, CaseIterable, Hashable, Sendable {
  /// Stature N(1.62, 0.063) m (Huston's table).
  case female
  /// Stature N(1.76, 0.067) m (Huston's table).
  case male

  /// Mean and standard deviation of stature in meters.
  var stature: (mean: Double, standardDeviation: Double) {
    self == .female ? (1.62, 0.063) : (1.76, 0.067)
  }
}

/// Who is recorded: name, stature and how far from the table the segments are.
package struct SubjectParameters: ScriptParameters {
  /// The subject's name in manifests.
  package var name = "s01"
  /// The subject's own seed: the same seed is the same body in every session.
  package var seed: UInt64 = 1
  /// The sex whose statistics the stature follows; segments follow stature.
  package var sex = Sex.male
  /// Stature.
  package var height = Meters(1.75)
  /// Relative standard deviation of every segment's fraction.
  package var proportionSpread = 0.03
  /// Relative standard deviation of the difference between left and right.
  package var asymmetry = 0.01

  /// A man of 1.75 m with the usual spread.
  package init() {}

  package static let section = "subject"

  package static let words: [ScriptWord<Self>] = [
    ScriptWord("sex", \.sex, "which statistics the stature of a studio's people follows")
  ]

  package static let fields: [ScriptField<Self>] = [
    ScriptField("height_m", "m", 1.45...2.05, \.height.value, "stature"),
    ScriptField(
      "proportion_spread", "", 0...0.06, \.proportionSpread,
      "relative standard deviation of each segment's fraction of stature"),
    ScriptField(
      "asymmetry", "", 0...0.03, \.asymmetry,
      "relative standard deviation of left against right in each limb segment"),
  ]
}
