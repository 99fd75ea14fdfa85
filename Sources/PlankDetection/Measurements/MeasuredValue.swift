internal import PoseModel

/// The result of a measurement on one frame: a number, or one of two reasons for having none.
///
/// Rules treat the two differently. A frame in which something is *missing* tells nothing, so it is
/// undetermined. If a measurement is *inapplicable* to the body, its comparisons do not hold, and
/// the list goes on.
public enum MeasuredValue: Hashable, Sendable {
  /// The number in the measurement's unit, finite.
  case value(Float)
  /// A joint, the up vector or the body height that it needs is missing.
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

/// The parts of a frame that a measurement needs.
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

  /// Adds the needs of another measurement.
  mutating func formUnion(_ other: MeasurementNeeds) {
    joints |= other.joints
    bodyHeight = bodyHeight || other.bodyHeight
  }

  /// Whether a frame has all of them.
  func areMet(by joints: JointReader, bodyHeight: Double) -> Bool {
    if self.bodyHeight, !(bodyHeight.isFinite && bodyHeight > 0) { return false }
    for joint in Joint.allCases where self.joints & (1 << UInt32(joint.index)) != 0 {
      guard joints[joint].isFinite else { return false }
    }
    return true
  }
}
