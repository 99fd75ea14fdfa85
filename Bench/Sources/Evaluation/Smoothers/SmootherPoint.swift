@_spi(Bench) internal import PoseModel
internal import Statistics

/// The effect of one smoother with one set of parameters on a dataset.
package struct SmootherPoint: Hashable, Sendable {
  /// The curve that it belongs to, for example `ema` or `one-euro beta=0.5`.
  package let family: String
  /// The strategy as text, with every number.
  package let text: String
  /// The strategy for a table, without what is obvious.
  package let name: String
  /// Whether an app could run it.
  package let isCausal: Bool
  /// Whether a search found its parameters, rather than the grid.
  package let isTuned: Bool
  /// Its effect on measurements while a plank is held.
  package let calm: SmootherCalm
  /// How late it is.
  package let delay: SmootherDelay
  /// The detector's answers from the smoothed measurements; nil without labels.
  package let answers: SmootherAnswers?

  /// Makes a point.
  package init(
    family: String, text: String, name: String? = nil, isCausal: Bool, isTuned: Bool = false,
    calm: SmootherCalm,
    delay: SmootherDelay, answers: SmootherAnswers? = nil
  ) {
    self.family = family
    self.text = text
    self.name = name ?? text
    self.isCausal = isCausal
    self.isTuned = isTuned
    self.calm = calm
    self.delay = delay
    self.answers = answers
  }

  /// Its filters without their parameters: `one-euro`, `median + ema`.
  package var kind: String {
    text.split(separator: "+").map { $0.prefix { $0 != ":" && $0 != "@" } }
      .joined(separator: " + ")
  }

  /// Jitter and lag if both are defined: the plane of the comparison.
  package var place: (jitter: Double, lag: Double)? {
    guard let jitter = calm.step.number, let lag = delay.lag.number else { return nil }
    return (jitter, lag)
  }
}

/// How much calmer measurements are on holds: each number is a geometric mean, over the
/// measurements, of the smoothed number over the raw one.
package struct SmootherCalm: Hashable, Sendable {
  /// Of the RMS step from frame to frame: the fast part.
  package let step: MetricValue
  /// Of the robust spread about each hold's median: colored noise and sway too.
  package let spread: MetricValue
  /// Of the mean acceleration.
  package let acceleration: MetricValue

  /// Makes the ratios.
  package init(step: MetricValue, spread: MetricValue, acceleration: MetricValue) {
    self.step = step
    self.spread = spread
    self.acceleration = acceleration
  }

  /// Compares rows of smoothed measurements with those of raw ones, signal by signal.
  ///
  /// Signals without a positive number on either side are left out.
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

/// The geometric mean of ratios, in which half and double make one.
enum GeometricMean {
  /// The exponential of the mean logarithm.
  ///
  /// - Precondition: at least one value, all positive.
  static func of(_ values: [Double]) -> Double {
    precondition(!values.isEmpty && values.allSatisfy { $0 > 0 }, "ratios are positive")
    return Exponential.exp(values.reduce(0) { $0 + Exponential.log($1) } / Double(values.count))
  }
}

/// A detector's answers behind a smoother: catalogue metrics of both streams by key.
package struct SmootherAnswers: Hashable, Sendable {
  /// The values in the order in which reports list them.
  package let values: [Value]

  /// A metric by its full name.
  package struct Value: Hashable, Sendable {
    /// The key, for example `plank.event_f1`.
    package let key: String
    /// The number, or why there is none.
    package let value: MetricValue
  }

  /// Picks the metrics that smoothers affect from the pools of both streams.
  package init(plank: ScoreView, form: ScoreView) {
    let shown: [Metric] = [
      .balancedAccuracy, .flickersPerMinute, .falseTransitionsPerMinute, .eventF1, .hitRate,
      .detectionLatencyMedian, .detectionLatencyNinetieth, .releaseLatencyMedian,
    ]
    let ofStreams = [plank, form].flatMap { view in
      shown.map { (view, MetricKey($0, in: view.stream)) }
    }
    let ofSession = [Metric.holdError, .longestHoldError].map { metric in
      (plank, MetricKey(metric, in: .plank))
    }
    values = (ofStreams + ofSession).map { view, key in
      Value(key: "\(key)", value: view.value(key))
    }
  }

  /// The value of a key.
  package func value(_ key: String) -> MetricValue {
    values.first { $0.key == key }?.value ?? .undefined(.noScoredFrames)
  }
}
