package import Statistics

/// Everything reads names, units, directions, ranges and formulas from here.
///
/// The metrics of a family are in one array beside their formulas; a metric that is added to it is
/// known everywhere.
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

  /// A sweep's cells keep the time by class, changes and detections: metrics that need no more can
  /// be tuned.
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
  /// How its standard error is estimated: by resamples for quantiles and totals, which do not vary
  /// smoothly with the weights of sequences.
  package var spread = ClusterSample.Spread.jackknife
  /// The per-class metric that tells which classes a mean takes; empty for other metrics.
  package var averaged: [Metric] = []
  /// The time of a class that the metric divides by, which is what a subject weighs in it; nil for
  /// all scored time.
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

  /// `determined`: the time by class covers only frames that the rules could decide.
  package init(_ pool: PooledCounts, determined: Bool = false) {
    classes = ClassCounts(determined ? pool.determinedSeconds : pool.seconds)
    stability = pool.stability
    detections = pool.temporal.classes.flatMap(\.detections)
    releases = pool.temporal.classes.flatMap(\.releases)
    events = pool.temporal.events.first { $0.rule == .headline }?.pooled ?? EventCounts()
    holds = pool.temporal.any.holds
  }
}

/// Several counts as one; each kind is summed when a metric first needs it, so that a metric of a
/// resample costs only what it reads.
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
