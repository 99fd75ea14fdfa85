#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A Butterworth low-pass of second order in state-variable form, stable while the interval varies.
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

  mutating func update(_ value: Double, at time: Double, after interval: Double) -> Double {
    let gain = tan(Double.pi * min(cutoff * interval, Self.largestPhase))
    let scale = 1 / (1 + gain * (gain + Self.damping))
    let band = scale * (first + gain * (value - second))
    let low = second + gain * band
    first = 2 * band - first
    second = 2 * low - second
    return low
  }
}
