// swift-format-ignore-file
// Made by `planklab export`; change the thresholds file instead.
import PlankDetection
import PoseModel

/// The tuned thresholds of the detector cautious.
nonisolated enum CautiousThresholds {
  /// lean: the largest lean.
  static let lean: Double = 0.35
  /// elbow_split in deg: mean elbow angle beyond which a plank is a high plank.
  static let elbowSplit: Double = 128.5
  /// side_rise in m: height of one shoulder over the other beyond which a plank is a side plank.
  static let sideRise: Double = 0.15
  /// sag in m: depth of the hips below the line from shoulders to ankles beyond which they sag.
  static let sag: Double = 0.03
  /// plank_frames in frames: frames in a row that a new plank class needs; 1 = off.
  static let plankFrames: Int = 1
  /// form_frames in frames: frames in a row that a new form class needs; 1 = off.
  static let formFrames: Int = 1
  /// hold_seconds in s: how long an answer outlives the last frame that supports it.
  static let holdSeconds: Double = 0.5
  /// grade_good in deg: least body angle of a forearm or high plank graded good.
  static let gradeGood: Double = 165
  /// grade_warning in deg: least body angle graded warning; below it, the grade is bad.
  static let gradeWarning: Double = 155
  /// grade_side_good in deg: least body angle of a side or reverse plank graded good.
  static let gradeSideGood: Double = 160
  /// grade_side_warning in deg: least body angle graded warning; below it, the grade is bad.
  static let gradeSideWarning: Double = 150

  /// Every parameter with its value.
  static let values: [(key: String, value: Double)] = [
    (key: "lean", value: lean),
    (key: "elbow_split", value: elbowSplit),
    (key: "side_rise", value: sideRise),
    (key: "sag", value: sag),
    (key: "plank_frames", value: Double(plankFrames)),
    (key: "form_frames", value: Double(formFrames)),
    (key: "hold_seconds", value: holdSeconds),
    (key: "grade_good", value: gradeGood),
    (key: "grade_warning", value: gradeWarning),
    (key: "grade_side_good", value: gradeSideGood),
    (key: "grade_side_warning", value: gradeSideWarning),
  ]

  /// The detector's rules.
  static func definition() throws(DetectorError) -> DetectorDefinition {
    var expressions: [Measurement] = []
    expressions.append(
      try Measurement("bend", "min(kneeAngle, angle(hips, knees, ankles))", using: expressions))
    expressions.append(
      try Measurement("bounce", "speed(bend, 0.5s) * 1s", using: expressions))
    return try DetectorDefinition(
      name: "cautious", summary: "leans \"less\"",
      axes: .article,
      plank: DecisionList(.plank, [
        Rule(.plank(.none), when: [Predicate(.verticalRatio, .greaterOrEqual, ParameterKey("lean"))]),
        Rule(.plank(.none), when: [Predicate(expressions[1], .greater, ParameterKey("elbow_split"))]),
        Rule(.plank(.high), when: [Predicate(.elbowAngle, .greater, ParameterKey("elbow_split")), Predicate(.shoulderRise, .less, ParameterKey("side_rise"), negated: true)]),
        Rule(.plank(.forearm), when: []),
      ]),
      form: DecisionList(.form, [
        Rule(.form(.sag), when: [Predicate(.hipDeviation, .less, ParameterKey("sag"), negated: true)]),
        Rule(.form(.aligned), when: []),
      ]),
      expressions: expressions, custom: [
        ParameterDefinition(ParameterKey("lean"), unit: .ratio, default: 0.4, range: 0.0...1.0, meaning: "the largest lean"),
        ParameterDefinition(ParameterKey("sag"), unit: .meters, default: 0.03, range: -0.3...0.3, meaning: "depth of the hips below the line from shoulders to ankles beyond which they sag"),
      ])
  }

  /// The parameters, checked against the detector.
  static func parameters() throws(DetectorError) -> ParameterValues {
    var parameters = try definition().defaults
    for (key, value) in values { try parameters.set(ParameterKey(key), to: value) }
    return parameters
  }

  /// How joints and measurements are smoothed: none.
  static func smoothing() throws(StrategyError) -> SmoothingStrategy {
    .none
  }

  /// What makes raw labels steady: parameters.
  static func debounce() throws(StrategyError) -> DebounceStrategy {
    .parameters
  }

  /// The detector as it was tuned, at the start of a sequence.
  static func detector(startsMid: Bool = false) throws -> PlankDetector {
    try PlankDetector(
      definition(), parameters: parameters(), smoothing: smoothing(), debounce: debounce(),
      startsMid: startsMid)
  }
}
