package import PoseModel

package struct EvaluationReport: Codable, Hashable, Sendable {
  package let detector: DetectorFacts
  package let dataset: DatasetFacts
  package let metrics: MetricTable
  /// The metrics of the confusions, over the frames that the rules could decide.
  package let metricsDetermined: MetricTable
  private let streams: PerStream<StreamResult>
  package let sequences: [SequenceRow]
  package let activities: [ActivityScore]?
  package let calibration: CalibrationReport?
  package let jitter: JitterSummary
  package let flicker: AnswerFlicker
  package let timing: TimingSummary?
  package let deviceComparison: AnswerComparison?
  package let annotatorAgreement: LabelAgreement?
  package let explain: ExplainCommand?
  package let unmetNeeds: [UnmetNeed]
  package var otherDetectors: [DetectorScore]
  package let next: NextSteps?
  package let cautions: [String]
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

  package struct Facts: Sendable {
    package var jitter = JitterStatistics()
    package var calibration: CalibrationReport?
    package var flicker = AnswerFlicker()
    package var timing: TimingSummary?
    package var deviceComparison: AnswerComparison?
    package var annotatorAgreement: LabelAgreement?
    package var uncertainty: PerStream<StreamUncertainty>?
    package var explain: ExplainCommand?
    package var unmetNeeds: [UnmetNeed] = []
    package var otherDetectors: [DetectorScore] = []
    package var next: NextSteps?
    package var cautions: [String] = []
    package var notes: [String] = []
    package var hasSlices = true

    package init() {}
  }

  /// Pools sequences in their order.
  ///
  /// The report keeps everything over time if everything was counted (`SequenceScores.Detail.all`)
  /// in every sequence.
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
