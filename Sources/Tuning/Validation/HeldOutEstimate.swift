internal import Evaluation
package import Statistics

/// How well a procedure does on unseen data.
///
/// In every fold the whole procedure chooses without the held-out data; the answers on that data
/// are pooled over folds and scored as those of one detector. The interval resamples the held-out
/// units. Folds share most of the data on which they choose, so the interval's ends are moved
/// outward by the factor sqrt(1 + k m / n), with k folds, and m held-out units against n units for
/// choosing: m / n = 1 / (k - 1). They are moved on the logit scale if the metric is bounded. If all
/// units are alike, the interval is what their number allows, and stays where it is.
///
/// Source: Nadeau and Bengio 2003, Machine Learning 52:239, for the factor; Stone 1974, JRSS B
/// 36:111, and Varma and Simon 2006, BMC Bioinformatics 7:91, for the need to repeat the choice in
/// every fold.
package struct HeldOutEstimate: Codable, Hashable, Sendable {
  /// What a fold holds out, and thus what the estimate is about.
  package enum Unit: String, CaseIterable, Codable, Hashable, Sendable {
    /// All recordings of a person at once: the estimate is about new people.
    case people
    /// Recordings of unknown people, who may be in the others too: the estimate is about new
    /// recordings of the same people.
    case recordings
    /// People if they are known, and recordings if they are not.
    case peopleAndRecordings = "people and recordings"
    /// Sources such as datasets, with all of their people: the estimate is about a new source.
    case sources

    init(_ scheme: ValidationScheme, subjects: [String?]) {
      if scheme == .leaveOneSourceOut {
        self = .sources
      } else if subjects.allSatisfy({ $0 != nil }) {
        self = .people
      } else {
        self = subjects.allSatisfy { $0 == nil } ? .recordings : .peopleAndRecordings
      }
    }
  }

  /// What was held out.
  package let unit: Unit
  /// The objective over the held-out answers; nil if it is undefined.
  package let value: Double?
  /// Its 95 % interval, the wider of cluster t and corrected bootstrap, within the metric's range;
  /// nil if there is none.
  package let interval: Interval?
  /// The objective of the starting point over the same data.
  package let start: Double?
  /// The value minus that of the starting point, paired; nil if either is undefined.
  package let change: Double?
  /// The 95 % interval of the change, made like the other.
  package let changeInterval: Interval?
  /// The two-sided probability of a change as far from zero if there were none.
  ///
  /// By Student's t, with the error widened as the interval is; where the change is the same for
  /// all held-out units, 2 / 2^n, the least that swapping the sides of n units can give. Nil if
  /// there are fewer than two units or the change is undefined.
  package let changeProbability: Double?

  private enum CodingKeys: String, CodingKey {
    case unit, value, interval, change
    case start = "starting_point"
    case changeInterval = "change_interval"
    case changeProbability = "change_p"
  }

  /// How many resamples an interval uses.
  private static let resamples = 2000

  /// Scores held-out answers beside those of the starting point.
  ///
  /// - Parameters:
  ///   - found: the pooled answers of the folds, one cell.
  ///   - start: the answers of the starting point, one cell, over the same subjects.
  ///   - clusters: the subjects that are held out together; the interval resamples these.
  ///   - folds: how many folds there are, at least two.
  init(
    _ unit: Unit, _ metric: MetricKey, found: SubjectTable, start: SubjectTable,
    clusters: [[Int]], folds: Int, seed: UInt64
  ) {
    precondition(found.subjects == start.subjects, "the same subjects on both sides")
    let resamples = ClusterResamples(
      clusters: clusters.count, count: Self.resamples,
      stream: RandomStream(seed: seed, purpose: "tuning.held_out"))
    var subjects: [Int] = []
    var samples = ClusterSample.make(resamples) { drawn in
      subjects.removeAll(keepingCapacity: true)
      for cluster in drawn { subjects += clusters[cluster] }
      return [found.value(metric, at: 0, subjects), start.value(metric, at: 0, subjects)]
    }
    let difference = samples[0] - samples[1]
    samples[0].weights = found.weights(metric, at: 0, clusters: clusters)
    let factor = Self.sharedTraining(folds: folds)
    self.unit = unit
    value = samples[0].estimate
    interval = samples[0].interval(widenedBy: factor, scale: metric.metric.logitScale).interval?
      .clamped(to: metric.metric.range)
    self.start = samples[1].estimate
    change = difference.estimate
    changeInterval = difference.interval(widenedBy: factor).interval?
      .clamped(to: metric.metric.differenceRange)
    changeProbability = difference.probability(widenedBy: factor)
  }

  /// The factor by which errors are larger than those of folds with separate data.
  package static func sharedTraining(folds: Int) -> Double {
    precondition(folds > 1, "something is held out and something is left")
    return (1 + Double(folds) / Double(folds - 1)).squareRoot()
  }
}

extension ClusterSample {
  /// The wider of the 95 % intervals with its ends moved away from the estimate, or why there is
  /// none.
  ///
  /// - Parameters:
  ///   - range: the number's range, at which intervals end.
  ///   - scale: where distances are measured; nil for the number's own scale.
  func interval(
    widenedBy factor: Double, within range: ClosedRange<Double> = -.infinity ... .infinity,
    scale: LogitScale? = nil
  ) -> IntervalValue {
    let wider = MetricIntervals(self, range: range, scale: scale).wider
    guard let estimate, let interval = wider.interval else { return wider }
    return .interval(
      interval.widened(by: factor, about: estimate, scale: scale).clamped(to: range))
  }

  /// The two-sided probability of an estimate as far from zero if the truth were zero, with a
  /// standard error that is larger by a factor; nil if it cannot be computed.
  fileprivate func probability(widenedBy factor: Double) -> Double? {
    do throws(UndefinedReason) {
      return try test().widened(by: factor).probability
    } catch {
      guard error == .noVariation, let estimate else { return nil }
      return estimate == 0 ? 1 : SignFlipTest.leastProbability(clusters: clusters)
    }
  }
}

/// The answers on held-out subjects, pooled over folds as if one detector had given them.
struct HeldOutPool {
  private var tables: [SubjectTable] = []

  /// Adds the held-out sequences of a fold; the first cell of the table is its detector.
  mutating func add(_ table: SubjectTable) { tables.append(table) }

  /// All answers as those of one cell; nil without folds.
  func table(allowsUngrouped: Bool) throws -> SubjectTable? {
    guard let first = tables.first else { return nil }
    let all = tables.flatMap { $0.cells.layout.facts.sequences }
    let layout = StatisticsLayout(
      StreamFacts(first.cells.layout.facts.stream, facts: all), keepsDetermined: false)
    var confusion: [UInt32] = []
    var transitions: [UInt32] = []
    var latencies: [UInt32] = []
    for cells in tables.map(\.cells) {
      let parts = cells.layout
      let numbers = Array(cells.numbers(at: 0))
      confusion += numbers[..<parts.transitionStart]
      transitions += numbers[parts.transitionStart..<parts.latencyStart]
      latencies += numbers[parts.latencyStart...]
    }
    let cells = CellTable(layout: layout, ids: [0], storage: confusion + transitions + latencies)
    return try SubjectTable(cells, allowsUngrouped: allowsUngrouped)
  }
}
