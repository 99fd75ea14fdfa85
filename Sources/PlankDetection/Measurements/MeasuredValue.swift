internal import PoseModel

/// The result of a measurement on one frame: a number, or one of two reasons for having none.
///
/// Rules treat the two differently. A frame in which something is *missing* tells nothing, so it is
/// undetermined. If a measurement is *inapplicable* to the body, its comparisons do not hold, and
/// the list goes on.
public enum MeasuredValue: Hashable, Sendable {
  /// The number in the measurement's unit, finite.
  case value(Float)
  /// A joint or the up vector that it needs is missing, or the body height that is given is none.
  case missing
  /// Everything that it needs is present, but the geometry gives it no meaning.
  case inapplicable

  /// Reads a number from a column; see `stored`.
  @inlinable public init(stored number: Float) {
    if number.isFinite {
      self = .value(number)
    } else {
      self = Self.isMissing(number) ? .missing : .inapplicable
    }
  }

  /// The number, or nil if there is none.
  @inlinable public var number: Float? {
    if case .value(let number) = self { number } else { nil }
  }

  /// Why there is no number, in one word for reports; nil if there is a number.
  public var absence: String? {
    switch self {
    case .value: nil
    case .missing: "missing"
    case .inapplicable: "inapplicable"
    }
  }

  /// The number as columns store it: NaN if there is none, with one bit for the reason.
  ///
  /// Comparisons with either kind of NaN are false, as required of a comparison that does not hold.
  @inlinable public var stored: Float {
    switch self {
    case .value(let number): number
    case .missing: .nan
    case .inapplicable: Self.inapplicableNumber
    }
  }

  /// Whether a number of a column means missing.
  ///
  /// Every NaN does except that of `inapplicable`, so NaN from elsewhere reads as missing.
  @inlinable public static func isMissing(_ stored: Float) -> Bool {
    stored.isNaN && stored.bitPattern != inapplicableNumber.bitPattern
  }

  /// The quiet NaN with payload 1.
  @inlinable static var inapplicableNumber: Float { Float(bitPattern: 0x7FC0_0001) }
}

struct MeasurementNeeds: Hashable, Sendable {
  /// The joints, one bit each by `Joint.index`.
  private var joints: UInt32 = 0
  /// The pairs of joints of which one is enough, one bit each.
  private var pairs: UInt8 = 0
  private var confidences: UInt32 = 0
  private var confidencePairs: UInt8 = 0
  private(set) var bodyHeight = false

  init(_ joints: [Joint] = [], bodyHeight: Bool = false) {
    for joint in joints { self.joints |= 1 << UInt32(joint.index) }
    self.bodyHeight = bodyHeight
  }

  init(oneOf pair: JointPair) { pairs = pair.bit }

  init(confidenceOf joint: Joint) { confidences = 1 << UInt32(joint.index) }

  init(confidenceOf pair: JointPair) { confidencePairs = pair.bit }

  func contains(_ joint: Joint) -> Bool { joints & (1 << UInt32(joint.index)) != 0 }

  mutating func formUnion(_ other: MeasurementNeeds) {
    joints |= other.joints
    pairs |= other.pairs
    confidences |= other.confidences
    confidencePairs |= other.confidencePairs
    bodyHeight = bodyHeight || other.bodyHeight
  }

  func areMet<Number>(by frames: FrameGroup<Number>) -> Number.Mask {
    var areMet = frames.contain(joints)
    if bodyHeight { areMet = (areMet .& frames.bodyHeight.isFinite) }
    guard confidences | UInt32(pairs | confidencePairs) != 0 else { return areMet }
    for joint in Joint.allCases where confidences & (1 << UInt32(joint.index)) != 0 {
      areMet = (areMet .& frames.confidence(of: joint).isFinite)
    }
    for pair in JointPair.allCases {
      if pairs & pair.bit != 0 { areMet = (areMet .& frames[pair].isFinite) }
      if confidencePairs & pair.bit != 0 {
        areMet = (areMet .& frames.confidence(of: pair).isFinite)
      }
    }
    return areMet
  }
}

enum JointPair: UInt8, CaseIterable, Hashable, Sendable {
  case shoulders
  case elbows
  case wrists
  case hips
  case knees
  case ankles

  /// The name, written out because Embedded Swift does not know it.
  var name: String {
    switch self {
    case .shoulders: "shoulders"
    case .elbows: "elbows"
    case .wrists: "wrists"
    case .hips: "hips"
    case .knees: "knees"
    case .ankles: "ankles"
    }
  }

  var joints: (left: Joint, right: Joint) {
    switch self {
    case .shoulders: (.leftShoulder, .rightShoulder)
    case .elbows: (.leftElbow, .rightElbow)
    case .wrists: (.leftWrist, .rightWrist)
    case .hips: (.leftHip, .rightHip)
    case .knees: (.leftKnee, .rightKnee)
    case .ankles: (.leftAnkle, .rightAnkle)
    }
  }

  var bit: UInt8 { 1 << rawValue }
}
