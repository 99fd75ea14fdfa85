package import PoseModel

/// One metric with its value, as reports list it.
package struct MetricResult: Hashable, Sendable {
  /// Which metric.
  package let metric: Metric
  /// The class, for a metric that has one number a class.
  package let label: String?
  /// The number, or why there is none.
  package let value: MetricValue
  /// Classes that a mean leaves out because their own value is undefined.
  package let excluded: [String]

  /// Makes a result.
  package init(
    _ metric: Metric, label: String? = nil, _ value: MetricValue, excluded: [String] = []
  ) {
    self.metric = metric
    self.label = label
    self.value = value
    self.excluded = excluded
  }

  /// The key in a stream, for example `plank.recall[high]`.
  package func key(in stream: AnswerStream) -> String { metric.key(in: stream, label: label) }
}
