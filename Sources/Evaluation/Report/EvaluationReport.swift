package import PoseModel

package struct EvaluationReport: Codable, Hashable, Sendable {
  package let detector: DetectorFacts
  package let dataset: DatasetFacts
  package let metrics: MetricTable
  package let metricsDetermined: MetricTable
  private let streams: PerStream<StreamResult>
  package let sequences: [SequenceRow]
  package let activities: [ActivityScore]?
  package var calibration: CalibrationReport?
  package var jitter = JitterStatistics().summary
  package var flicker = AnswerFlicker()
  package var timing: TimingSummary?
  package var deviceComparison: AnswerComparison?
  package var annotatorAgreement: LabelAgreement?
  package var explain: ExplainCommand?
  package var unmetNeeds: [UnmetNeed] = []
  package var otherDetectors: [DetectorScore] = []
  package var next: NextSteps?
  package var cautions: [String] = []
  package var notes: [String] = []

  private enum CodingKeys: String, SnakeCaseKey {
    case detector, metrics, streams, sequences, activities, calibration, jitter, flicker, timing,
      explain, next, cautions, notes
    case dataset = "data"
    case metricsDetermined, deviceComparison, annotatorAgreement, unmetNeeds, otherDetectors
  }

  /// Reports changes over time only if every sequence counted them (`SequenceScores.Detail.all`).
  package init(
    detector: DetectorFacts, sequences: [SequenceEvaluation],
    uncertainty: PerStream<StreamUncertainty>? = nil, hasSlices: Bool = true
  ) {
    let scores = sequences.map(\.scores)
    let reports = PerStream { stream in
      StreamReport(sequences, stream, uncertainty?[stream], hasSlices: hasSlices)
    }
    self.detector = detector
    dataset = DatasetFacts(scores)
    metrics = MetricTable(MetricKey.all) { reports[$0.stream].view.value($0) }
    metricsDetermined = MetricTable(reports.all.flatMap(\.view.determined.keys)) {
      reports[$0.stream].view.value($0, determined: true)
    }
    streams = reports.map(\.result)
    self.sequences = scores.map(SequenceRow.init)
    activities = scores.contains { !$0.activities.isEmpty } ? ActivityScore.all(scores) : nil
  }

  package subscript(stream: AnswerStream) -> StreamReport {
    let result = streams[stream]
    return StreamReport(
      result: result,
      view: ScoreView(result.counts, metrics: metrics, determined: metricsDetermined))
  }

  package var plankTime: PlankTime { PlankTime(streams.plank.counts.confusionSeconds) }

  package var plank: StreamReport { self[.plank] }

  package var form: StreamReport { self[.form] }

  package var isUnlabeled: Bool { streams.all.allSatisfy { $0.counts.frames.scored == 0 } }

  package var isDetailed: Bool { streams.plank.details != nil }
}

package struct DatasetIdentity: Hashable, Sendable, Codable {
  package var name: String
  package var hash: String
  package var posesHash: String
  package var labelsHash: String
  package var manifestHash: String
  package var split: String?
  package var parts: [DatasetIdentity]

  private enum CodingKeys: String, SnakeCaseKey {
    case name, hash, split, parts, posesHash, labelsHash, manifestHash
  }

  package init(
    name: String, hash: String, posesHash: String, labelsHash: String, manifestHash: String,
    split: String? = nil, parts: [DatasetIdentity] = []
  ) {
    self.name = name
    self.hash = hash
    self.posesHash = posesHash
    self.labelsHash = labelsHash
    self.manifestHash = manifestHash
    self.split = split
    self.parts = parts
  }
}

/// The numbers of sequences and frames of a dataset.
///
/// `scored`, `ignored` and `unlabeled` add up to `frames` (of the plank stream); `missing`,
/// `undetermined` and `held` are over all frames.
package struct DatasetFacts: Codable, Hashable, Sendable {
  package let sequenceCount: Int
  package let subjects: [String]
  package let sources: [String]
  package let counts: FrameCounts

  private enum CodingKeys: String, CodingKey {
    case sequenceCount = "sequences"
    case subjects, sources, counts
  }

  init(_ sequences: [SequenceScores]) {
    sequenceCount = sequences.count
    subjects = Set(sequences.compactMap(\.subject)).sorted()
    sources = Set(sequences.compactMap(\.source)).sorted()
    counts = sequences.reduce(into: FrameCounts()) { $0 += $1.plank.frames }
  }
}

package struct DetectorFacts: Codable, Hashable, Sendable {
  package struct Parameter: Codable, Hashable, Sendable {
    package let key: String
    package let value: Double
    package let unit: String
    package let defaultValue: Double

    private enum CodingKeys: String, CodingKey {
      case key = "parameter"
      case value, unit
      case defaultValue = "default"
    }

    package init(key: String, value: Double, unit: String, defaultValue: Double) {
      self.key = key
      self.value = value
      self.unit = unit
      self.defaultValue = defaultValue
    }
  }

  package var name: String
  package var description: String
  package var rules: PerStream<[String]>
  package var parameters: [Parameter]
  package var debounceKeys: [String]

  private enum CodingKeys: String, CodingKey {
    case name, description, rules, parameters
    case debounceKeys = "debounce_parameters"
  }

  package init(
    name: String, description: String, rules: PerStream<[String]> = PerStream(plank: [], form: []),
    parameters: [Parameter] = [], debounceKeys: [String] = []
  ) {
    self.name = name
    self.description = description
    self.rules = rules
    self.parameters = parameters
    self.debounceKeys = debounceKeys
  }
}

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
    _ sequences: [SequenceEvaluation], _ stream: AnswerStream, _ uncertainty: StreamUncertainty?,
    hasSlices: Bool
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
      slices: hasSlices ? ScoreSlices(scores, stream) : ScoreSlices(),
      worstMoments: WorstMoment.worst(sequences.flatMap { $0.worstMoments[stream] }),
      uncertainty: uncertainty)
  }
}

package struct StreamResult: Codable, Hashable, Sendable {
  package let counts: ScoreCounts
  package let overTime: OverTime
  package let details: TemporalDetails?
  /// Sequences in which the rules decided fewer than half of the scored frames.
  ///
  /// They count in every pool, so list them wherever a number includes them.
  package let noEvidence: [String]
  package let endToEnd: ScoreView?
  package let slices: ScoreSlices
  package let worstMoments: [WorstMoment]
  package let uncertainty: StreamUncertainty?

  private enum CodingKeys: String, SnakeCaseKey {
    case counts, details, slices, uncertainty, overTime, noEvidence, endToEnd, worstMoments
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

  private enum CodingKeys: String, SnakeCaseKey {
    case stream, confusion, stability, events, frames, confusionSeconds
    case determinedFrames = "determined_by_frames"
    case determinedSeconds = "determined_by_seconds"
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

  private enum CodingKeys: String, SnakeCaseKey {
    case count, detected, observedStarts, hiddenStarts
  }

  init(_ latencies: LatencySample) {
    count = latencies.changes
    detected = latencies.hits
    observedStarts = latencies.observedChanges
    hiddenStarts = latencies.hiddenChanges
  }
}

package struct SequenceEvaluation: Hashable, Sendable {
  package let scores: SequenceScores
  package let worstMoments: PerStream<[WorstMoment]>

  /// `nearestThreshold` returns nil if there is none, or if only answers are known.
  package init(
    _ outcome: SequenceOutcome, detail: SequenceScores.Detail,
    nearestThreshold: (AnswerStream, Int) -> WorstMoment.NearestThreshold? = { _, _ in nil }
  ) {
    scores = SequenceScores(outcome, detail: detail)
    worstMoments = PerStream { stream in
      WorstMoment.worst(in: outcome, stream) { nearestThreshold(stream, $0) }
    }
  }
}

package struct SequenceRow: Codable, Hashable, Sendable {
  package struct Stream: Codable, Hashable, Sendable {
    package let scoredFrames: Int
    package let determinedShare: MetricValue
    package let accuracy: MetricValue
    package let isNoEvidence: Bool
    package let confusion: [[Int]]

    private enum CodingKeys: String, SnakeCaseKey {
      case accuracy, confusion, scoredFrames, determinedShare
      case isNoEvidence = "no_evidence"
    }

    init(_ counts: StreamCounts) {
      let scored = Double(counts.frames.scored)
      scoredFrames = counts.frames.scored
      determinedShare = .ratio(
        Double(counts.frames.scoredDetermined), scored, orElse: .noScoredFrames)
      accuracy = .ratio(Double(counts.confusion.right), scored, orElse: .noScoredFrames)
      isNoEvidence = counts.frames.isNoEvidence
      confusion = counts.confusion.rows
    }
  }

  package let name: String
  package let subject: String?
  package let source: String?
  package let frames: Int
  package let missingFrames: Int
  package let frameWeight: Seconds
  private let streams: PerStream<Stream>

  private enum CodingKeys: String, SnakeCaseKey {
    case name, subject, source, frames, streams, missingFrames
    case frameWeight = "frame_weight_s"
  }

  init(_ scores: SequenceScores) {
    name = scores.name
    subject = scores.subject
    source = scores.source
    frames = scores.plank.frames.frames
    missingFrames = scores.plank.frames.missing
    frameWeight = scores.frameWeight
    streams = PerStream { Stream(scores[$0]) }
  }

  package var plank: Stream { streams.plank }

  package var form: Stream { streams.form }
}

package struct CalibrationReport: Codable, Hashable, Sendable {
  package struct Hold: Codable, Hashable, Sendable {
    package let sequence: String
    package let subject: String?
    package let start: Seconds?
    package let end: Seconds?
    /// The measured value minus the confirmed value, in the report's unit; nil if the calibration
    /// was refused.
    package let offset: Double?
    package let refusal: String?
    /// How many labeled frames are not scored because of the calibration.
    ///
    /// These are the frames of the calibration's hold and, for the form, also those before the
    /// hold.
    package let unscored: PerStream<Int>

    private enum CodingKeys: String, CodingKey {
      case sequence, subject, offset, refusal
      case start = "start_s"
      case end = "end_s"
      case unscored = "unscored_frames"
    }

    package init(
      sequence: String, subject: String?, start: Seconds, end: Seconds, offset: Double,
      unscored: PerStream<Int>
    ) {
      self.sequence = sequence
      self.subject = subject
      self.start = start
      self.end = end
      self.offset = offset
      self.unscored = unscored
      refusal = nil
    }

    package init(sequence: String, subject: String?, refusal: String) {
      self.sequence = sequence
      self.subject = subject
      self.refusal = refusal
      (start, end, offset) = (nil, nil, nil)
      unscored = PerStream(plank: 0, form: 0)
    }
  }

  package let choice: String
  package let measurement: String
  package let unit: String
  package let holds: [Hold]
  package let comparison: [MetricComparison]

  package static let compared = [
    MetricKey(.balancedAccuracy, in: .form), MetricKey(.f1MacroTruth, in: .form),
  ]

  package init(
    choice: String, measurement: String, unit: String, holds: [Hold], before: [SequenceScores],
    after: [SequenceScores]
  ) {
    self.choice = choice
    self.measurement = measurement
    self.unit = unit
    self.holds = holds
    let isScored = after.contains { $0.form.frames.scored > 0 }
    comparison = isScored ? PairedComparison(before, after, keys: Self.compared).metrics : []
  }

  package var calibrated: [Hold] { holds.filter { $0.refusal == nil } }
  package var refused: [Hold] { holds.filter { $0.refusal != nil } }
  package func unscoredFrames(_ stream: AnswerStream) -> Int {
    holds.reduce(0) { $0 + $1.unscored[stream] }
  }
}
