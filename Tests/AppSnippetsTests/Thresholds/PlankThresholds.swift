// swift-format-ignore-file
// Made by `planklab export`; change the thresholds file instead.
import PlankDetection

/// The tuned thresholds of the detector gravity.
nonisolated enum PlankThresholds {
  /// horizontal_ratio: vertical ratio at or above which a body stands instead of lying.
  static let horizontalRatio: Double = 0.55
  /// side_rise in m: height of one shoulder over the other beyond which a plank is a side plank.
  static let sideRise: Double = 0.15
  /// reverse_cosine: cosine between shoulder-hip and shoulder-wrist beyond which a plank is a reverse plank.
  static let reverseCosine: Double = 0.5
  /// elbow_split in deg: mean elbow angle beyond which a plank is a high plank.
  static let elbowSplit: Double = 140
  /// sag in m: depth of the hips below the line from shoulders to ankles beyond which they sag.
  static let sag: Double = 0.02
  /// pike in m: height of the hips above the line from shoulders to ankles beyond which they pike.
  static let pike: Double = 0.13
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
    (key: "horizontal_ratio", value: horizontalRatio),
    (key: "side_rise", value: sideRise),
    (key: "reverse_cosine", value: reverseCosine),
    (key: "elbow_split", value: elbowSplit),
    (key: "sag", value: sag),
    (key: "pike", value: pike),
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
    .gravity
  }

  /// The parameters, checked against the detector.
  static func parameters() throws(DetectorError) -> ParameterValues {
    var parameters = try definition().defaults
    for (key, value) in values { try parameters.set(ParameterKey(key), to: value) }
    return parameters
  }

  /// How joints and measurements are smoothed: one-euro:minCutoff=1.5Hz,beta=0.3,derivativeCutoff=1Hz@joints+ema:cutoff=2Hz@measurements.
  static func smoothing() throws(StrategyError) -> SmoothingStrategy {
    try SmoothingStrategy([SmoothingStep(.oneEuro, [ParameterKey("minCutoff"): 1.5, ParameterKey("beta"): 0.3, ParameterKey("derivativeCutoff"): 1], on: .joints), SmoothingStep(.exponential, [ParameterKey("cutoff"): 2], on: .measurements)])
  }

  /// What makes raw labels steady: dwell:enter=0.3s,switch=0.3s,exit=0.5s@plank+bands:elbow_split=5deg.
  static func debounce() throws(StrategyError) -> DebounceStrategy {
    try DebounceStrategy(plank: StrategySettings(.dwell, [ParameterKey("enter"): 0.3, ParameterKey("switch"): 0.3, ParameterKey("exit"): 0.5]), form: nil, bands: [SchmittBand(ParameterKey("elbow_split"), halfWidth: 5.0)])
  }

  /// The detector as it was tuned, at the start of a sequence.
  static func detector(startsMid: Bool = false) throws -> PlankDetector {
    try PlankDetector(
      definition(), parameters: parameters(), smoothing: smoothing(), debounce: debounce(),
      startsMid: startsMid)
  }
}
