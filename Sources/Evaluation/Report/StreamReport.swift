package import PoseModel

@dynamicMemberLookup
package struct StreamReport: Hashable, Sendable {
  let result: StreamResult
  package let view: ScoreView

  package subscript<Part>(dynamicMember part: KeyPath<StreamResult, Part>) -> Part {
    result[keyPath: part]
  }

  package var stream: AnswerStream { result.stream }

  package var labels: [String] { result.labels }

  package var headlines: [MetricKey] {
    MetricKey.headlines(stream).filter { view.tells($0.metric) }
  }
}

extension StreamReport {
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

package struct StreamResult: Codable, Hashable, Sendable {
  package let counts: ScoreCounts
  package let overTime: OverTime
  package let details: TemporalDetails?
  /// Sequences in which the rules decided fewer than half of the scored frames; they count in every
  /// pool, so list them wherever a number includes them.
  package let noEvidence: [String]
  package let endToEnd: ScoreView?
  package let slices: ScoreSlices
  package let worstMoments: [WorstMoment]
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

  package var stream: AnswerStream { counts.stream }

  package var labels: [String] { stream.labels }
}

package struct ScoreCounts: Codable, Hashable, Sendable {
  package let stream: AnswerStream
  package let confusion: ConfusionMatrix<Int>
  package let confusionSeconds: ConfusionMatrix<Double>
  package let determinedFrames: DeterminedShare
  package let determinedSeconds: DeterminedShare
  package let stability: StabilityCounts
  package let events: TrueEvents
  package let frames: FrameCounts

  private enum CodingKeys: String, CodingKey {
    case stream, confusion
    case confusionSeconds = "confusion_seconds"
    case determinedFrames = "determined_by_frames"
    case determinedSeconds = "determined_by_seconds"
    case stability, events, frames
  }

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

package struct TrueEvents: Codable, Hashable, Sendable {
  package let count: Int
  package let detected: Int
  package let observedStarts: Int
  package let hiddenStarts: Int

  private enum CodingKeys: String, CodingKey {
    case count, detected
    case observedStarts = "observed_starts"
    case hiddenStarts = "hidden_starts"
  }

  init(_ latencies: LatencySample) {
    count = latencies.changes
    detected = latencies.hits
    observedStarts = latencies.observedChanges
    hiddenStarts = latencies.hiddenChanges
  }
}
