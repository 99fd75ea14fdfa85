/// Every built-in parameter, listed once.
public enum ParameterCatalogue {
  /// The definitions in the order of documentation and output.
  public static let definitions: [ParameterDefinition] = published + trunk + steadying

  /// The definition of a key, or nil for a key that is not built in.
  public static func definition(of key: ParameterKey) -> ParameterDefinition? {
    definitions.first { $0.key == key }
  }

  /// The parameters that every detector has: debounce and dropout policy.
  public static let steadying: [ParameterDefinition] = [
    .init(
      checked: .plankFrames, .frames, 1, 1...1000,
      "frames in a row that a new plank class needs; 1 = off"),
    .init(
      checked: .formFrames, .frames, 1, 1...1000,
      "frames in a row that a new form class needs; 1 = off"),
    .init(
      checked: .holdSeconds, .seconds, 0.5, 0...10,
      "how long an answer outlives the last frame that supports it"),
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
