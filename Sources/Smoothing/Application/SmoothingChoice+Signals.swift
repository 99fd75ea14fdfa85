internal import PlankDetection
internal import PoseModel

extension SmoothingChoice {
  /// Smooths one signal over a recording's frames.
  ///
  /// - Parameters:
  ///   - values: one sample a frame, NaN where missing.
  ///   - times: one time a frame in seconds, increasing.
  /// - Returns: one number a frame, NaN where the sample is missing.
  package func smooth(_ values: [Double], times: [Double]) -> [Double] {
    precondition(values.count == times.count, "one time a sample")
    switch self {
    case .causal(let strategy):
      var smoother = SignalSmoother(strategy)
      return zip(values, times).map { smoother.update($0, at: Seconds($1)) ?? .nan }
    case .offline(let settings, _): return OfflineFilter(settings).smooth(values, times: times)
    }
  }
}
