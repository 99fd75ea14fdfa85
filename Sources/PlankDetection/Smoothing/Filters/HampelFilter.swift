/// The signal, with the median of the last samples in place of outliers (Hampel 1974).
///
/// m is the window's median, s = 1.4826 times the median distance from it (the standard deviation
/// of normal noise). A sample further than k s from m is replaced by m. In a window that is flat
/// but for the newest sample s is 0 and that sample is replaced.
struct HampelFilter: CausalFilter {
  /// From the median absolute deviation of normal noise to its standard deviation.
  static let deviationScale = 1.4826

  private let threshold: Double
  private var window: SortedWindow

  /// Makes the filter; an outlier is more than `threshold` standard deviations off.
  init(_ length: WindowLength, threshold: Double) {
    self.threshold = threshold
    window = SortedWindow(length)
  }

  mutating func start(_ value: Double, at time: Double) -> Double {
    window.removeAll()
    window.append(value, at: time)
    return value
  }

  mutating func update(_ value: Double, at time: Double, after interval: Double) -> Double {
    window.append(value, at: time)
    let median = window.median
    let deviation = Self.deviationScale * window.medianDeviation(from: median)
    return abs(value - median) > threshold * deviation ? median : value
  }
}
