/// A body joint of any of the supported skeletons; left and right are the person's own.
///
/// Case names are the names used in recordings and in Vision's Swift interface; raw values are
/// positions in `allCases`.
public enum Joint: UInt8, CaseIterable, Hashable, Sendable {
  /// Between the hips.
  case root
  /// The right hip.
  case rightHip
  /// The right knee.
  case rightKnee
  /// The right ankle.
  case rightAnkle
  /// The left hip.
  case leftHip
  /// The left knee.
  case leftKnee
  /// The left ankle.
  case leftAnkle
  /// The middle of the spine.
  case spine
  /// Between the shoulders.
  case centerShoulder
  /// The center of the head.
  case centerHead
  /// The top of the head.
  case topHead
  /// The left shoulder.
  case leftShoulder
  /// The left elbow.
  case leftElbow
  /// The left wrist.
  case leftWrist
  /// The right shoulder.
  case rightShoulder
  /// The right elbow.
  case rightElbow
  /// The right wrist.
  case rightWrist
  /// The nose (2D).
  case nose
  /// The left eye (2D).
  case leftEye
  /// The right eye (2D).
  case rightEye
  /// The left ear (2D).
  case leftEar
  /// The right ear (2D).
  case rightEar
  /// The neck (2D).
  case neck

  /// How many joints there are over all skeletons.
  public static let count = allCases.count

  /// The position in `allCases`, 0..<`count`.
  @inlinable public var index: Int { Int(rawValue) }

  /// The joint's name in recordings, for example `leftShoulder`.
  public var name: String { Self.names[index] }

  /// The joint of a name, or nil where there is none; case matters.
  public init?(name: String) {
    guard let joint = Self.byName[name] else { return nil }
    self = joint
  }

  /// The joint that this one becomes when left and right are swapped; itself on the midline.
  public var mirrored: Joint {
    for (side, other) in [("left", "right"), ("right", "left")] where name.hasPrefix(side) {
      return Joint(name: other + name.dropFirst(side.count)) ?? self
    }
    return self
  }

  private static let names = allCases.map { String(describing: $0) }
  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}
