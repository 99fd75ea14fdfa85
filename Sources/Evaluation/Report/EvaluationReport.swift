package import PoseModel

/// The result of an evaluation: the one value from which every format is rendered.
package struct EvaluationReport: Codable, Hashable, Sendable {
  /// The detector.
  package let detector: DetectorFacts
  /// How much data there is, and how much of it was scored.
  package let dataset: DatasetFacts
  /// Every metric of both streams and of the session.
  package let metrics: MetricTable
  /// The metrics of the confusions, over the frames that the rules could decide.
  package let metricsDetermined: MetricTable
  /// The streams, besides their metrics.
  private let streams: PerStream<StreamResult>
  /// The sequences, in the order of the dataset.
  package let sequences: [SequenceRow]
  /// How planks are answered by what people do, the most wrong seconds first; nil without labels of
  /// activities.
  package let activities: [ActivityScore]?
  /// The holds that calibrated the detector to people; nil if it is not calibrated.
  package let calibration: CalibrationReport?
  /// How still measurements and joints are while a plank is held.
  package let jitter: JitterSummary
  /// How often answers change, with or without labels.
  package let flicker: AnswerFlicker
  /// How long it took; nil if it was not timed.
  package let timing: TimingSummary?
  /// Where the device's own answers differ; nil if no recording has any.
  package let deviceComparison: AnswerComparison?
  /// How far two people agree on the labels; nil if no recording was labeled twice.
  package let annotatorAgreement: LabelAgreement?
  /// The command that explains moments; nil if no detector answered.
  package let explain: ExplainCommand?
  /// What the rules need and recordings lack.
  package let unmetNeeds: [UnmetNeed]
  /// How the other built-in detectors do, the most accurate first; empty unless asked for.
  package var otherDetectors: [DetectorScore]
  /// What to change next; nil if nobody asked for it, or no detector answered.
  package let next: NextSteps?
  /// What a reader must know before any number, one sentence each.
  package let cautions: [String]
  /// What a reader may want to know, one sentence each.
  package let notes: [String]

  private enum CodingKeys: String, CodingKey {
    case detector
    case dataset = "data"
    case metrics
    case metricsDetermined = "metrics_determined"
    case streams, sequences, activities, calibration, jitter, flicker, timing
    case deviceComparison = "device_comparison"
    case annotatorAgreement = "annotator_agreement"
    case explain
    case unmetNeeds = "unmet_needs"
    case otherDetectors = "other_detectors"
    case next, cautions, notes
  }

  /// What is known about an evaluation besides the scores of its sequences.
  package struct Facts: Sendable {
    /// How still measurements and joints are.
    package var jitter = JitterStatistics()
    /// The holds that calibrated the detector.
    package var calibration: CalibrationReport?
    /// How often answers change.
    package var flicker = AnswerFlicker()
    /// How long it took.
    package var timing: TimingSummary?
    /// Where the device's own answers differ.
    package var deviceComparison: AnswerComparison?
    /// How far two people agree on the labels.
    package var annotatorAgreement: LabelAgreement?
    /// Intervals of headline metrics by subject.
    package var uncertainty: PerStream<StreamUncertainty>?
    /// The command that explains moments.
    package var explain: ExplainCommand?
    /// What the rules need and recordings lack.
    package var unmetNeeds: [UnmetNeed] = []
    /// How the other built-in detectors do.
    package var otherDetectors: [DetectorScore] = []
    /// What to change next.
    package var next: NextSteps?
    /// What a reader must know before any number.
    package var cautions: [String] = []
    /// What a reader may want to know.
    package var notes: [String] = []
    /// Whether scores by source, subject and tag are kept.
    package var hasSlices = true

    /// Nothing known.
    package init() {}
  }

  /// Pools scored sequences into a report.
  ///
  /// It is pure: the same arguments give the same report. Sequences are pooled in their order. The
  /// report keeps everything over time if everything was counted (`SequenceScores.Detail.all`) in
  /// every sequence.
  ///
  /// - Complexity: O(sequences) pools, and one more for every slice of a sequence.
  package init(
    detector: DetectorFacts, sequences: [SequenceEvaluation], _ facts: Facts = Facts()
  ) {
    let scores = sequences.map(\.scores)
    let reports = PerStream { stream in
      StreamReport(sequences, stream, facts)
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
    calibration = facts.calibration
    jitter = facts.jitter.summary
    flicker = facts.flicker
    timing = facts.timing
    deviceComparison = facts.deviceComparison
    annotatorAgreement = facts.annotatorAgreement
    explain = facts.explain
    unmetNeeds = facts.unmetNeeds
    otherDetectors = facts.otherDetectors
    next = facts.next
    cautions = facts.cautions
    notes = facts.notes
  }

  /// A stream with its metrics.
  package subscript(stream: AnswerStream) -> StreamReport {
    let result = streams[stream]
    return StreamReport(
      result: result,
      view: ScoreView(result.counts, metrics: metrics, determined: metricsDetermined))
  }

  /// How long planks were answered that are none, and true ones missed.
  package var plankTime: PlankTime { PlankTime(streams.plank.counts.confusionSeconds) }

  /// The plank stream.
  package var plank: StreamReport { self[.plank] }

  /// The form stream.
  package var form: StreamReport { self[.form] }

  /// Whether the data has no labels: jitter is then measured where the answer is a plank.
  package var isUnlabeled: Bool { streams.all.allSatisfy { $0.counts.frames.scored == 0 } }

  /// Whether everything over time is kept rather than the few numbers that matter.
  package var isDetailed: Bool { streams.plank.details != nil }
}
