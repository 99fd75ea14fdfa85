package import PlankDetection

/// The filters that look ahead: no app can run them, they bound what smoothing could do.
package enum OfflineKind: String, StrategyKind {
  /// A centered Gaussian window.
  case gaussian
  /// The Rauch-Tung-Striebel smoother of a point at constant velocity.
  case rts

  /// What the list is called in messages.
  package static var family: String { "smoothing" }

  /// What it does, in one line.
  package var summary: String {
    switch self {
    case .gaussian: "centered Gaussian window; looks ahead"
    case .rts: "Rauch-Tung-Striebel smoother of the Kalman filter; looks ahead"
    }
  }

  /// The parameters in the order of documentation and output.
  package var parameters: [ParameterDefinition] {
    switch self {
    case .gaussian:
      [
        ParameterDefinition(
          checked: .gaussianDeviation, .seconds, 0.05, 0.001...5,
          "standard deviation of the window")
      ]
    case .rts: SmoothingKind.kalman.parameters
    }
  }
}

extension ParameterKey {
  /// `deviation`: the standard deviation of a Gaussian window.
  package static let gaussianDeviation = ParameterKey("deviation")
}
