internal import PoseModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(EmbeddedMath)
  import EmbeddedMath
#endif

/// Exponential smoothing: y += a (x - y) with a = 1 - exp(-2 pi f dt), exact for a held input.
///
/// Lag of a ramp: 1 / (2 pi f) in the limit of small intervals. Gain of white noise:
/// sqrt(a / (2 - a)).
struct ExponentialFilter: CausalFilter {
  private let cutoff: Double
  private var levels = Lanes()

  /// `cutoff` is in hertz.
  init(cutoff: Double) { self.cutoff = cutoff }

  mutating func start(_ values: Lanes, at time: Double, in lanes: LaneMask) {
    levels.replace(with: values, where: lanes)
  }

  @inline(__always) mutating func update(
    _ values: Lanes, at time: Double, after intervals: Lanes, in lanes: LaneMask,
    _ work: inout IntervalWork
  ) -> Lanes {
    let weights = work.numbers(of: intervals, in: lanes) { -expm1(-2 * Double.pi * cutoff * $0) }
    levels.replace(with: levels + weights * (values - levels), where: lanes)
    return levels
  }
}

/// Double exponential smoothing after Holt (1957): a level and its slope per second.
///
/// p = l + b dt; l' = p + alpha (x - p); b' = beta (l' - l) / dt + (1 - beta) b. It starts at the
/// first sample with slope 0 and outputs the level. The weights are per sample, not per second, so
/// the filter responds faster at higher rates.
struct HoltFilter: CausalFilter {
  private let alpha: Double
  private let beta: Double
  private var levels = Lanes()
  private var slopes = Lanes()

  init(alpha: Double, beta: Double) {
    self.alpha = alpha
    self.beta = beta
  }

  mutating func start(_ values: Lanes, at time: Double, in lanes: LaneMask) {
    levels.replace(with: values, where: lanes)
    slopes.replace(with: Lanes(), where: lanes)
  }

  @inline(__always) mutating func update(
    _ values: Lanes, at time: Double, after intervals: Lanes, in lanes: LaneMask,
    _ work: inout NoTimeWork
  ) -> Lanes {
    let predicted = levels + slopes * intervals
    let next = predicted + alpha * (values - predicted)
    let newest = beta * (next - levels) / intervals
    slopes.replace(with: newest + (1 - beta) * slopes, where: lanes)
    levels.replace(with: next, where: lanes)
    return levels
  }
}

/// The one-euro filter: a low-pass whose cutoff rises with the speed.
///
/// a(f, dt) = 1 / (1 + 1 / (2 pi f dt)); speed = (x - y) / dt from the previous filtered sample,
/// itself smoothed with a(derivativeCutoff); f = minCutoff + beta |speed|; y += a(f) (x - y). It
/// starts at the first sample with speed 0.
///
/// Source: Casiez, Roussel and Vogel, CHI 2012, doi 10.1145/2207676.2208639, as in the authors'
/// current code. That code ignores the interval of the second sample if the first is at time 0;
/// this one does not.
struct OneEuroFilter: CausalFilter {
  private let minCutoff: Double
  private let beta: Double
  private let derivativeCutoff: Double
  private var levels = Lanes()
  private var speeds = Lanes()

  /// Cutoffs are in hertz; `beta` is the rise of the cutoff per unit of speed.
  init(minCutoff: Double, beta: Double, derivativeCutoff: Double) {
    self.minCutoff = minCutoff
    self.beta = beta
    self.derivativeCutoff = derivativeCutoff
  }

  mutating func start(_ values: Lanes, at time: Double, in lanes: LaneMask) {
    levels.replace(with: values, where: lanes)
    speeds.replace(with: Lanes(), where: lanes)
  }

  @inline(__always) mutating func update(
    _ values: Lanes, at time: Double, after intervals: Lanes, in lanes: LaneMask,
    _ work: inout IntervalWork
  ) -> Lanes {
    let changes = values - levels
    let weights = work.numbers(of: intervals, in: lanes) {
      1 / (1 + 1 / (2 * Double.pi * derivativeCutoff * $0))
    }
    speeds.replace(with: speeds + weights * (changes / intervals - speeds), where: lanes)
    let cutoffs = minCutoff + beta * speeds.magnitudes
    let inverse = 1 / (2 * Double.pi * cutoffs * intervals)
    levels.replace(with: levels + 1 / (1 + inverse) * changes, where: lanes)
    return levels
  }
}

/// A second-order Butterworth low-pass in state-variable form, stable while the interval varies.
///
/// g = tan(pi f dt) with f dt at most 0.45, k = sqrt 2, a = 1 / (1 + g (g + k)); v3 = x - z2;
/// v1 = a (z1 + g v3); v2 = z2 + g v1; z1 = 2 v1 - z1; z2 = 2 v2 - z2; y = v2. Starts at rest on the
/// first sample. At a constant interval it equals the bilinear transform with prewarping. Lag of a
/// ramp: sqrt 2 / (2 pi f).
///
/// Source: Zavalishin 2012, The Art of VA Filter Design, chapter 4.
struct ButterworthFilter: CausalFilter {
  private static let damping = 2.0.squareRoot()
  private static let largestPhase = 0.45

  private let cutoff: Double
  private var first = Lanes()
  private var second = Lanes()

  /// `cutoff` is in hertz.
  init(cutoff: Double) { self.cutoff = cutoff }

  mutating func start(_ values: Lanes, at time: Double, in lanes: LaneMask) {
    first.replace(with: Lanes(), where: lanes)
    second.replace(with: values, where: lanes)
  }

  @inline(__always) mutating func update(
    _ values: Lanes, at time: Double, after intervals: Lanes, in lanes: LaneMask,
    _ work: inout IntervalWork
  ) -> Lanes {
    let gains = work.numbers(of: intervals, in: lanes) {
      tan(Double.pi * min(cutoff * $0, Self.largestPhase))
    }
    let scales = 1 / (1 + gains * (gains + Self.damping))
    let bands = scales * (first + gains * (values - second))
    let lows = second + gains * bands
    first.replace(with: 2 * bands - first, where: lanes)
    second.replace(with: 2 * lows - second, where: lanes)
    return lows
  }
}

/// A Kalman filter of a point at constant velocity, disturbed by white acceleration.
///
/// F = [1 dt; 0 1], Q = q [dt^3/3 dt^2/2; dt^2/2 dt], H = [1 0], R = s^2. It starts at the first
/// sample with velocity 0 and variances R and R / (0.1 s)^2. Everything is divided by R, so that
/// only q / s^2 matters; the output is the filtered position.
struct ConstantVelocityFilter: CausalFilter {
  /// The initial uncertainty of the velocity: one standard deviation of a sample in 0.1 s.
  static let initialTime = 0.1

  private let intensity: Double
  private var positions = Lanes()
  private var velocities = Lanes()
  private var positionVariances = Lanes()
  private var covariances = Lanes()
  private var velocityVariances = Lanes()

  init(processNoise: Double, measurementNoise: Double) {
    intensity = processNoise / (measurementNoise * measurementNoise)
  }

  mutating func start(_ values: Lanes, at time: Double, in lanes: LaneMask) {
    positions.replace(with: values, where: lanes)
    velocities.replace(with: Lanes(), where: lanes)
    positionVariances.replace(with: Lanes(repeating: 1), where: lanes)
    covariances.replace(with: Lanes(), where: lanes)
    velocityVariances.replace(
      with: Lanes(repeating: 1 / (Self.initialTime * Self.initialTime)), where: lanes)
  }

  @inline(__always) mutating func update(
    _ values: Lanes, at time: Double, after intervals: Lanes, in lanes: LaneMask,
    _ work: inout NoTimeWork
  ) -> Lanes {
    let squares = intervals * intervals
    let predicted = positions + velocities * intervals
    let drift = 2 * intervals * covariances + squares * velocityVariances
    let variances = positionVariances + (drift + intensity * squares * intervals / 3)
    let crossed = covariances + (intervals * velocityVariances + intensity * squares / 2)
    let spreads = velocityVariances + intensity * intervals
    let scales = 1 / (variances + 1)
    let (gains, velocityGains) = (variances * scales, crossed * scales)
    let residuals = values - predicted
    positions.replace(with: predicted + gains * residuals, where: lanes)
    velocities.replace(with: velocities + velocityGains * residuals, where: lanes)
    velocityVariances.replace(with: spreads - velocityGains * crossed, where: lanes)
    positionVariances.replace(with: variances * (1 - gains), where: lanes)
    covariances.replace(with: crossed * (1 - gains), where: lanes)
    return positions
  }
}

/// A filter of four signals that sees only the past.
///
/// Filters get finite samples at increasing times and no long gaps; `FilterBlock` ensures that.
/// What the lanes outside a mask contain does not matter, and their memory stays as it is.
/// Updating allocates nothing once windows have grown to their size.
protocol CausalFilter: Sendable {
  associatedtype TimeWork: PlankDetection.TimeWork = NoTimeWork

  /// Forgets the past of some lanes and starts them at their samples, which are the first outputs.
  mutating func start(_ values: Lanes, at time: Double, in lanes: LaneMask)

  /// Samples are finite; `intervals` are the seconds since each lane's previous sample, above 0.
  mutating func update(
    _ values: Lanes, at time: Double, after intervals: Lanes, in lanes: LaneMask,
    _ work: inout TimeWork
  ) -> Lanes
}

/// Results that equal filters of many signals share; users check that they are for the same times.
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

/// Four signals through one filter, with the rules that all filters share.
///
/// - A missing sample (NaN, infinite, or at no finite time) gives NaN and changes nothing.
/// - After more than `SmoothingStrategy.largestGap` without a sample the filter restarts, and so it
///   does when the clock goes back by more.
/// - A sample at or before the time of the last one gives the last output again.
/// - An output that is not finite, such as a sum of huge numbers, restarts the filter at the
///   sample.
///
/// So every output is finite, or belongs to a missing sample.
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

  mutating func reset() { lastTimes = Lanes(repeating: -.infinity) }
}

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
