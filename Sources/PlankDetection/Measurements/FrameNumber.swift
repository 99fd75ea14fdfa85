internal import PoseModel

/// A number of one frame, or the numbers of several frames side by side.
///
/// Formulas and expressions are written once, for either: an app measures every frame as it comes,
/// in `Double`; of a recording, `EightFrames` are measured at a time, since a processor computes
/// several numbers in the time of one. Frames never mix, and each gets the operations that it would
/// get alone, in the same order, so its numbers are the same to the bit. Where one frame would take
/// a branch, both sides are computed, and `replacing(with:where:)` selects.
protocol FrameNumber: Sendable {
  /// A yes or no for every frame.
  associatedtype Mask: FrameMask

  /// How many frames there are.
  static var scalarCount: Int { get }

  /// The same number for every frame.
  init(repeating number: Double)

  /// The number of one frame.
  subscript(frame: Int) -> Double { get set }

  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, b: Self) -> Self
  static func / (a: Self, b: Self) -> Self
  func squareRoot() -> Self
  static func .< (a: Self, b: Self) -> Mask
  static func .<= (a: Self, b: Self) -> Mask

  /// The other number in the frames of a mask, this one in all others.
  func replacing(with other: Self, where mask: Mask) -> Self
}

/// A yes or no for one frame, or for several side by side.
protocol FrameMask {
  /// The same answer for every frame.
  init(repeating answer: Bool)

  /// The answer of one frame.
  subscript(frame: Int) -> Bool { get }

  static func .& (a: Self, b: Self) -> Self
  static func .| (a: Self, b: Self) -> Self
  static prefix func .! (a: Self) -> Self
}

/// The numbers of eight frames.
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
  /// No number in any frame.
  @inline(__always) static var nan: Self { Self(repeating: .nan) }

  @inline(__always) static prefix func - (a: Self) -> Self { a.map { -$0 } }

  /// The frames whose number is not below a limit.
  @inline(__always) func isAtLeast(_ limit: Double) -> Mask { Self(repeating: limit) .<= self }

  /// The frames whose number is not above a limit.
  @inline(__always) func isAtMost(_ limit: Double) -> Mask { self .<= Self(repeating: limit) }

  /// The absolute value.
  @inline(__always) var magnitude: Self { map { $0.magnitude } }

  /// The frames whose number is neither infinite nor NaN.
  @inline(__always) var isFinite: Mask { magnitude .< Self(repeating: .infinity) }

  /// The frames whose number is NaN.
  @inline(__always) var isNaN: Mask { .!(self .<= self) }

  /// The frames whose number is 0.
  @inline(__always) var isZero: Mask { magnitude.isAtMost(0) }

  /// The number in the frames of a mask, NaN in all others.
  @inline(__always) func only(where mask: Mask) -> Self {
    Self.nan.replacing(with: self, where: mask)
  }

  /// The larger number, NaN if either is.
  @inline(__always) func maximum(_ other: Self) -> Self {
    replacing(with: other, where: self .<= other .| other.isNaN)
  }

  /// The smaller number, NaN if either is.
  @inline(__always) func minimum(_ other: Self) -> Self {
    replacing(with: other, where: other .< self .| other.isNaN)
  }

  /// The mean of two numbers.
  @inline(__always) func mean(_ other: Self) -> Self { (self + other) / Self(repeating: 2) }

  /// The angle of the point (x, y) from the positive x axis in degrees, -180...180.
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
  /// The frames in which the comparison of two numbers is true; not where either is NaN.
  func isTrue<Number: FrameNumber>(_ left: Number, _ right: Number) -> Number.Mask {
    switch self {
    case .greater: right .< left
    case .greaterOrEqual: right .<= left
    case .less: left .< right
    case .lessOrEqual: left .<= right
    }
  }
}

/// A vector of one frame, or of several frames side by side, in the unit of its context.
struct FrameVector<Number: FrameNumber>: Sendable {
  var x: Number
  var y: Number
  var z: Number

  /// Makes vectors from their components.
  @inline(__always) init(_ x: Number, _ y: Number, _ z: Number) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// A vector of NaN in every frame.
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

  /// The dot product.
  @inline(__always) func dot(_ other: FrameVector) -> Number {
    x * other.x + y * other.y + z * other.z
  }

  /// The cross product, right-handed.
  @inline(__always) func cross(_ other: FrameVector) -> FrameVector {
    FrameVector(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// The Euclidean length.
  @inline(__always) var norm: Number { dot(self).squareRoot() }

  /// The frames in which all three components are finite.
  @inline(__always) var isFinite: Number.Mask { x.isFinite .& y.isFinite .& z.isFinite }

  /// The point halfway between two points.
  @inline(__always) func midpoint(_ other: FrameVector) -> FrameVector {
    (self + other) * Number(repeating: 0.5)
  }

  /// The angle between two vectors in degrees, as `Vector3.angleDegrees(to:)` computes it.
  @inline(__always) func angleDegrees(to other: FrameVector) -> Number {
    Number.atan2Degrees(cross(other).norm, dot(other))
  }

  /// The other vector in the frames of a mask, this one in all others.
  @inline(__always) func replacing(with other: FrameVector, where mask: Number.Mask) -> FrameVector
  {
    FrameVector(
      x.replacing(with: other.x, where: mask), y.replacing(with: other.y, where: mask),
      z.replacing(with: other.z, where: mask))
  }
}
