/// The median of the last N samples, or of the samples of the last W seconds.
///
/// An even number of samples gives the mean of the two in the middle. A step comes through after
/// (N - 1) / 2 samples, a spike shorter than that not at all.
struct MedianFilter: CausalFilter {
  private var window: SortedWindow

  /// Makes the filter.
  init(_ length: WindowLength) { window = SortedWindow(length) }

  mutating func start(_ value: Double, at time: Double) -> Double {
    window.removeAll()
    window.append(value, at: time)
    return value
  }

  mutating func update(_ value: Double, at time: Double, after interval: Double) -> Double {
    window.append(value, at: time)
    return window.median
  }
}
