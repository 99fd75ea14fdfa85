/// The name of a parameter as files, the command line and JSON write it.
public struct ParameterKey: RawRepresentable, Hashable, Sendable {
  /// The name, in snake case.
  public let rawValue: String

  /// Makes a key from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes a key from its name.
  public init(_ name: String) { rawValue = name }

  /// `horizontal_ratio`: from which vertical ratio on a body stands.
  public static let horizontalRatio = ParameterKey("horizontal_ratio")
  /// `side_rise`: how much higher one shoulder is in a side plank.
  public static let sideRise = ParameterKey("side_rise")
  /// `side_rise_fraction`: the same over the body height.
  public static let sideRiseFraction = ParameterKey("side_rise_fraction")
  /// `reverse_cosine`: beyond which cosine the wrists are on the hips' side.
  public static let reverseCosine = ParameterKey("reverse_cosine")
  /// `elbow_split`: beyond which angle an arm is straight.
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
  /// `trunk_horizontal_ratio`: from which vertical ratio on a body stands (trunk).
  public static let trunkHorizontalRatio = ParameterKey("trunk_horizontal_ratio")
  /// `trunk_body_angle`: up to which angle a body is bent too far for a plank (trunk).
  public static let trunkBodyAngle = ParameterKey("trunk_body_angle")
  /// `trunk_support_drop`: how far below its shoulder an arm must reach to carry (trunk).
  public static let trunkSupportDrop = ParameterKey("trunk_support_drop")
  /// `trunk_hip_clearance`: how far off the ground the hips must be (trunk).
  public static let trunkHipClearance = ParameterKey("trunk_hip_clearance")
  /// `trunk_side_roll`: from which roll on a body lies on its side (trunk).
  public static let trunkSideRoll = ParameterKey("trunk_side_roll")
  /// `trunk_reverse_roll`: from which roll on a body faces up (trunk).
  public static let trunkReverseRoll = ParameterKey("trunk_reverse_roll")
  /// `trunk_forearm_verticality`: beyond which a forearm stands on its hand (trunk).
  public static let trunkForearmVerticality = ParameterKey("trunk_forearm_verticality")
}
