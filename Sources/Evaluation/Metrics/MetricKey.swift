package import PoseModel

/// A metric of a stream, a class or the session, as files and flags name it:
/// `plank.recall[high]`, `session.hold_error_s`.
package struct MetricKey: Hashable, Sendable, CustomStringConvertible {
  /// The stream whose counts it is made from; that of the planks for the session.
  package let stream: AnswerStream
  /// Which metric.
  package let metric: Metric
  /// The class, for a metric that has one number per class.
  package let label: String?
  /// The code of the class; 0 without one.
  package let code: Int

  /// Names a metric.
  ///
  /// - Precondition: a class of the stream is given exactly for metrics of single classes.
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

  /// Reads a name.
  ///
  /// - Throws: `UnknownMetric` where the catalogue has no such name.
  package init(_ name: String) throws(UnknownMetric) {
    guard let key = Self.byName[name] else {
      throw UnknownMetric(name: name, known: Self.all.map(\.description))
    }
    self = key
  }

  /// Reads the name of a metric that a sweep's cells tell.
  ///
  /// - Throws: `UnknownMetric` for other metrics, too.
  package init(tunable name: String) throws(UnknownMetric) {
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

  /// Those that a sweep's cells tell.
  package static let tunable: [MetricKey] = all.filter(\.metric.isTunable)

  private static let byName = Dictionary(
    uniqueKeysWithValues: all.map { ($0.description, $0) })

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

  /// The keys of a metric in a stream: one, or one per class.
  package static func keys(of metric: Metric, in stream: AnswerStream) -> [MetricKey] {
    metric.scope == .perClass
      ? stream.labels.map { MetricKey(metric, in: stream, label: $0) }
      : [MetricKey(metric, in: stream)]
  }

  /// The name.
  package var description: String {
    let suffix = label.map { "[\($0)]" } ?? ""
    return (metric.scope == .session ? "session" : stream.rawValue) + ".\(metric.name)\(suffix)"
  }
}

/// A name that no metric has, or that none has that could be used there.
package struct UnknownMetric: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was asked for.
  package let name: String
  /// The names that were possible.
  package let known: [String]
  /// Whether it is a metric that a sweep cannot tell.
  package var isKnownElsewhere = false

  /// What is wrong and the nearest names.
  package var description: String {
    let problem =
      isKnownElsewhere
      ? "`\(name)` needs whole answers, which a sweep does not keep"
      : "there is no metric `\(name)`"
    let hint =
      NearestNames.question(name, among: known) ?? "metrics are named like `plank.f1_macro`"
    return "\(problem); \(hint) docs/metrics.md lists all"
  }
}

/// One metric with its value, as reports list it.
package struct MetricResult: Hashable, Sendable {
  /// Which metric.
  package let key: MetricKey
  /// The number, or why there is none.
  package let value: MetricValue
  /// Classes that a mean leaves out because their own value is undefined.
  package let excluded: [String]
}
