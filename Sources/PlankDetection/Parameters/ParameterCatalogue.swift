/// Every built-in parameter, listed once.
public enum ParameterCatalogue {
  /// The definitions in the order of documentation and output.
  public static let definitions: [ParameterDefinition] =
    published + trunk + coach + profile
    + common

  /// The definition of a key, or nil for a key that is not built in.
  public static func definition(of key: ParameterKey) -> ParameterDefinition? {
    definitions.first { $0.key == key }
  }

  /// The parameters that every detector has: debounce, dropout policy and the bands of the grade.
  public static let common: [ParameterDefinition] = [
    .init(
      checked: .plankFrames, .frames, 1, 1...1000,
      "frames in a row that a new plank class needs; 1 = off"),
    .init(
      checked: .formFrames, .frames, 1, 1...1000,
      "frames in a row that a new form class needs; 1 = off"),
    .init(
      checked: .holdSeconds, .seconds, 0.5, 0...10,
      "how long an answer outlives the last frame that supports it"),
    .init(
      checked: .gradeGood, .degrees, 165, 0...180,
      "least body angle of a forearm or high plank graded good"),
    .init(
      checked: .gradeWarning, .degrees, 155, 0...180,
      "least body angle of one graded warning; below, it is bad"),
    .init(
      checked: .gradeSideGood, .degrees, 160, 0...180,
      "least body angle of a side or reverse plank graded good"),
    .init(
      checked: .gradeSideWarning, .degrees, 150, 0...180,
      "least body angle of one graded warning; below, it is bad"),
  ]

  private static let published: [ParameterDefinition] = [
    .init(
      checked: .horizontalRatio, .ratio, 0.55, 0...1,
      "vertical ratio from which on a body stands instead of lies"),
    .init(
      checked: .sideRise, .meters, 0.15, 0...0.6,
      "height of one shoulder over the other beyond which a plank is a side plank"),
    .init(
      checked: .sideRiseFraction, .bodyHeights, 0.15 / 1.8, 0...0.35,
      "the same, as a fraction of the body height"),
    .init(
      checked: .reverseCosine, .ratio, 0.5, -1...1,
      "cosine between shoulder-hip and shoulder-wrist beyond which a plank is a reverse plank"),
    .init(
      checked: .elbowSplit, .degrees, 140, 0...180,
      "mean elbow angle beyond which a plank is a high plank"),
    .init(
      checked: .sag, .meters, 0.05, -0.3...0.3,
      "depth of the hips below the line from shoulders to ankles beyond which they sag"),
    .init(
      checked: .pike, .meters, 0.05, -0.3...0.3,
      "height of the hips above the line from shoulders to ankles beyond which they pike"),
    .init(
      checked: .sagFraction, .bodyHeights, 0.05 / 1.8, -0.2...0.2,
      "sag as a fraction of the body height"),
    .init(
      checked: .pikeFraction, .bodyHeights, 0.05 / 1.8, -0.2...0.2,
      "pike as a fraction of the body height"),
  ]

  private static let trunk: [ParameterDefinition] = [
    .init(
      checked: .trunkHorizontalRatio, .ratio, 0.6427876096865393, 0...1,
      "vertical ratio from which on a body stands: the sine of 40 degrees"),
    .init(
      checked: .trunkBodyAngle, .degrees, 140, 0...180,
      "body angle up to which a body is bent too far for a plank"),
    .init(
      checked: .trunkSupportDrop, .bodyHeights, 0.10, 0...0.5,
      "reach of an arm below its shoulder under which nothing carries the body"),
    .init(
      checked: .trunkHipClearance, .bodyHeights, 0.055, 0...0.5,
      "height of the hips over the lowest joint under which a body lies"),
    .init(
      checked: .trunkReverseRoll, .degrees, 135, 0...180,
      "trunk roll from which on a plank is a reverse plank"),
    .init(
      checked: .trunkSideRoll, .degrees, 45, 0...180,
      "trunk roll from which on a plank is a side plank"),
    .init(
      checked: .trunkForearmVerticality, .ratio, 0.6, 0...1,
      "uprightness of the forearms beyond which a plank is a high plank"),
  ]
}

/// The name of a parameter in files, on the command line and in JSON.
public struct ParameterKey: RawRepresentable, Hashable, Sendable {
  /// The name, in snake case.
  public let rawValue: String

  /// Makes a key from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes a key from its name.
  public init(_ name: String) { rawValue = name }

  /// `horizontal_ratio`: the vertical ratio from which on a body stands.
  public static let horizontalRatio = ParameterKey("horizontal_ratio")
  /// `side_rise`: how much higher one shoulder is in a side plank.
  public static let sideRise = ParameterKey("side_rise")
  /// `side_rise_fraction`: the same over the body height.
  public static let sideRiseFraction = ParameterKey("side_rise_fraction")
  /// `reverse_cosine`: the cosine beyond which the wrists are on the hips' side.
  public static let reverseCosine = ParameterKey("reverse_cosine")
  /// `elbow_split`: the angle beyond which an arm is straight.
  public static let elbowSplit = ParameterKey("elbow_split")
  /// `sag`: how far below the line the hips may be.
  public static let sag = ParameterKey("sag")
  /// `pike`: how far above the line the hips may be.
  public static let pike = ParameterKey("pike")
  /// `sag_fraction`: the same over the body height.
  public static let sagFraction = ParameterKey("sag_fraction")
  /// `pike_fraction`: the same over the body height.
  public static let pikeFraction = ParameterKey("pike_fraction")
  /// `plank_frames`: how many frames in a row a new plank class needs.
  public static let plankFrames = ParameterKey("plank_frames")
  /// `form_frames`: how many frames in a row a new form class needs.
  public static let formFrames = ParameterKey("form_frames")
  /// `hold_seconds`: how long an answer outlives the frames that support it.
  public static let holdSeconds = ParameterKey("hold_seconds")
  /// `grade_good`: the lowest body angle of a forearm or high plank graded good.
  public static let gradeGood = ParameterKey("grade_good")
  /// `grade_warning`: the lowest body angle of one graded warning.
  public static let gradeWarning = ParameterKey("grade_warning")
  /// `grade_side_good`: the same as `grade_good` for side and reverse planks.
  public static let gradeSideGood = ParameterKey("grade_side_good")
  /// `grade_side_warning`: the same as `grade_warning` for side and reverse planks.
  public static let gradeSideWarning = ParameterKey("grade_side_warning")
  /// `trunk_horizontal_ratio`: the vertical ratio from which on a body stands (trunk).
  public static let trunkHorizontalRatio = ParameterKey("trunk_horizontal_ratio")
  /// `trunk_body_angle`: the angle up to which a body is bent too far for a plank (trunk).
  public static let trunkBodyAngle = ParameterKey("trunk_body_angle")
  /// `trunk_support_drop`: how far below its shoulder an arm must reach to carry (trunk).
  public static let trunkSupportDrop = ParameterKey("trunk_support_drop")
  /// `trunk_hip_clearance`: how far off the ground the hips must be (trunk).
  public static let trunkHipClearance = ParameterKey("trunk_hip_clearance")
  /// `trunk_side_roll`: the roll from which on a body lies on its side (trunk).
  public static let trunkSideRoll = ParameterKey("trunk_side_roll")
  /// `trunk_reverse_roll`: the roll from which on a body faces up (trunk).
  public static let trunkReverseRoll = ParameterKey("trunk_reverse_roll")
  /// `trunk_forearm_verticality`: the uprightness beyond which a forearm stands on its hand
  /// (trunk).
  public static let trunkForearmVerticality = ParameterKey("trunk_forearm_verticality")
}
