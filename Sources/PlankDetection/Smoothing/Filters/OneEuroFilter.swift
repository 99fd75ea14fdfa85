/// The one-euro filter: a low-pass whose cutoff rises with the speed.
///
/// a(f, dt) = 1 / (1 + 1 / (2 pi f dt)); speed = (x - y) / dt from the filtered sample before,
/// itself smoothed with a(derivativeCutoff); f = minCutoff + beta |speed|; y += a(f) (x - y).
/// Starts at the first sample with speed 0.
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

  /// Makes the filter from cutoffs in hertz and the rise of the cutoff a unit of speed.
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

  mutating func update(_ value: Double, at time: Double, after interval: Double) -> Double {
    let newSpeed = (value - level) / interval
    speed += Self.weight(derivativeCutoff, interval) * (newSpeed - speed)
    level += Self.weight(minCutoff + beta * abs(speed), interval) * (value - level)
    return level
  }

  private static func weight(_ cutoff: Double, _ interval: Double) -> Double {
    1 / (1 + 1 / (2 * Double.pi * cutoff * interval))
  }
}
