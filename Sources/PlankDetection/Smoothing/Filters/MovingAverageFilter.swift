/// The mean of the last N samples, or of the samples of the last W seconds.
///
/// Fewer samples at the start give the mean of those that there are. The mean is summed anew each
/// time: a running sum drifts. Lag of a ramp: (N - 1) / 2 intervals. Gain of white noise:
/// 1 / sqrt(N).
struct MovingAverageFilter: CausalFilter {
  private var window: SampleWindow

  /// Makes the filter.
  init(_ length: WindowLength) { window = SampleWindow(length) }

  mutating func start(_ value: Double, at time: Double) -> Double {
    window.removeAll()
    window.append(value, at: time)
    return value
  }

  mutating func update(_ value: Double, at time: Double, after interval: Double) -> Double {
    window.append(value, at: time)
    return window.mean
  }
}
