package import PoseModel

/// One stream of an evaluation with its metrics.
@dynamicMemberLookup
package struct StreamReport: Hashable, Sendable {
  /// Everything but the metrics.
  let result: StreamResult
  /// The scores of all sequences.
  package let view: ScoreView

  /// A part of the result.
  package subscript<Part>(dynamicMember part: KeyPath<StreamResult, Part>) -> Part {
    result[keyPath: part]
  }

  /// The stream.
  package var stream: AnswerStream { result.stream }

  /// The classes in the order of the matrices.
  package var labels: [String] { result.labels }

  /// The headline metrics that the data says something about.
  package var headlines: [MetricKey] {
    MetricKey.headlines(stream).filter { view.tells($0.metric) }
  }
}

extension StreamReport {
  /// Pools one stream of some sequences.
  ///
  /// - Parameter facts: have the intervals of metrics, and say whether slices are kept.
  init(
    _ sequences: [SequenceEvaluation], _ stream: AnswerStream, _ facts: EvaluationReport.Facts
  ) {
    let scores = sequences.map(\.scores)
    let sources = ScoreView.pools(of: scores) { PooledCounts($0, stream) }
    let pool = ScoreView.sum(sources)
    view = ScoreView(sources: sources)
    result = StreamResult(
      counts: view.counts, overTime: OverTime(sources: sources),
      details: scores.map(\.detail).min() == .all ? TemporalDetails(pool) : nil,
      noEvidence: scores.filter { $0[stream].frames.isNoEvidence }.map(\.name),
      endToEnd: stream == .form ? ScoreView(formEndToEnd: scores) : nil,
      slices: facts.hasSlices ? ScoreSlices(scores, stream) : ScoreSlices(),
      worstMoments: WorstMoment.worst(sequences.flatMap { $0.worstMoments[stream] }),
      uncertainty: facts.uncertainty?[stream])
  }
}

/// One stream of an evaluation, besides its metrics.
package struct StreamResult: Codable, Hashable, Sendable {
  /// What was counted in all sequences.
  package let counts: ScoreCounts
  /// How the answers follow true events.
  package let overTime: OverTime
  /// Everything over time; nil unless it was counted in every sequence.
  package let details: TemporalDetails?
  /// Sequences in which the rules decided fewer than half of the scored frames.
  ///
  /// They count in every pool; list them wherever a number includes them.
  package let noEvidence: [String]
  /// Form only: the scores on frames with the right plank answer.
  package let endToEnd: ScoreView?
  /// The scores by source, by subject and by tag.
  package let slices: ScoreSlices
  /// The longest wrong stretches, at most ten.
  package let worstMoments: [WorstMoment]
  /// Intervals of headline metrics by subject; nil unless asked for.
  package let uncertainty: StreamUncertainty?

  private enum CodingKeys: String, CodingKey {
    case counts
    case overTime = "over_time"
    case details
    case noEvidence = "no_evidence"
    case endToEnd = "end_to_end"
    case slices
    case worstMoments = "worst_moments"
    case uncertainty
  }

  /// The stream.
  package var stream: AnswerStream { counts.stream }

  /// The classes in the order of the matrices.
  package var labels: [String] { stream.labels }
}

/// What was counted in some frames: sums over all of them, whatever their source.
package struct ScoreCounts: Codable, Hashable, Sendable {
  /// The stream.
  package let stream: AnswerStream
  /// Frames: rows are truth, columns answers.
  package let confusion: ConfusionMatrix<Int>
  /// The same in seconds, with each frame as long as its sequence's median interval.
  package let confusionSeconds: ConfusionMatrix<Double>
  /// The share of determined frames.
  package let determinedFrames: DeterminedShare
  /// The share of determined seconds.
  package let determinedSeconds: DeterminedShare
  /// How often the answers change, rightly or not.
  package let stability: StabilityCounts
  /// How many true events there are.
  package let events: TrueEvents
  /// The number of frames of each kind.
  package let frames: FrameCounts

  private enum CodingKeys: String, CodingKey {
    case stream, confusion
    case confusionSeconds = "confusion_seconds"
    case determinedFrames = "determined_by_frames"
    case determinedSeconds = "determined_by_seconds"
    case stability, events, frames
  }

  /// Takes the counts of a pool.
  init(_ pool: PooledCounts) {
    stream = pool.stream
    confusion = pool.frames
    confusionSeconds = pool.seconds
    determinedFrames = DeterminedShare(
      determined: pool.determinedFrames.weighted(by: 1), all: pool.frames.weighted(by: 1))
    determinedSeconds = DeterminedShare(determined: pool.determinedSeconds, all: pool.seconds)
    stability = pool.stability
    events = TrueEvents(LatencySample(pool.temporal.classes.flatMap(\.detections)))
    frames = pool.frameCounts
  }
}

/// How many true events there are, and what is known about their starts.
package struct TrueEvents: Codable, Hashable, Sendable {
  /// All of them.
  package let count: Int
  /// How many were answered in time.
  package let detected: Int
  /// How many were seen to start.
  package let observedStarts: Int
  /// How many started in an unscored stretch.
  package let hiddenStarts: Int

  private enum CodingKeys: String, CodingKey {
    case count, detected
    case observedStarts = "observed_starts"
    case hiddenStarts = "hidden_starts"
  }

  /// Counts the events of some latencies.
  init(_ latencies: LatencySample) {
    count = latencies.changes
    detected = latencies.hits
    observedStarts = latencies.observedChanges
    hiddenStarts = latencies.hiddenChanges
  }
}
