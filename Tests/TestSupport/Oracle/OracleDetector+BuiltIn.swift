extension OracleDetector {
  /// The lists as published, on the camera's axes.
  package static let article = published("article", .article)
  /// The same lists with the up vector.
  package static let gravity = published("gravity", .gravity)
  /// Gravity in fractions of the body height.
  package static let scaled = OracleDetector(
    name: "scaled", axes: .gravity,
    plank: plankRules(rise: "shoulderRiseFraction", riseKey: "side_rise_fraction"),
    form: formRules("hipDeviationFraction", sag: "sag_fraction", pike: "pike_fraction"),
    parameters: common.merging(
      ["side_rise_fraction": 0.15 / 1.8, "sag_fraction": 0.05 / 1.8, "pike_fraction": 0.05 / 1.8],
      uniquingKeysWith: { $1 }))

  /// The three of them.
  package static let builtIns = [article, gravity, scaled]

  private static let common: [String: Double] = [
    "horizontal_ratio": 0.55, "reverse_cosine": 0.5, "elbow_split": 140, "plank_frames": 1,
    "form_frames": 1, "hold_seconds": 0.5,
  ]

  private static func published(_ name: String, _ axes: OracleAxes) -> OracleDetector {
    OracleDetector(
      name: name, axes: axes, plank: plankRules(rise: "shoulderRise", riseKey: "side_rise"),
      form: formRules("hipDeviation", sag: "sag", pike: "pike"),
      parameters: common.merging(
        ["side_rise": 0.15, "sag": 0.05, "pike": 0.05], uniquingKeysWith: { $1 }))
  }

  private static func plankRules(rise: String, riseKey: String) -> [OracleRule] {
    [
      OracleRule("none", OraclePredicate("verticalRatio", ">=", "horizontal_ratio")),
      OracleRule("sideLeft", OraclePredicate(rise, ">", riseKey)),
      OracleRule("sideRight", OraclePredicate(rise, "<", riseKey, isNegated: true)),
      OracleRule("reverse", OraclePredicate("wristHipCosine", ">", "reverse_cosine")),
      OracleRule("high", OraclePredicate("elbowAngle", ">", "elbow_split")),
      OracleRule("forearm"),
    ]
  }

  private static func formRules(_ deviation: String, sag: String, pike: String) -> [OracleRule] {
    [
      OracleRule("sag", OraclePredicate(deviation, "<", sag, isNegated: true)),
      OracleRule("pike", OraclePredicate(deviation, ">", pike)),
      OracleRule("aligned"),
    ]
  }
}
