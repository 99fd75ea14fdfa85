@_spi(Bench) package import PoseModel

/// Everything about one stream of an evaluation.
package struct StreamReport: Hashable, Sendable {
  /// The stream.
  package let stream: AnswerStream
  /// The pooled scores of all sequences.
  package let view: ScoreView
  /// Sequences in which the rules decided fewer than half of the scored frames.
  ///
  /// They count in every pool; list them wherever a number includes them.
  package let noEvidence: [String]
  /// Form only: the scores on frames with the right plank answer.
  package let endToEnd: ScoreView?
  /// The scores by source, by subject and by tag.
  package let slices: ScoreSlices
  /// The longest wrong stretches, at most ten.
  package var worstMoments: [WorstMoment]
  /// Intervals of headline metrics by subject; nil unless asked for.
  package var uncertainty: StreamUncertainty?

  /// Pools one stream of some sequences.
  package init(_ sequences: [SequenceEvaluation], _ stream: AnswerStream) {
    let scores = sequences.map(\.scores)
    self.stream = stream
    view = ScoreView(scores, stream)
    noEvidence = scores.filter { $0[stream].frames.isNoEvidence }.map(\.name)
    endToEnd = stream == .form ? ScoreView(formEndToEnd: scores) : nil
    slices = ScoreSlices(scores, stream)
    worstMoments = WorstMoment.worst(sequences.flatMap { $0.worstMoments(stream) })
  }

  /// The classes in the order of the matrices.
  package var labels: [String] { stream.labels }

  /// The headline metrics about which the data says something.
  package var headlines: [MetricKey] {
    MetricKey.headlines(stream).filter { view.tells($0.metric) }
  }
}

/// The scores of some frames; each is computed when it is asked for.
///
/// Counts are sums over all frames. A metric is computed from the pool of each source, and is the
/// mean of these values over the sources that define it, so that a large source does not outvote a
/// small one; with one source it is the metric of the pool.
package struct ScoreView: Hashable, Sendable {
  /// The counts of all sources together.
  package let pool: PooledCounts
  /// The input of metrics over all scored frames, source by source: what a user saw.
  private let counts: [MetricCounts]
  /// The input of metrics over the determined frames among them: what the rules did.
  private let determinedCounts: [MetricCounts]

  /// Views a pool of one source.
  package init(_ pool: PooledCounts) { self.init(sources: [pool]) }

  /// Views one stream of some sequences.
  package init(_ sequences: [SequenceScores], _ stream: AnswerStream) {
    self.init(sources: Self.bySource(sequences).map { PooledCounts($0, stream) })
  }

  /// Views the form stream of some sequences on frames with the right plank answer.
  init(formEndToEnd sequences: [SequenceScores]) {
    self.init(sources: Self.bySource(sequences).map { PooledCounts(formEndToEnd: $0) })
  }

  private init(sources: [PooledCounts]) {
    let all = sources.dropFirst().reduce(into: sources[0]) { $0 += $1 }
    let scored = sources.filter { $0.frameCounts.scored > 0 }
    pool = all
    counts = (scored.isEmpty ? [all] : scored).map { MetricCounts($0) }
    determinedCounts = (scored.isEmpty ? [all] : scored).map { MetricCounts($0, determined: true) }
  }

  /// The sequences of every source, by its name; one empty list if there are none.
  private static func bySource(_ sequences: [SequenceScores]) -> [[SequenceScores]] {
    let groups = Dictionary(grouping: sequences) { $0.source ?? "" }
    return groups.isEmpty ? [[]] : groups.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The value of a metric of the pool's stream, or of the session.
  ///
  /// - Parameter determined: whether only determined frames count; for metrics of a confusion.
  package func value(_ key: MetricKey, determined: Bool = false) -> MetricValue {
    .mean(
      (determined ? determinedCounts : counts).map { source in
        var counts = SummedCounts([source])
        return counts.value(key.metric, code: key.code)
      })
  }

  /// The value of a metric in the pool's stream; a class is given for per-class metrics.
  package subscript(metric: Metric, label: String? = nil) -> MetricValue {
    value(MetricKey(metric, in: pool.stream, label: label))
  }

  /// The metrics of a scope in a section, in the order of the catalogue, per-class metrics class by
  /// class, with the classes that means leave out.
  package func results(
    _ section: Metric.Section, _ scope: Metric.Scope = .stream, determined: Bool = false
  ) -> [MetricResult] {
    let metrics = Metric.all.filter { $0.section == section && $0.scope == scope }
    return metrics.flatMap { metric in
      let parts = metric.averaged.flatMap { MetricKey.keys(of: $0, in: pool.stream) }
      let excluded = parts.filter { value($0, determined: determined).number == nil }
      return MetricKey.keys(of: metric, in: pool.stream).map { key in
        MetricResult(
          key: key, value: value(key, determined: determined),
          excluded: excluded.compactMap(\.label))
      }
    }
  }

  /// Frames: rows are truth, columns answers.
  package var confusion: ConfusionMatrix<Int> { pool.frames }

  /// The same in seconds, with each frame as long as its sequence's median interval.
  package var confusionSeconds: ConfusionMatrix<Double> { pool.seconds }

  /// The share of determined frames.
  package var determinedFrames: DeterminedShare {
    DeterminedShare(
      determined: pool.determinedFrames.weighted(by: 1), all: pool.frames.weighted(by: 1))
  }

  /// The share of determined seconds.
  package var determinedSeconds: DeterminedShare {
    DeterminedShare(determined: pool.determinedSeconds, all: pool.seconds)
  }

  /// How often the answers change, rightly or not.
  package var stability: StabilityCounts { pool.stability }

  /// How well the answers follow over time, in every detail.
  package var temporal: TemporalMetrics { TemporalMetrics(pool.temporal) }

  /// How many frames are of which kind.
  package var frameCounts: FrameCounts { pool.frameCounts }
}

extension ScoreView {
  /// The classes that some scored frame truly has, in the order of the matrices.
  package var trueLabels: [String] {
    confusion.labels.indices.filter { confusion.truthTotal($0) > 0 }.map { confusion.labels[$0] }
  }

  /// The classes that are answered but never true.
  package var strayLabels: [String] {
    confusion.labels.indices.filter { code in
      confusion.truthTotal(code) == 0
        && confusion.labels.indices.contains { confusion[$0, code] > 0 }
    }.map { confusion.labels[$0] }
  }

  /// Whether the data has the classes and events that a metric needs.
  ///
  /// A mean over classes needs at least two that occur. The macro F1 counts a class that is
  /// answered but never true as 0, which says nothing about the labeled classes.
  package func tells(_ metric: Metric) -> Bool {
    switch metric.formula {
    case .changes, .stability, .holds: true
    case .detections, .releases, .events: temporal.detection.changes > 0
    case .classes:
      metric == .accuracy || trueLabels.count > 1 && (metric != .f1Macro || strayLabels.isEmpty)
    }
  }

  /// The mean over classes that says most about the data; nil if only one class is labeled.
  package var classMean: Metric? { [Metric.f1Macro, .balancedAccuracy].first(where: tells) }
}
