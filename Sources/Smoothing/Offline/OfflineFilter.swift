internal import PlankDetection

/// An offline filter with its numbers put in.
enum OfflineFilter {
  case gaussian(GaussianSmoother)
  case backward(BackwardSmoother)

  /// Reads settings.
  init(_ settings: StrategySettings<OfflineKind>) {
    func value(_ key: ParameterKey) -> Double { settings[key] ?? 0 }
    switch settings.kind {
    case .gaussian:
      self = .gaussian(GaussianSmoother(deviation: value(.gaussianDeviation)))
    case .rts:
      self = .backward(
        BackwardSmoother(
          processNoise: value(.processNoise), measurementNoise: value(.measurementNoise)))
    }
  }

  /// Smooths a signal; missing samples (NaN) stay missing.
  func smooth(_ values: [Double], times: [Double]) -> [Double] {
    switch self {
    case .gaussian(let filter): filter.smooth(values, times: times)
    case .backward(let filter): filter.smooth(values, times: times)
    }
  }
}
