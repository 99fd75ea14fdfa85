package import PoseModel
package import Statistics

/// A metric with its name, unit, direction, range and formula.
///
/// Commands know a metric only if it is in the array of its family, such as
/// `Metric.classification`.
package struct Metric: Sendable {
  package enum Scope: String, Hashable, Sendable {
    case stream
    case perClass = "class"
    case session
  }

  package enum Section: String, CaseIterable, Hashable, Sendable {
    case classification
    case stability
    case overTime
  }

  /// How a metric is computed from counts.
  ///
  /// The store of a sweep keeps only the time by class, changes and detections, so only metrics of
  /// these counts can be tuned.
  package enum Formula: Sendable {
    case classes(@Sendable (_ counts: ClassCounts, _ code: Int) -> MetricValue)
    case changes(@Sendable (ChangeCounts) -> MetricValue)
    case stability(@Sendable (StabilityCounts) -> MetricValue)
    case detections(LatencyFormula)
    case releases(LatencyFormula)
    case events(@Sendable (EventCounts) -> MetricValue)
    case holds(@Sendable (HoldCounts) -> MetricValue)
  }

  package let name: String
  package let meaning: String
  package var unit = "-"
  package var higherIsBetter = true
  package var range: ClosedRange<Double> = 0...1
  package var scope = Scope.stream
  /// How the metric's standard error is estimated.
  ///
  /// Quantiles and totals use resamples, because they do not vary smoothly with the weights of
  /// sequences.
  package var spread = ClusterSample.Spread.jackknife
  /// For a mean over classes, the per-class metrics that tell which classes it includes.
  package var averaged: [Metric] = []
  /// The time of a class by which the metric divides, which is also a subject's weight; nil for all
  /// scored time.
  package var classTime: (@Sendable (_ counts: ClassCounts, _ code: Int) -> Double)?
  package var needsObservedStarts = false
  package let formula: Formula

  package static let all: [Metric] = classification + stability + overTime

  package var differenceRange: ClosedRange<Double> {
    let width = range.upperBound - range.lowerBound
    return -width...width
  }

  package var logitScale: LogitScale? { LogitScale(range) }

  package var section: Section {
    switch formula {
    case .classes: .classification
    case .changes, .stability: .stability
    case .detections, .releases, .events, .holds: .overTime
    }
  }

  package var isTunable: Bool {
    switch formula {
    case .classes, .changes, .detections: true
    case .stability, .releases, .events, .holds: false
    }
  }
}

extension Metric: Hashable {
  package static func == (left: Metric, right: Metric) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

package struct MetricCounts: Hashable, Sendable {
  var classes: ClassCounts
  var stability: StabilityCounts
  var detections: [Latency]
  var releases: [Latency]
  var events: EventCounts
  var holds: HoldCounts

  /// If `determined`, the time by class covers only frames that the rules could decide.
  package init(_ pool: PooledCounts, determined: Bool = false) {
    classes = ClassCounts(determined ? pool.determinedSeconds : pool.seconds)
    stability = pool.stability
    detections = pool.temporal.classes.flatMap(\.detections)
    releases = pool.temporal.classes.flatMap(\.releases)
    events = pool.temporal.events.first { $0.rule == .headline }?.pooled ?? EventCounts()
    holds = pool.temporal.any.holds
  }
}

/// Sums each kind of count only when a metric first needs it, so a metric of a resample costs only
/// what it reads.
struct SummedCounts {
  private let parts: [MetricCounts]
  private let drawn: [Int]
  private lazy var classes = drawn.reduce(into: ClassCounts()) { $0 += parts[$1].classes }
  private lazy var stability = drawn.reduce(into: StabilityCounts()) { $0 += parts[$1].stability }
  private lazy var detections = LatencySample(drawn.flatMap { parts[$0].detections })
  private lazy var releases = LatencySample(drawn.flatMap { parts[$0].releases })
  private lazy var events = drawn.reduce(into: EventCounts()) { $0 += parts[$1].events }
  private lazy var holds = drawn.reduce(into: HoldCounts()) { $0 += parts[$1].holds }

  init(_ parts: [MetricCounts], drawn: [Int]) {
    self.parts = parts
    self.drawn = drawn
  }

  init(_ parts: [MetricCounts]) { self.init(parts, drawn: Array(parts.indices)) }

  mutating func value(_ metric: Metric, code: Int) -> MetricValue {
    switch metric.formula {
    case .classes(let formula): formula(classes, code)
    case .changes(let formula): formula(stability.changes)
    case .stability(let formula): formula(stability)
    case .detections(let formula): formula(detections)
    case .releases(let formula): formula(releases)
    case .events(let formula): formula(events)
    case .holds(let formula): formula(holds)
    }
  }
}

/// A metric of a stream, a class or the session, with its name in files and options, for example
/// `plank.recall[high]` or `session.hold_error_s`.
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

  /// Throws `UnknownMetric` for unknown names, and for metrics that the stored counts of a sweep
  /// cannot give.
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

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.description, $0) })

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
      NearestNames.suggestion(name, among: known) ?? "the metrics have names like `plank.f1_macro`;"
    return "\(problem); \(hint) docs/metrics.md lists all"
  }
}

package struct MetricResult: Hashable, Sendable {
  package let key: MetricKey
  package let value: MetricValue
  package let excluded: [String]
}

/// In JSON, an object whose keys are those of gates and options, such as `plank.recall[high]`.
package struct MetricTable: Hashable, Sendable {
  private var values: [MetricKey: MetricValue]

  package init(_ keys: some Sequence<MetricKey>, value: (MetricKey) -> MetricValue) {
    values = Dictionary(keys.map { ($0, value($0).clamped(to: $0.metric.range)) }) { first, _ in
      first
    }
  }

  package init(_ entries: some Sequence<(MetricKey, MetricValue)>) {
    values = Dictionary(entries.map { ($0.0, $0.1) }) { first, _ in first }
  }

  package var keys: [MetricKey] { MetricKey.all.filter { values[$0] != nil } }

  package subscript(key: MetricKey) -> MetricValue? { values[key] }
}

extension MetricTable: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let named = try container.decode([String: MetricValue].self)
    values = [:]
    for (name, value) in named {
      guard let key = try? MetricKey(name) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "found the metric `\(name)`, which does not exist")
      }
      values[key] = value
    }
  }

  package func encode(to encoder: any Encoder) throws {
    try values.encode(to: encoder)
  }
}

extension MetricKey: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let key = try? MetricKey(name) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "found the metric `\(name)`, which does not exist")
    }
    self = key
  }

  package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension MetricKey: CodingKeyRepresentable {
  package var codingKey: any CodingKey { MetricName(stringValue: description) }

  package init?(codingKey: some CodingKey) {
    guard let key = try? MetricKey(codingKey.stringValue) else { return nil }
    self = key
  }

  private struct MetricName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension MetricValue: Codable {
  private enum CodingKeys: String, CodingKey { case value, reason }

  package init(from decoder: any Decoder) throws {
    if let number = try? Double(from: decoder) {
      self = .value(number)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self = .undefined(try container.decode(UndefinedReason.self, forKey: .reason))
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .value(let number): try number.encode(to: encoder)
    case .undefined(let reason):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeNil(forKey: .value)
      try container.encode(reason, forKey: .reason)
    }
  }
}
