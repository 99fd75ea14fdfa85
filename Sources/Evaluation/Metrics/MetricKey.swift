package import PoseModel

/// A metric of a stream or of the session, as files and flags name it: `plank.recall[high]`.
package struct MetricKey: Hashable, Sendable, CustomStringConvertible {
  /// The stream whose counts it is made from; that of the planks for the session.
  package let stream: AnswerStream
  /// Which metric.
  package let metric: Metric
  /// The class, for a metric that has one number a class.
  package let label: String?

  /// Names a metric.
  ///
  /// - Precondition: a label is given exactly for metrics of one class.
  package init(_ metric: Metric, in stream: AnswerStream, label: String? = nil) {
    precondition(metric.isPerClass == (label != nil), "a label belongs to metrics of one class")
    self.metric = metric
    self.stream = metric.isOfSession ? .plank : stream
    self.label = label
  }

  /// Reads a name.
  ///
  /// - Returns: nil where the catalogue has no such name.
  package init?(_ text: String) {
    guard let key = Self.all.first(where: { $0.description == text }) else { return nil }
    self = key
  }

  /// Every metric: of both streams, then of the session, each in the order of the catalogue.
  package static let all: [MetricKey] =
    AnswerStream.allCases.flatMap { stream in
      Metric.allCases.filter { !$0.isOfSession }.flatMap { metric in
        metric.isPerClass
          ? stream.labels.map { MetricKey(metric, in: stream, label: $0) }
          : [MetricKey(metric, in: stream)]
      }
    } + Metric.allCases.filter(\.isOfSession).map { MetricKey($0, in: .plank) }

  /// The metrics that a comparison shows where none are asked for.
  package static let headlines: [MetricKey] =
    AnswerStream.allCases.flatMap { stream in
      [
        Metric.accuracy, .balancedAccuracy, .f1Macro, .f1Weighted, .cohenKappa,
        .matthewsCorrelation, .falseTransitionsPerMinute, .flickersPerMinute, .eventF1,
        .hitRate, .detectionLatencyMedian,
      ].map { MetricKey($0, in: stream) }
    } + [MetricKey(.holdError, in: .plank), MetricKey(.longestHoldError, in: .plank)]

  /// The headlines that are made from a stream's counts.
  package static func headlines(_ stream: AnswerStream) -> [MetricKey] {
    headlines.filter { $0.stream == stream }
  }

  /// The name.
  package var description: String {
    metric.isOfSession ? metric.sessionKey : metric.key(in: stream, label: label)
  }

  /// The value among the scores of the key's stream.
  package func value(in view: ScoreView) -> MetricValue {
    let results =
      view.metrics.overall + view.metrics.byClass + view.stability.results
      + view.temporal.results + (stream == .plank ? view.temporal.sessionResults : [])
    let found = results.first { $0.metric == metric && $0.label == label }
    return found?.value ?? .undefined(.noScoredFrames)
  }
}

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
