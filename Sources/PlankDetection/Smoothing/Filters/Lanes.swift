internal import PoseModel

/// Four signals side by side, one number of each.
///
/// Filters work on four signals at a time: a processor divides two or four numbers in the time of
/// one. Every signal gets the numbers that it would get alone, to the bit, because lanes never mix.
typealias Lanes = SIMD4<Double>

/// Some of four signals.
typealias LaneMask = SIMDMask<SIMD4<Int64>>

extension SIMD4<Double> {
  /// A point; the fourth lane repeats the third.
  @inline(__always) init(_ point: Vector3) { self.init(point.x, point.y, point.z, point.z) }

  /// The lanes that are neither infinite nor NaN.
  @inline(__always) var areFinite: LaneMask { (self - self) .== 0 }

  /// The absolute value of every lane.
  @inline(__always) var magnitudes: Lanes {
    Lanes(x.magnitude, y.magnitude, z.magnitude, w.magnitude)
  }

  /// In every lane the smaller number; the other one if neither is smaller.
  ///
  /// One instruction; `pointwiseMin` also decides about NaN.
  @inline(__always) func lesser(_ other: Lanes) -> Lanes {
    Lanes(
      x < other.x ? x : other.x, y < other.y ? y : other.y, z < other.z ? z : other.z,
      w < other.w ? w : other.w)
  }

  /// In every lane the larger number; the other one if neither is larger.
  @inline(__always) func greater(_ other: Lanes) -> Lanes {
    Lanes(
      x > other.x ? x : other.x, y > other.y ? y : other.y, z > other.z ? z : other.z,
      w > other.w ? w : other.w)
  }
}

extension SIMDMask<SIMD4<Int64>> {
  /// All four signals.
  @inline(__always) static var all: LaneMask { LaneMask(repeating: true) }

  /// The first lane of the mask; nil without one.
  var first: Int? { indices.first { self[$0] } }
}
