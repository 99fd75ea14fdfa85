/// What a detector answers behind a smoother; catalogue metrics of both streams by key.
package struct SmootherAnswers: Hashable, Sendable {
  /// The values in the order in which reports list them.
  package let values: [Value]

  /// A metric by its full name.
  package struct Value: Hashable, Sendable {
    /// The key, for example `plank.event_f1`.
    package let key: String
    /// The number or why there is none.
    package let value: MetricValue
  }

  /// Picks the metrics that a smoother is about from the pools of both streams.
  package init(plank: ScoreView, form: ScoreView) {
    var values: [Value] = []
    for (view, stream) in [(plank, "plank"), (form, "form")] {
      let results =
        [
          MetricResult(.balancedAccuracy, view.metrics.balancedAccuracy),
          MetricResult(.flickersPerMinute, view.stability.flickersPerMinute),
          MetricResult(.falseTransitionsPerMinute, view.stability.falseTransitionsPerMinute),
        ] + view.temporal.results
      values += results.map { Value(key: "\(stream).\($0.metric.rawValue)", value: $0.value) }
    }
    values += plank.temporal.sessionResults.map {
      Value(key: $0.metric.sessionKey, value: $0.value)
    }
    self.values = values
  }

  /// The value of a key.
  package func value(_ key: String) -> MetricValue {
    values.first { $0.key == key }?.value ?? .undefined(.noScoredFrames)
  }
}
