internal import PoseModel

/// A filter of four signals that uses only past samples.
///
/// Filters get finite samples at increasing times without long gaps; `FilterBlock` ensures that.
/// Samples in lanes outside a mask do not matter, and the filter's state for these lanes does not
/// change. An update allocates nothing once windows have grown to their full size.
protocol CausalFilter: Sendable {
  associatedtype TimeWork: PlankDetection.TimeWork = NoTimeWork

  mutating func start(_ values: Lanes, at time: Double, in lanes: LaneMask)

  /// Samples are finite; `intervals` are the seconds since each lane's previous sample, all above
  /// 0.
  mutating func update(
    _ values: Lanes, at time: Double, after intervals: Lanes, in lanes: LaneMask,
    _ work: inout TimeWork
  ) -> Lanes
}

/// Results that filters with the same sample times can share; users must check the sample times.
protocol TimeWork: Sendable { init() }

struct NoTimeWork: TimeWork {}

struct IntervalWork: TimeWork {
  private var interval = Double.nan
  private var number = 0.0

  @inline(__always) mutating func numbers(
    of intervals: Lanes, in lanes: LaneMask, _ make: (Double) -> Double
  ) -> Lanes {
    if all(intervals .== interval) { return Lanes(repeating: number) }
    var numbers = Lanes()
    for lane in lanes.indices where lanes[lane] {
      if intervals[lane] != interval {
        interval = intervals[lane]
        number = make(interval)
      }
      numbers[lane] = number
    }
    return numbers
  }
}

/// Applies one filter to four signals, with the rules that all filters share.
///
/// - A missing sample (NaN, infinite, or at a time that is not finite) gives NaN and changes
///   nothing.
/// - The filter restarts after more than `SmoothingStrategy.largestGap` without a sample, and also
///   when the clock goes back by more than that.
/// - A sample at or before the time of the last one gives the last output again.
/// - An output that is not finite, such as a sum of huge numbers, restarts the filter at the
///   sample.
///
/// Therefore, every output is finite, unless its sample is missing.
struct FilterBlock<Filter: CausalFilter>: Sendable {
  private var filter: Filter
  private var lastTimes = Lanes(repeating: -.infinity)
  private var lastOutputs = Lanes(repeating: .nan)

  init(_ filter: Filter) { self.filter = filter }

  @inline(__always) mutating func update(
    _ values: Lanes, at time: Double, _ work: inout Filter.TimeWork
  ) -> Lanes {
    let present = values.areFinite
    let intervals = time - lastTimes
    let isNear = intervals.magnitudes .<= SmoothingStrategy.largestGap + Debouncer.tolerance
    let next = present .& isNear .& (intervals .> 0)
    guard all(next) else {
      guard any(present) else { return Lanes(repeating: .nan) }
      return update(values, at: time, after: intervals, in: next, present, .!isNear, &work)
    }
    lastTimes = Lanes(repeating: time)
    lastOutputs = filter.update(values, at: time, after: intervals, in: .all, &work)
    if !all(lastOutputs.areFinite) { start(values, at: time, in: .!lastOutputs.areFinite) }
    return lastOutputs
  }

  @inline(never) private mutating func update(
    _ values: Lanes, at time: Double, after intervals: Lanes, in next: LaneMask,
    _ present: LaneMask, _ isFar: LaneMask, _ work: inout Filter.TimeWork
  ) -> Lanes {
    if any(next) {
      let outputs = filter.update(values, at: time, after: intervals, in: next, &work)
      lastOutputs.replace(with: outputs, where: next)
      lastTimes.replace(with: Lanes(repeating: time), where: next)
    }
    let fresh = (present .& isFar) .| (next .& .!lastOutputs.areFinite)
    if any(fresh) { start(values, at: time, in: fresh) }
    return lastOutputs.replacing(with: .nan, where: .!present)
  }

  private mutating func start(_ values: Lanes, at time: Double, in lanes: LaneMask) {
    filter.start(values, at: time, in: lanes)
    lastTimes.replace(with: Lanes(repeating: time), where: lanes)
    lastOutputs.replace(with: values, where: lanes)
  }
}

/// Four signals side by side, each with the same numbers, bit for bit, as on its own.
typealias Lanes = SIMD4<Double>

typealias LaneMask = SIMDMask<SIMD4<Int64>>

extension SIMD4<Double> {
  @inline(__always) init(_ point: Vector3) { self.init(point.x, point.y, point.z, point.z) }

  @inline(__always) var areFinite: LaneMask { (self - self) .== 0 }

  @inline(__always) var magnitudes: Lanes {
    Lanes(x.magnitude, y.magnitude, z.magnitude, w.magnitude)
  }

  /// The smaller number in every lane, or `other` if either number is NaN.
  ///
  /// Compiles to one instruction, unlike `pointwiseMin`, which treats NaN differently.
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
