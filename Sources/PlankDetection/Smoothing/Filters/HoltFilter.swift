/// Double exponential smoothing after Holt (1957): a level and its slope a second.
///
/// p = l + b dt; l' = p + alpha (x - p); b' = beta (l' - l) / dt + (1 - beta) b. Starts at the
/// first sample with slope 0; puts out the level. The weights are a sample's, not a second's, so
/// the filter answers faster at higher rates.
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

  mutating func update(_ value: Double, at time: Double, after interval: Double) -> Double {
    let predicted = level + slope * interval
    let next = predicted + alpha * (value - predicted)
    slope = beta * (next - level) / interval + (1 - beta) * slope
    level = next
    return next
  }
}
