package import PoseModel

/// What a smoother makes of a jump: how late it follows, and by how much it overshoots.
///
/// Times are those of frames, as a user sees them: from the first frame of the new value to the
/// first whose output is that far. A smoother that passes values on has 0 for both.
package struct StepResponse: Hashable, Sendable {
  /// The time to half of the jump, in seconds.
  package let halfTime: MetricValue
  /// The time to nine tenths of it, in seconds.
  package let ninetyTime: MetricValue
  /// How far the output goes beyond the new value, as a share of the jump; 0 where it never does.
  package let overshoot: MetricValue

  /// Measures a smoother at a frame rate.
  ///
  /// - Parameters:
  ///   - rate: frames a second.
  ///   - height: the jump, in the signal's unit; smoothers that are not linear depend on it.
  ///   - settling: how long the old and the new value each last.
  package init(
    rate: Hertz, height: Double, settling: Seconds = Seconds(8), _ filter: SignalFilter
  ) {
    let half = Int((settling.value * rate.value).rounded(.up))
    let times = (0..<2 * half).map { Double($0) / rate.value }
    let output = filter(times, times.indices.map { $0 < half ? 0 : height })
    let shares = output.enumerated().dropFirst(half).compactMap { frame, value in
      value.map { (time: times[frame] - times[half], share: $0 / height) }
    }
    func first(_ level: Double) -> MetricValue {
      shares.first { $0.share >= level - 1e-9 }.map { .value($0.time) }
        ?? .undefined(.neverReached)
    }
    halfTime = first(0.5)
    ninetyTime = first(0.9)
    let greatest = shares.map(\.share).max()
    overshoot = greatest.map { .value(max(0, $0 - 1)) } ?? .undefined(.neverReached)
  }
}
