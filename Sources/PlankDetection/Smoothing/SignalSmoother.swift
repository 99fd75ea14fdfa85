public import PoseModel

/// Smooths one number that comes frame by frame, with the steps of a strategy.
///
/// For signals beside the detector's own: a heart rate, an angle on a display. The detector smooths
/// joints and measurements by itself.
public struct SignalSmoother: Sendable {
  private var chain: FilterChain

  /// Makes a smoother; the targets of the steps do not matter here.
  public init(_ strategy: SmoothingStrategy) {
    chain = FilterChain(strategy.steps, channels: 1)
  }

  /// Takes in the next sample and gives the smoothed one.
  ///
  /// A missing sample (nil, not finite, or at no finite time) gives nil and changes nothing. More
  /// than 0.5 s since the last sample starts afresh. A sample at the time of the last one, or before
  /// it, gives the last result again.
  ///
  /// - Complexity: O(samples in the window); nothing is allocated once windows are full.
  public mutating func update(_ value: Double?, at time: Seconds) -> Double? {
    guard time.value.isFinite else { return nil }
    let result = chain.update(0, value ?? .nan, at: time.value)
    return result.isFinite ? result : nil
  }

  /// Forgets the past: the next sample starts afresh.
  public mutating func reset() { chain.reset() }
}
