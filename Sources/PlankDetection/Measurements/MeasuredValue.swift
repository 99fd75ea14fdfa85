internal import PoseModel

/// The result of a measurement on one frame: a number, or one of two reasons for having none.
///
/// Rules treat the two reasons differently. A frame in which a measurement of the rules is
/// *missing* is undetermined. A comparison with an *inapplicable* measurement does not hold, so the
/// rules after it decide.
public enum MeasuredValue: Hashable, Sendable {
  /// A finite number in the measurement's unit.
  case value(Float)
  /// A joint or the up vector that the measurement needs is missing, or the body height is invalid.
  case missing
  /// All inputs are present, but the measurement has no meaning in this geometry.
  case inapplicable

  /// Reads a value from the number that a column stores; see `stored`.
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

  /// The number that a column stores: NaN if there is no value, with one bit that tells the reason.
  ///
  /// Comparisons with either kind of NaN are false, as they must be for a measurement without a
  /// value.
  @inlinable public var stored: Float {
    switch self {
    case .value(let number): number
    case .missing: .nan
    case .inapplicable: Self.inapplicableNumber
    }
  }

  /// Whether a stored number means that the value is missing.
  ///
  /// Every NaN except that of `inapplicable` means missing, so a NaN from a computation does, too.
  @inlinable public static func isMissing(_ stored: Float) -> Bool {
    stored.isNaN && stored.bitPattern != inapplicableNumber.bitPattern
  }

  @inlinable static var inapplicableNumber: Float { Float(bitPattern: 0x7FC0_0001) }
}

struct MeasurementNeeds: Hashable, Sendable {
  private var joints: UInt32 = 0
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

  /// Written out because Embedded Swift has no case names at run time.
  var name: String { Self.names[Int(rawValue)] }

  private static let names = ["shoulders", "elbows", "wrists", "hips", "knees", "ankles"]

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

/// A number of one frame, or the numbers of several frames side by side.
///
/// Each frame goes through the same operations in the same order as it would alone, so its numbers
/// are bit-identical. Where one frame would take a branch, both sides are computed, and
/// `replacing(with:where:)` selects one.
protocol FrameNumber: Sendable {
  associatedtype Mask: FrameMask

  static var scalarCount: Int { get }

  init(repeating number: Double)

  subscript(frame: Int) -> Double { get set }

  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, b: Self) -> Self
  static func / (a: Self, b: Self) -> Self
  func squareRoot() -> Self
  static func .< (a: Self, b: Self) -> Mask
  static func .<= (a: Self, b: Self) -> Mask

  func replacing(with other: Self, where mask: Mask) -> Self
}

protocol FrameMask {
  init(repeating answer: Bool)

  subscript(frame: Int) -> Bool { get }

  static func .& (a: Self, b: Self) -> Self
  static func .| (a: Self, b: Self) -> Self
  static prefix func .! (a: Self) -> Self
}

typealias EightFrames = SIMD8<Double>

extension SIMD8<Double>: FrameNumber {}

extension SIMDMask<SIMD8<Int64>>: FrameMask {}

extension Double: FrameNumber {
  static var scalarCount: Int { 1 }

  init(repeating number: Double) { self = number }

  subscript(frame: Int) -> Double {
    get { self }
    set { self = newValue }
  }

  static func .< (a: Double, b: Double) -> Bool { a < b }

  static func .<= (a: Double, b: Double) -> Bool { a <= b }

  func replacing(with other: Double, where mask: Bool) -> Double { mask ? other : self }
}

extension Bool: FrameMask {
  init(repeating answer: Bool) { self = answer }

  subscript(frame: Int) -> Bool { self }

  static func .& (a: Bool, b: Bool) -> Bool { a && b }

  static func .| (a: Bool, b: Bool) -> Bool { a || b }

  static prefix func .! (a: Bool) -> Bool { !a }
}

extension FrameNumber {
  @inline(__always) static var nan: Self { Self(repeating: .nan) }

  @inline(__always) static prefix func - (a: Self) -> Self { a.map { -$0 } }

  @inline(__always) func isAtLeast(_ limit: Double) -> Mask { Self(repeating: limit) .<= self }

  @inline(__always) func isAtMost(_ limit: Double) -> Mask { self .<= Self(repeating: limit) }

  @inline(__always) var magnitude: Self { map { $0.magnitude } }

  @inline(__always) var isFinite: Mask { magnitude .< Self(repeating: .infinity) }

  @inline(__always) var isNaN: Mask { .!(self .<= self) }

  @inline(__always) var isZero: Mask { magnitude.isAtMost(0) }

  @inline(__always) func only(where mask: Mask) -> Self {
    Self.nan.replacing(with: self, where: mask)
  }

  @inline(__always) func maximum(_ other: Self) -> Self {
    replacing(with: other, where: self .<= other .| other.isNaN)
  }

  @inline(__always) func minimum(_ other: Self) -> Self {
    replacing(with: other, where: other .< self .| other.isNaN)
  }

  @inline(__always) func mean(_ other: Self) -> Self { (self + other) / Self(repeating: 2) }

  static func atan2Degrees(_ y: Self, _ x: Self) -> Self {
    var angles = y
    for frame in 0..<scalarCount { angles[frame] = PoseModel.atan2Degrees(y[frame], x[frame]) }
    return angles
  }

  @inline(__always) private func map(_ transform: (Double) -> Double) -> Self {
    var result = self
    for frame in 0..<Self.scalarCount { result[frame] = transform(self[frame]) }
    return result
  }
}

extension Comparison {
  func isTrue<Number: FrameNumber>(_ left: Number, _ right: Number) -> Number.Mask {
    switch self {
    case .greater: right .< left
    case .greaterOrEqual: right .<= left
    case .less: left .< right
    case .lessOrEqual: left .<= right
    }
  }
}

struct FrameVector<Number: FrameNumber>: Sendable {
  var x: Number
  var y: Number
  var z: Number

  @inline(__always) init(_ x: Number, _ y: Number, _ z: Number) {
    self.x = x
    self.y = y
    self.z = z
  }

  @inline(__always) static var nowhere: FrameVector { FrameVector(.nan, .nan, .nan) }

  @inline(__always) static func + (a: FrameVector, b: FrameVector) -> FrameVector {
    FrameVector(a.x + b.x, a.y + b.y, a.z + b.z)
  }

  @inline(__always) static func - (a: FrameVector, b: FrameVector) -> FrameVector {
    FrameVector(a.x - b.x, a.y - b.y, a.z - b.z)
  }

  @inline(__always) static prefix func - (a: FrameVector) -> FrameVector {
    FrameVector(-a.x, -a.y, -a.z)
  }

  @inline(__always) static func * (a: FrameVector, factor: Number) -> FrameVector {
    FrameVector(a.x * factor, a.y * factor, a.z * factor)
  }

  @inline(__always) static func / (a: FrameVector, divisor: Number) -> FrameVector {
    FrameVector(a.x / divisor, a.y / divisor, a.z / divisor)
  }

  @inline(__always) func dot(_ other: FrameVector) -> Number {
    x * other.x + y * other.y + z * other.z
  }

  @inline(__always) func cross(_ other: FrameVector) -> FrameVector {
    FrameVector(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  @inline(__always) var norm: Number { dot(self).squareRoot() }

  @inline(__always) var isFinite: Number.Mask { x.isFinite .& y.isFinite .& z.isFinite }

  @inline(__always) func midpoint(_ other: FrameVector) -> FrameVector {
    (self + other) * Number(repeating: 0.5)
  }

  @inline(__always) func angleDegrees(to other: FrameVector) -> Number {
    Number.atan2Degrees(cross(other).norm, dot(other))
  }

  @inline(__always) func replacing(with other: FrameVector, where mask: Number.Mask) -> FrameVector
  {
    FrameVector(
      x.replacing(with: other.x, where: mask), y.replacing(with: other.y, where: mask),
      z.replacing(with: other.z, where: mask))
  }
}
