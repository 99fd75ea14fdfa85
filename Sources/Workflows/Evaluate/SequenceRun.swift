internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

/// What evaluating one sequence leaves behind; the recording can be let go.
struct SequenceRun: Sendable {
  /// The sufficient statistics and worst moments.
  var evaluation: SequenceEvaluation
  /// The nearest thresholds at the worst moments.
  var thresholds: [MomentKey: WorstMoment.NearestThreshold]
  /// Jitter on the sequence's holds.
  var jitter: JitterStatistics
  /// How the device's answers compare; nil where it gave none.
  var device: AnswerComparison?
  /// How far two people agree on the labels; nil where there is one label file.
  var agreement: LabelAgreement?
  /// How the rule for form and the bands of angles compare.
  var form: FormEvidence
  /// The answers, as baselines keep them.
  var answers: Baseline.Sequence
  /// What it took.
  var clock: StageClock
}

/// Names a worst moment, so that its threshold can be put in later.
struct MomentKey: Hashable, Sendable {
  /// The sequence's name.
  let sequence: String
  /// The stream.
  let stream: AnswerStream
  /// The frame to examine.
  let frame: Int

  /// The key of a moment.
  init(_ moment: WorstMoment) {
    sequence = moment.sequence
    stream = moment.stream
    frame = moment.frame
  }
}
