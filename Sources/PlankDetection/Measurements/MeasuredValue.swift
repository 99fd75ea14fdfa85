internal import PoseModel

/// What a measurement says of one frame: a number, or which of two reasons there is for none.
///
/// The difference decides what rules do. A frame in which something is *missing* tells nothing, so
/// that it is undetermined. A measurement that is *inapplicable* to a body that is there makes its
/// comparisons not hold, and the list goes on.
public enum MeasuredValue: Hashable, Sendable {
  /// The number in the measurement's unit, finite.
  case value(Float)
  /// A joint that it needs, the up vector or the body height is not there.
  case missing
  /// All that it needs is there, but the geometry gives it no meaning.
  case inapplicable

  /// Reads a number as columns store it; see `stored`.
  @inlinable public init(stored number: Float) {
    if number.isFinite {
      self = .value(number)
    } else {
      self = Self.isMissing(number) ? .missing : .inapplicable
    }
  }

  /// The number, or nil where there is none.
  @inlinable public var number: Float? {
    if case .value(let number) = self { number } else { nil }
  }

  /// Why there is no number, in a word for reports; nil where there is one.
  public var absence: String? {
    switch self {
    case .value: nil
    case .missing: "missing"
    case .inapplicable: "inapplicable"
    }
  }

  /// The number as columns store it: NaN where there is none, of which one bit tells the reason.
  ///
  /// Both kinds of NaN compare as false, which is what a comparison that does not hold needs.
  @inlinable public var stored: Float {
    switch self {
    case .value(let number): number
    case .missing: .nan
    case .inapplicable: Self.inapplicableNumber
    }
  }

  /// Whether a number of a column stands for something missing.
  ///
  /// Every NaN does except the one of `inapplicable`, so that NaN from elsewhere reads as missing.
  @inlinable public static func isMissing(_ stored: Float) -> Bool {
    stored.isNaN && stored.bitPattern != inapplicableNumber.bitPattern
  }

  /// The quiet NaN with payload 1.
  @inlinable static var inapplicableNumber: Float { Float(bitPattern: 0x7FC0_0001) }
}

/// What a measurement needs of a frame, so that nothing it needs can be missing.
struct MeasurementNeeds: Hashable, Sendable {
  /// The joints, one bit each by `Joint.index`.
  private var joints: UInt32 = 0
  /// Whether the body height is needed.
  private var bodyHeight = false

  /// Needs joints, and perhaps the body height.
  init(_ joints: [Joint] = [], bodyHeight: Bool = false) {
    for joint in joints { self.joints |= 1 << UInt32(joint.index) }
    self.bodyHeight = bodyHeight
  }

  /// Needs also what another measurement needs.
  mutating func formUnion(_ other: MeasurementNeeds) {
    joints |= other.joints
    bodyHeight = bodyHeight || other.bodyHeight
  }

  /// Whether a frame has all of it.
  func areMet(by joints: JointReader, bodyHeight: Double) -> Bool {
    if self.bodyHeight, !(bodyHeight.isFinite && bodyHeight > 0) { return false }
    for joint in Joint.allCases where self.joints & (1 << UInt32(joint.index)) != 0 {
      guard joints[joint].isFinite else { return false }
    }
    return true
  }
}
