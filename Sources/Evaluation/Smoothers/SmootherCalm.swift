internal import PoseModel
internal import Statistics

/// How much calmer measurements are on holds: each number is a geometric mean, over the
/// measurements, of the smoothed number over the raw one.
package struct SmootherCalm: Hashable, Sendable, Codable {
  /// Of the RMS step from frame to frame: the fast part.
  package let step: MetricValue
  /// Of the robust spread about each hold's median, which includes colored noise and sway.
  package let spread: MetricValue
  package let acceleration: MetricValue

  private enum CodingKeys: String, CodingKey {
    case step = "jitter_ratio"
    case spread = "spread_ratio"
    case acceleration = "acceleration_ratio"
  }

  package init(step: MetricValue, spread: MetricValue, acceleration: MetricValue) {
    self.step = step
    self.spread = spread
    self.acceleration = acceleration
  }

  package init(smoothed: [JitterRow], raw: [JitterRow]) {
    func ratio(_ number: (JitterRow) -> MetricValue) -> MetricValue {
      let pairs = smoothed.compactMap { row -> Double? in
        guard let other = raw.first(where: { $0.signal == row.signal }),
          let above = number(row).number, let below = number(other).number, above > 0, below > 0
        else { return nil }
        return above / below
      }
      guard !pairs.isEmpty else { return .undefined(.noValidPair) }
      return .value(GeometricMean.of(pairs))
    }
    self.init(
      step: ratio(\.rmsStep), spread: ratio(\.robustSpread), acceleration: ratio(\.acceleration))
  }
}

enum GeometricMean {
  static func of(_ values: [Double]) -> Double {
    precondition(!values.isEmpty && values.allSatisfy { $0 > 0 }, "ratios are positive")
    return Exponential.exp(values.reduce(0) { $0 + Exponential.log($1) } / Double(values.count))
  }
}

extension MetricKey {
  package static let ofSmoothers: [MetricKey] =
    AnswerStream.allCases.flatMap { stream in
      [
        Metric.balancedAccuracy, .flickersPerMinute, .falseTransitionsPerMinute, .eventF1, .hitRate,
        .detectionLatencyMedian, .detectionLatencyNinetieth, .releaseLatencyMedian,
      ].map { MetricKey($0, in: stream) }
    } + [Metric.holdError, .longestHoldError].map { MetricKey($0, in: .plank) }
}

extension MetricTable {
  package init(smoothed plank: ScoreView, form: ScoreView) {
    self.init(MetricKey.ofSmoothers) { key in
      key.stream == .plank ? plank.value(key) : form.value(key)
    }
  }
}
