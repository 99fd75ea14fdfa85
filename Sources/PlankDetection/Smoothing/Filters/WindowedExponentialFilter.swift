/// What the sample apps of ML Kit do: exponential weights over the last N samples, begun anew after
/// a short gap.
///
/// y = sum over the window of (1 - alpha)^age x(age), over the sum of the weights. With N = 10 and
/// alpha = 0.2 the lag is 2.797 samples. A gap over `resetGap` (100 ms there) empties the window, so
/// below 10 Hz nothing is smoothed.
struct WindowedExponentialFilter: CausalFilter {
  private let decay: Double
  private let resetGap: Double
  private var window: SampleWindow

  /// Makes the filter from the number of samples, the fall of the weights and the gap in seconds.
  init(frames: Int, alpha: Double, resetGap: Double) {
    decay = 1 - alpha
    self.resetGap = resetGap
    window = SampleWindow(.frames(frames))
  }

  mutating func start(_ value: Double, at time: Double) -> Double {
    window.removeAll()
    window.append(value, at: time)
    return value
  }

  mutating func update(_ value: Double, at time: Double, after interval: Double) -> Double {
    if interval > resetGap + Debouncer.tolerance { return start(value, at: time) }
    window.append(value, at: time)
    var (sum, weights, weight) = (0.0, 0.0, 1.0)
    for age in 0..<window.count {
      sum += weight * window.value(age: age)
      weights += weight
      weight *= decay
    }
    return sum / weights
  }
}
