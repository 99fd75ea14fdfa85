#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
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

  mutating func update(_ value: Double, at time: Double, after interval: Double) -> Double {
    let weight = -expm1(-2 * Double.pi * cutoff * interval)
    level += weight * (value - level)
    return level
  }
}
