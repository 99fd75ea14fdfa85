package import PoseModel

/// Counts are sums over all frames.
///
/// A metric is computed from the pool of each source, and is the mean of these values over the
/// sources that define it, so that a large source does not outvote a small one.
package struct ScoreView: Codable, Hashable, Sendable {
  package let counts: ScoreCounts
  /// Every metric of the stream over all scored frames: what a user saw; with the planks, those of
  /// the session.
  let metrics: MetricTable
  let determined: MetricTable

  private enum CodingKeys: String, CodingKey {
    case counts, metrics
    case determined = "metrics_determined"
  }

  init(_ counts: ScoreCounts, metrics: MetricTable, determined: MetricTable) {
    self.counts = counts
    self.metrics = metrics
    self.determined = determined
  }

  package init(_ pool: PooledCounts) { self.init(sources: [pool]) }

  package init(_ sequences: [SequenceScores], _ stream: AnswerStream) {
    self.init(sources: Self.pools(of: sequences) { PooledCounts($0, stream) })
  }

  init(formEndToEnd sequences: [SequenceScores]) {
    self.init(sources: Self.pools(of: sequences) { PooledCounts(formEndToEnd: $0) })
  }

  init(sources: [PooledCounts]) {
    let all = Self.sum(sources)
    let scored = sources.filter { $0.frameCounts.scored > 0 }
    let counted = scored.isEmpty ? [all] : scored
    func table(_ keys: [MetricKey], determined: Bool) -> MetricTable {
      var sums = counted.map { SummedCounts([MetricCounts($0, determined: determined)]) }
      return MetricTable(keys) { key in
        .mean(sums.indices.map { sums[$0].value(key.metric, code: key.code) })
      }
    }
    let keys = MetricKey.keys(of: all.stream)
    counts = ScoreCounts(all)
    metrics = table(keys, determined: false)
    determined = table(keys.filter { $0.metric.section == .classification }, determined: true)
  }

  static func pools(
    of sequences: [SequenceScores], _ pool: ([SequenceScores]) -> PooledCounts
  ) -> [PooledCounts] {
    let groups = Dictionary(grouping: sequences) { $0.source ?? "" }
    return groups.isEmpty ? [pool([])] : groups.sorted { $0.key < $1.key }.map { pool($0.value) }
  }

  static func sum(_ sources: [PooledCounts]) -> PooledCounts {
    sources.dropFirst().reduce(into: sources[0]) { $0 += $1 }
  }

  /// `determined` counts only determined frames; for metrics of a confusion.
  ///
  /// `notMeasured` for a metric of the other stream.
  package func value(_ key: MetricKey, determined isDetermined: Bool = false) -> MetricValue {
    (isDetermined ? determined : metrics)[key] ?? .undefined(.notMeasured)
  }

  package subscript(metric: Metric, label: String? = nil) -> MetricValue {
    value(MetricKey(metric, in: counts.stream, label: label))
  }

  package func results(
    _ section: Metric.Section, _ scope: Metric.Scope = .stream, determined: Bool = false
  ) -> [MetricResult] {
    let metrics = Metric.all.filter { $0.section == section && $0.scope == scope }
    return metrics.flatMap { metric in
      let parts = metric.averaged.flatMap { MetricKey.keys(of: $0, in: counts.stream) }
      let excluded = parts.filter { value($0, determined: determined).number == nil }
      return MetricKey.keys(of: metric, in: counts.stream).map { key in
        MetricResult(
          key: key, value: value(key, determined: determined),
          excluded: excluded.compactMap(\.label))
      }
    }
  }

  package var stream: AnswerStream { counts.stream }

  package var confusion: ConfusionMatrix<Int> { counts.confusion }

  /// In seconds, with each frame as long as its sequence's median interval.
  package var confusionSeconds: ConfusionMatrix<Double> { counts.confusionSeconds }

  package var determinedFrames: DeterminedShare { counts.determinedFrames }

  package var determinedSeconds: DeterminedShare { counts.determinedSeconds }

  package var stability: StabilityCounts { counts.stability }

  package var frameCounts: FrameCounts { counts.frames }
}

extension ScoreView {
  package var trueLabels: [String] {
    confusion.labels.indices.filter { confusion.truthTotal($0) > 0 }.map { confusion.labels[$0] }
  }

  package var strayLabels: [String] {
    confusion.labels.indices.filter { code in
      confusion.truthTotal(code) == 0
        && confusion.labels.indices.contains { confusion[$0, code] > 0 }
    }.map { confusion.labels[$0] }
  }

  /// A mean over classes needs at least two that occur.
  package func tells(_ metric: Metric) -> Bool {
    switch metric.formula {
    case .changes, .stability, .holds: true
    case .detections, .releases, .events: counts.events.count > 0
    case .classes:
      metric == .accuracy || trueLabels.count > 1 && (metric != .f1Macro || strayLabels.isEmpty)
    }
  }

  /// The mean over classes that says most about the data; nil if only one class is labeled.
  package var classMean: Metric? { [Metric.f1Macro, .balancedAccuracy].first(where: tells) }
}
