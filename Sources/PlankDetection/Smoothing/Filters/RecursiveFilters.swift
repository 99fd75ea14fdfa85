#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(EmbeddedMath)
  import EmbeddedMath
#endif

/// Exponential smoothing: y += a (x - y) with a = 1 - exp(-2 pi f dt), exact for an input that is
/// constant between samples.
///
/// The lag for a ramp is 1 / (2 pi f) in the limit of small intervals. The gain for white noise is
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
/// With p = l + b dt, the recurrence is l' = p + alpha (x - p) and b' = beta (l' - l) / dt + (1 -
/// beta) b. The filter starts at the first sample with slope 0 and outputs the level. The weights
/// are per sample, not per second, so the filter responds faster at higher rates.
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
/// With a(f, dt) = 1 / (1 + 1 / (2 pi f dt)), the speed is (x - y) / dt from the previous filtered
/// sample, itself smoothed with a(derivativeCutoff, dt); f = minCutoff + beta |speed|; y += a(f,
/// dt) (x - y). The filter starts at the first sample with speed 0.
///
/// Source: Casiez, Roussel and Vogel, CHI 2012, doi 10.1145/2207676.2208639, as in the authors'
/// current code. That code ignores the interval before the second sample if the first sample is at
/// time 0; this filter does not.
struct OneEuroFilter: CausalFilter {
  private let minCutoff: Double
  private let beta: Double
  private let derivativeCutoff: Double
  private var levels = Lanes()
  private var speeds = Lanes()

  /// Cutoffs are in hertz; `beta` is the increase of the cutoff per unit of speed.
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
/// The recurrence is g = tan(pi f dt) with f dt at most 0.45, k = sqrt 2, a = 1 / (1 + g (g + k));
/// v3 = x - z2; v1 = a (z1 + g v3); v2 = z2 + g v1; z1 = 2 v1 - z1; z2 = 2 v2 - z2; y = v2. The
/// filter starts at rest on the first sample. At a constant interval, it equals the bilinear
/// transform with prewarping. The lag for a ramp is sqrt 2 / (2 pi f).
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
/// The model is F = [1 dt; 0 1], Q = q [dt^3/3 dt^2/2; dt^2/2 dt], H = [1 0], R = s^2. The filter
/// starts at the first sample with velocity 0 and variances R and R / (0.1 s)^2. Everything is
/// divided by R, so that only q / s^2 matters; the output is the filtered position.
struct ConstantVelocityFilter: CausalFilter {
  /// The time in seconds that sets the initial uncertainty of the velocity.
  ///
  /// The standard deviation of the velocity is that of a sample per 0.1 s.
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
