package import PoseModel

/// A metric of a stream, a class or the session, by its name in files and options:
/// `plank.recall[high]`, `session.hold_error_s`.
package struct MetricKey: Hashable, Sendable, CustomStringConvertible {
  /// The stream of its counts; for the session, that of the planks.
  package let stream: AnswerStream
  /// The metric.
  package let metric: Metric
  /// The class of a per-class metric.
  package let label: String?
  /// The code of the class; 0 without one.
  package let code: Int

  /// Makes a key.
  ///
  /// - Precondition: a class of the stream is given exactly for per-class metrics.
  package init(_ metric: Metric, in stream: AnswerStream, label: String? = nil) {
    let code = label.map { stream.code(of: $0) }
    precondition(
      metric.scope == .perClass ? code?.map(Int.init) != nil : label == nil,
      "a class of the stream belongs to metrics of single classes")
    self.metric = metric
    self.stream = metric.scope == .session ? .plank : stream
    self.label = label
    self.code = code?.map(Int.init) ?? 0
  }

  /// Parses a name.
  ///
  /// - Throws: `UnknownMetric` if the catalogue has no such name.
  package init(_ name: String) throws {
    guard let key = Self.byName[name] else {
      throw UnknownMetric(name: name, known: Self.all.map(\.description))
    }
    self = key
  }

  /// Parses the name of a metric that can be computed from a sweep's cells.
  ///
  /// - Throws: `UnknownMetric`, also for other metrics.
  package init(tunable name: String) throws {
    let key = try MetricKey(name)
    guard key.metric.isTunable else {
      throw UnknownMetric(
        name: name, known: Self.tunable.map(\.description), isKnownElsewhere: true)
    }
    self = key
  }

  /// Every metric: of both streams, then of the session, each in the order of the catalogue.
  package static let all: [MetricKey] =
    AnswerStream.allCases.flatMap { stream in
      Metric.all.filter { $0.scope != .session }.flatMap { keys(of: $0, in: stream) }
    } + Metric.all.filter { $0.scope == .session }.map { MetricKey($0, in: .plank) }

  /// The metrics that can be computed from a sweep's cells.
  package static let tunable: [MetricKey] = all.filter(\.metric.isTunable)

  private static let byStream = PerStream { stream in all.filter { $0.stream == stream } }

  /// The metrics that are computed from a stream's counts: with the planks, those of the session.
  package static func keys(of stream: AnswerStream) -> [MetricKey] { byStream[stream] }

  private static let byName = Dictionary(
    uniqueKeysWithValues: all.map { ($0.description, $0) })

  /// The metrics by which a comparison decides unless others are asked for: one per stream.
  package static let deciding: [MetricKey] = AnswerStream.allCases.map {
    MetricKey(.f1MacroTruth, in: $0)
  }

  /// The metrics that are shown with their intervals.
  package static let headlines: [MetricKey] =
    AnswerStream.allCases.flatMap { stream in
      [
        Metric.accuracy, .balancedAccuracy, .f1Macro, .f1Weighted, .cohenKappa,
        .matthewsCorrelation, .falseTransitionsPerMinute, .flickersPerMinute, .eventF1,
        .hitRate, .detectionLatencyMedian,
      ].map { MetricKey($0, in: stream) }
    } + [MetricKey(.holdError, in: .plank), MetricKey(.longestHoldError, in: .plank)]

  /// The headlines that are computed from a stream's counts.
  package static func headlines(_ stream: AnswerStream) -> [MetricKey] {
    headlines.filter { $0.stream == stream }
  }

  /// The keys of a metric in a stream: one, or one per class.
  package static func keys(of metric: Metric, in stream: AnswerStream) -> [MetricKey] {
    metric.scope == .perClass
      ? stream.labels.map { MetricKey(metric, in: stream, label: $0) }
      : [MetricKey(metric, in: stream)]
  }

  /// The name.
  package var description: String {
    (metric.scope == .session ? "session" : stream.rawValue) + ".\(shortName)"
  }

  /// The name without its stream.
  package var shortName: String { metric.name + (label.map { "[\($0)]" } ?? "") }
}

/// A name without a metric, or of a metric that cannot be used there.
package struct UnknownMetric: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name.
  package let name: String
  /// The possible names.
  package let known: [String]
  /// Whether it is a metric that cannot be computed from a sweep.
  package var isKnownElsewhere = false

  /// What is wrong and the nearest names.
  package var description: String {
    let problem =
      isKnownElsewhere
      ? "`\(name)` needs whole answers, which a sweep does not keep"
      : "there is no metric `\(name)`"
    let hint =
      NearestNames.suggestion(name, among: known) ?? "metrics are named like `plank.f1_macro`;"
    return "\(problem); \(hint) docs/metrics.md lists all"
  }
}

/// One metric with its value, for reports.
package struct MetricResult: Hashable, Sendable {
  /// The metric.
  package let key: MetricKey
  /// The number, or why there is none.
  package let value: MetricValue
  /// Classes that a mean leaves out because their own value is undefined.
  package let excluded: [String]
}
