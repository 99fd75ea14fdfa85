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
  private var level = 0.0

  /// Makes the filter from its cutoff in hertz.
  init(cutoff: Double) { self.cutoff = cutoff }

  mutating func start(_ value: Double, at time: Double) -> Double {
    level = value
    return value
  }

  mutating func update(
    _ value: Double, at time: Double, after interval: Double, _ work: inout IntervalWork
  ) -> Double {
    let weight = work.number(of: interval) { -expm1(-2 * Double.pi * cutoff * $0) }
    level += weight * (value - level)
    return level
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
  private var level = 0.0
  private var slope = 0.0

  /// Makes the filter from the weights of the newest sample and of the newest slope.
  init(alpha: Double, beta: Double) {
    self.alpha = alpha
    self.beta = beta
  }

  mutating func start(_ value: Double, at time: Double) -> Double {
    level = value
    slope = 0
    return value
  }

  mutating func update(
    _ value: Double, at time: Double, after interval: Double, _ work: inout NoTimeWork
  ) -> Double {
    let predicted = level + slope * interval
    let next = predicted + alpha * (value - predicted)
    slope = beta * (next - level) / interval + (1 - beta) * slope
    level = next
    return next
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
  private var level = 0.0
  private var speed = 0.0

  /// Makes the filter from cutoffs in hertz and the rise of the cutoff per unit of speed.
  init(minCutoff: Double, beta: Double, derivativeCutoff: Double) {
    self.minCutoff = minCutoff
    self.beta = beta
    self.derivativeCutoff = derivativeCutoff
  }

  mutating func start(_ value: Double, at time: Double) -> Double {
    level = value
    speed = 0
    return value
  }

  mutating func update(
    _ value: Double, at time: Double, after interval: Double, _ work: inout IntervalWork
  ) -> Double {
    let newSpeed = (value - level) / interval
    let weight = work.number(of: interval) { Self.weight(derivativeCutoff, $0) }
    speed += weight * (newSpeed - speed)
    level += Self.weight(minCutoff + beta * abs(speed), interval) * (value - level)
    return level
  }

  private static func weight(_ cutoff: Double, _ interval: Double) -> Double {
    1 / (1 + 1 / (2 * Double.pi * cutoff * interval))
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
  private var first = 0.0
  private var second = 0.0

  /// Makes the filter from its cutoff in hertz.
  init(cutoff: Double) { self.cutoff = cutoff }

  mutating func start(_ value: Double, at time: Double) -> Double {
    first = 0
    second = value
    return value
  }

  mutating func update(
    _ value: Double, at time: Double, after interval: Double, _ work: inout IntervalWork
  ) -> Double {
    let gain = work.number(of: interval) { tan(Double.pi * min(cutoff * $0, Self.largestPhase)) }
    let scale = 1 / (1 + gain * (gain + Self.damping))
    let band = scale * (first + gain * (value - second))
    let low = second + gain * band
    first = 2 * band - first
    second = 2 * low - second
    return low
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
  private var position = 0.0
  private var velocity = 0.0
  private var positionVariance = 1.0
  private var covariance = 0.0
  private var velocityVariance = 1 / (Self.initialTime * Self.initialTime)

  /// Makes the filter from the density of the acceleration and the standard deviation of a sample.
  init(processNoise: Double, measurementNoise: Double) {
    intensity = processNoise / (measurementNoise * measurementNoise)
  }

  mutating func start(_ value: Double, at time: Double) -> Double {
    position = value
    velocity = 0
    positionVariance = 1
    covariance = 0
    velocityVariance = 1 / (Self.initialTime * Self.initialTime)
    return value
  }

  mutating func update(
    _ value: Double, at time: Double, after interval: Double, _ work: inout NoTimeWork
  ) -> Double {
    predict(interval)
    let residual = value - position
    let scale = 1 / (positionVariance + 1)
    let (gain, velocityGain) = (positionVariance * scale, covariance * scale)
    position += gain * residual
    velocity += velocityGain * residual
    velocityVariance -= velocityGain * covariance
    positionVariance *= 1 - gain
    covariance *= 1 - gain
    return position
  }

  private mutating func predict(_ interval: Double) {
    let square = interval * interval
    position += velocity * interval
    positionVariance +=
      2 * interval * covariance + square * velocityVariance + intensity * square * interval / 3
    covariance += interval * velocityVariance + intensity * square / 2
    velocityVariance += intensity * interval
  }
}
