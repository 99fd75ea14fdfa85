internal import PoseModel

/// A number of one frame, or the numbers of several frames side by side.
///
/// Each frame gets the operations that it would get alone, in the same order, so its numbers are
/// the same to the bit. Where one frame would take a branch, both sides are computed, and
/// `replacing(with:where:)` selects.
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
    FrameVector(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
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
