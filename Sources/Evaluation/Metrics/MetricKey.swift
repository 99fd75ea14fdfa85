package import PoseModel

/// A metric of a stream, a class or the session, by its name in files and options:
/// `plank.recall[high]`, `session.hold_error_s`.
package struct MetricKey: Hashable, Sendable, CustomStringConvertible {
  package let stream: AnswerStream
  package let metric: Metric
  package let label: String?
  package let code: Int

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

  package init(_ name: String) throws {
    guard let key = Self.byName[name] else {
      throw UnknownMetric(name: name, known: Self.all.map(\.description))
    }
    self = key
  }

  /// Throws `UnknownMetric` also for metrics that a sweep's cells cannot give.
  package init(tunable name: String) throws {
    let key = try MetricKey(name)
    guard key.metric.isTunable else {
      throw UnknownMetric(
        name: name, known: Self.tunable.map(\.description), isKnownElsewhere: true)
    }
    self = key
  }

  package static let all: [MetricKey] =
    AnswerStream.allCases.flatMap { stream in
      Metric.all.filter { $0.scope != .session }.flatMap { keys(of: $0, in: stream) }
    } + Metric.all.filter { $0.scope == .session }.map { MetricKey($0, in: .plank) }

  package static let tunable: [MetricKey] = all.filter(\.metric.isTunable)

  private static let byStream = PerStream { stream in all.filter { $0.stream == stream } }

  package static func keys(of stream: AnswerStream) -> [MetricKey] { byStream[stream] }

  private static let byName = Dictionary(
    uniqueKeysWithValues: all.map { ($0.description, $0) })

  package static let headlines: [MetricKey] =
    AnswerStream.allCases.flatMap { stream in
      [
        Metric.accuracy, .balancedAccuracy, .f1Macro, .f1Weighted, .cohenKappa,
        .matthewsCorrelation, .falseTransitionsPerMinute, .flickersPerMinute, .eventF1,
        .hitRate, .detectionLatencyMedian,
      ].map { MetricKey($0, in: stream) }
    } + [MetricKey(.holdError, in: .plank), MetricKey(.longestHoldError, in: .plank)]

  package static func headlines(_ stream: AnswerStream) -> [MetricKey] {
    headlines.filter { $0.stream == stream }
  }

  package static func keys(of metric: Metric, in stream: AnswerStream) -> [MetricKey] {
    metric.scope == .perClass
      ? stream.labels.map { MetricKey(metric, in: stream, label: $0) }
      : [MetricKey(metric, in: stream)]
  }

  package var description: String {
    (metric.scope == .session ? "session" : stream.rawValue) + ".\(shortName)"
  }

  package var shortName: String { metric.name + (label.map { "[\($0)]" } ?? "") }
}

package struct UnknownMetric: Error, Hashable, Sendable, CustomStringConvertible {
  package let name: String
  package let known: [String]
  package var isKnownElsewhere = false

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

package struct MetricResult: Hashable, Sendable {
  package let key: MetricKey
  package let value: MetricValue
  package let excluded: [String]
}
