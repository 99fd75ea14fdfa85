internal import PoseModel

/// Four signals side by side; each gets the numbers that it would get alone, to the bit.
typealias Lanes = SIMD4<Double>

typealias LaneMask = SIMDMask<SIMD4<Int64>>

extension SIMD4<Double> {
  /// A point; the fourth lane repeats the third.
  @inline(__always) init(_ point: Vector3) { self.init(point.x, point.y, point.z, point.z) }

  @inline(__always) var areFinite: LaneMask { (self - self) .== 0 }

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

  @inline(__always) func greater(_ other: Lanes) -> Lanes {
    Lanes(
      x > other.x ? x : other.x, y > other.y ? y : other.y, z > other.z ? z : other.z,
      w > other.w ? w : other.w)
  }
}

extension SIMDMask<SIMD4<Int64>> {
  @inline(__always) static var all: LaneMask { LaneMask(repeating: true) }

  var first: Int? { indices.first { self[$0] } }
}
