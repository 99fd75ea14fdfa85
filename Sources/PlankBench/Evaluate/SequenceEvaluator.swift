internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Synchronization
internal import Tuning

/// Evaluates one sequence: loads, measures, classifies, scores.
struct SequenceEvaluator: Sendable {
  let datasets: DatasetCollection
  let bench: BenchDetector
  let predictions: PredictionsFolder?
  /// How much of the jitter is measured.
  let detail: JitterDetail
  /// What is computed of what takes much time.
  let parts: EvaluationParts
  /// The detectors beside the one that is evaluated; nil if nobody asks for them.
  let others: OtherDetectors?
  /// How many labeled frames may keep their measurements; nil if none are kept.
  let budget: FrameBudget?
  /// Whether jitter is measured while the answer is a plank, because there are no labels.
  let isUnlabeled: Bool

  /// Prepares to evaluate.
  ///
  /// - Parameters:
  ///   - predictions: a folder of answers to score instead of the detector's; nil for none.
  ///   - detail: how much of the jitter is measured.
  ///   - parts: what is computed of what takes much time: the nearest thresholds of the worst moments,
  ///     and how the unsigned body angle compares with the signed one.
  ///   - others: the detectors that are counted beside; nil for none.
  ///   - budget: how many labeled frames may keep their measurements; nil if none are kept.
  ///   - remarks: receives remarks about the folder.
  /// - Throws: an error for a folder that is missing or has no answers.
  init(
    of datasets: DatasetCollection, detector: BenchDetector, predictions: String? = nil,
    detail: JitterDetail = .none, parts: EvaluationParts = [], others: OtherDetectors? = nil,
    budget: FrameBudget? = nil, remarks: inout [String]
  ) throws {
    let folder = try predictions.map(PredictionsFolder.init(existing:))
    let warning = try folder.flatMap { folder in
      try folder.check(scored: datasets.entries.map(\.name), all: datasets.allNames)
    }
    if let warning, !remarks.contains(warning) { remarks.append(warning) }
    self.datasets = datasets
    bench = detector
    self.predictions = folder
    self.detail = detail
    self.parts = parts
    self.others = others
    self.budget = budget
    isUnlabeled = datasets.isUnlabeled
  }

  /// Evaluates a sequence.
  ///
  /// Frames are measured and classified in batches of the size for which the cost per frame is
  /// stated.
  ///
  /// - Returns: what is kept; the jitter on the sequence's holds, which takes 250 bytes per frame
  ///   until it is added to that of other sequences; and the measurements, if there is a budget and
  ///   the sequence has a scored frame that fits into it.
  func run(
    _ entry: DatasetCollection.Entry
  ) throws -> (run: SequenceRun, jitter: JitterStatistics, measured: MeasuredSequence?) {
    var clock = StageClock()
    let sequence = try clock.time(.load) { try datasets.load(entry) }
    let (columns, plain) = detect(sequence, &clock)
    let calibrated = CalibratedRun(bench, sequence, columns, plain)
    let (detector, answers) = (calibrated.detector, calibrated.answers)
    let outcome = try outcome(sequence, entry.source, calibrated)
    let evaluation = clock.time(.score) {
      SequenceEvaluation(outcome, detail: parts.contains(.details) ? .all : .report) {
        stream, frame in
        parts.contains(.nearest) && predictions == nil
          ? NearestThreshold.find(detector, stream, columns, at: frame) : nil
      }
    }
    let holds = isUnlabeled ? outcome.answeredHolds : outcome.truth
    let rest = clock.time(.score) { unused(sequence.recording, beside: columns, holds) }
    let jitter = clock.time(.score) { self.jitter(sequence, columns, rest, holds) }
    let tallies = clock.time(.score) { self.tallies(sequence, outcome, columns) }
    let recording = sequence.recording
    let run = SequenceRun(
      evaluation: evaluation, stretches: MatrixStretch.all(in: outcome),
      flicker: AnswerFlicker(
        outcome, isMissing: (0..<recording.frameCount).map(recording.isMissing)),
      mismatch: predictions == nil && !outcome.plank.isDetermined.contains(true)
        ? bench.detector.definition.mismatch(with: recording.header) : nil,
      device: deviceComparison(sequence.recording, outcome),
      agreement: try SecondLabels.agreement(entry.entry, sequence, datasets.reader(of: entry)),
      form: predictions == nil
        ? FormEvidence(answers, columns, rest.columns, outcome.truth, bench.detector.gradeBands)
        : FormEvidence(),
      needs: predictions == nil
        ? UnmetNeed.find(bench.detector.definition, in: recording, answers) : [],
      others: tallies, outcome: outcome, clock: clock,
      calibration: calibrated.comparison(outcome))
    let isKept = run.isScored && (budget?.take(outcome.frameCount) ?? false)
    return (
      run: run, jitter: jitter,
      measured: isKept
        ? MeasuredSequence(sequence, outcome, columns, detector.calibration) : nil
    )
  }

  /// Only what is answered in a sequence that is already loaded.
  ///
  /// - Parameter measured: at least what the rules use, without smoothing, if it was measured already.
  func outcome(
    of sequence: DatasetSequence, source: String?, measured: MeasurementColumns? = nil
  ) throws -> SequenceOutcome {
    let recording = sequence.recording
    let columns = measured ?? bench.measure(recording)
    let answers = bench.detector.detect(
      columns, times: recording.times, startsMid: sequence.startsMid)
    return try outcome(sequence, source, CalibratedRun(bench, sequence, columns, answers))
  }

  private func detect(
    _ sequence: DatasetSequence, _ clock: inout StageClock
  ) -> (MeasurementColumns, DetectionColumns) {
    let recording = sequence.recording
    var run = DetectionRun(bench.detector, times: recording.times, startsMid: sequence.startsMid)
    guard bench.smoothing.isCausal else {
      var columns = MeasurementColumns(measurements: [], frameCount: recording.frameCount)
      clock.timeBatch(max(1, recording.frameCount)) {
        columns = bench.measure(recording)
      } classify: {
        run.advance(to: recording.frameCount, columns)
      }
      return (columns, run.result)
    }
    var measuring = MeasurementRun(bench.detector, recording)
    var start = 0
    while start < recording.frameCount {
      let end = min(start + FrameCost.batchFrames, recording.frameCount)
      clock.timeBatch(end - start) {
        measuring.advance(to: end, recording)
      } classify: {
        run.advance(to: end, measuring.columns)
      }
      start = end
    }
    return (measuring.columns, run.result)
  }

  /// What the other detectors answer, counted; empty if nobody asks for them.
  private func tallies(
    _ sequence: DatasetSequence, _ outcome: SequenceOutcome, _ columns: MeasurementColumns
  ) -> [AccuracyTally?] {
    others?.tallies(
      sequence, outcome,
      sharing: bench.isUnsmoothed ? (columns, bench.detector.definition.axes) : nil) ?? []
  }

  private func outcome(
    _ sequence: DatasetSequence, _ source: String?, _ run: CalibratedRun
  ) throws -> SequenceOutcome {
    let answers = try predictions?.answers(sequence.name, times: sequence.recording.times)
    return SequenceOutcome(
      sequence, answers ?? PerStream(run.answers), truth: run.truth, source: source)
  }

  /// What is shown of a sequence beside what the rules use: measurements, and smoothed joints where
  /// jitter is measured.
  private typealias Unused = (columns: MeasurementColumns, joints: [Double]?)

  /// Measures what is shown and the rules do not use: on holds only, unless any of it is smoothed or
  /// an expression, which may look back, or spectra are shown.
  private func unused(
    _ recording: Recording, beside columns: MeasurementColumns, _ truth: FrameTruth
  ) -> Unused {
    let definition = bench.detector.definition
    let rest = definition.reportedMeasurements.subtracting(columns.measurements)
    let needed: MeasurementSet = parts.contains(.angles) ? [.signedHipAngle] : []
    let wanted = detail == .none ? rest.intersection(needed) : rest
    guard !wanted.isEmpty || detail != .none else {
      return (MeasurementColumns(measurements: [], frameCount: recording.frameCount), nil)
    }
    guard bench.smoothing.isNone else {
      let joints = bench.smoothing.smoothedJoints(of: recording)
      return (
        bench.smoothing.measure(recording, wanted, joints: joints, reading: definition.axes), joints
      )
    }
    let isOnHolds = detail != .spectra && rest.members.allSatisfy(\.isBuiltIn)
    let stretches = isOnHolds ? HoldSegments.find(in: truth) : [0..<recording.frameCount]
    var others = MeasurementColumns(measurements: wanted, frameCount: recording.frameCount)
    for stretch in stretches { others.measure(recording, stretch, reading: definition.axes) }
    return (others, nil)
  }

  /// Jitter of every measurement, as smoothed, and of joints in meters.
  private func jitter(
    _ sequence: DatasetSequence, _ columns: MeasurementColumns, _ others: Unused,
    _ truth: FrameTruth
  ) -> JitterStatistics {
    guard detail != .none else { return JitterStatistics() }
    let recording = sequence.recording
    let definition = bench.detector.definition
    let reported =
      definition.mismatch(with: recording.header) == nil
      ? definition.reportedMeasurements.members : []
    let series = reported.map { measurement in
      let source = columns.measurements.contains(measurement) ? columns : others.columns
      return MeasurementSeries(
        name: measurement.name, unit: measurement.unit.rawValue, values: source[measurement])
    }
    let joints =
      others.joints.map { JointSeries(recording.layout, evaluated: $0) } ?? JointSeries(recording)
    return JitterStatistics(
      times: recording.times, truth: truth, measurements: series,
      joints: recording.layout.dimension == 3 ? joints : nil, detail: detail,
      settling: bench.smoothing.isNone ? Seconds(0) : HoldSegments.settling)
  }

  private func deviceComparison(
    _ recording: Recording, _ outcome: SequenceOutcome
  ) -> AnswerComparison? {
    guard recording.hasAnswers else { return nil }
    return AnswerComparison(
      outcome, device: (0..<recording.frameCount).map { recording.answer(at: $0) })
  }
}

extension SequenceOutcome {
  /// What was answered in a sequence.
  ///
  /// - Parameters:
  ///   - truth: a truth in place of the sequence's labels.
  ///   - source: the source of the recording; nil if all data is one source.
  /// - Precondition: one answer per frame.
  init(
    _ sequence: DatasetSequence, _ answers: PerStream<StreamOutcome>, truth: FrameTruth? = nil,
    source: String? = nil
  ) {
    let recording = sequence.recording
    self.init(
      name: sequence.name, subject: sequence.subject, source: source, tags: sequence.tags,
      activities: sequence.activities, times: recording.times, truth: truth ?? sequence.truth(),
      plank: answers.plank,
      form: answers.form,
      missingFrames: (0..<recording.frameCount).count { recording.isMissing(at: $0) },
      frameWeight: recording.frameWeight)
  }
}

extension MeasuredSequence {
  /// Takes the measurements of a sequence.
  fileprivate init(
    _ sequence: DatasetSequence, _ outcome: SequenceOutcome, _ columns: MeasurementColumns,
    _ calibration: Calibration?
  ) {
    self.init(
      name: outcome.name, subject: outcome.subject, source: outcome.source, times: outcome.times,
      truth: outcome.truth, startsMid: sequence.startsMid, frameWeight: outcome.frameWeight,
      columns: columns, calibration: calibration)
  }
}

/// How many frames may still be kept in memory; any thread may ask.
final class FrameBudget: Sendable {
  private let rest: Mutex<Int>

  /// Allows some frames.
  init(_ frames: Int) { rest = Mutex(frames) }

  /// Whether so many frames still fit; they are then taken, and once some do not, no others do.
  func take(_ frames: Int) -> Bool {
    rest.withLock { rest in
      rest -= frames
      return rest >= 0
    }
  }
}

extension PerStream<StreamOutcome> {
  /// The outcomes of a detection.
  init(_ columns: DetectionColumns) {
    self.init(plank: StreamOutcome(columns.plank), form: StreamOutcome(columns.form))
  }
}

extension StreamOutcome {
  /// The outcome of a detection.
  init(_ columns: StreamColumns) {
    self.init(
      answers: columns.answers, isDetermined: columns.raw.indices.map(columns.isDetermined),
      isHeld: columns.isHeld)
  }
}

/// The result of evaluating one sequence; the recording can be released.
struct SequenceRun: Sendable {
  /// The sufficient statistics and the worst moments.
  var evaluation: SequenceEvaluation
  /// The stretches that the cells of its confusion matrices count.
  var stretches: [MatrixStretch]
  /// How often the answers change, whatever the labels.
  var flicker: AnswerFlicker
  /// Why the detector could not decide any of its frames; nil if its poses are of the right kind.
  var mismatch: PoseMismatch?
  /// How the device's answers compare; nil if it gave none.
  var device: AnswerComparison?
  /// How far two people agree on the labels; nil with a single label file.
  var agreement: LabelAgreement?
  /// How the rule for form and the bands of angles compare.
  var form: FormEvidence
  /// What the rules need and the recording lacks.
  var needs: [UnmetNeed]
  /// What other detectors answer, counted.
  var others: [AccuracyTally?]
  /// Times, truth and answers: 20 bytes per frame.
  var outcome: SequenceOutcome
  /// The costs.
  var clock: StageClock
  /// The hold that was to calibrate the detector, and the scores without it on the same frames; nil
  /// if none was to.
  var calibration: (hold: CalibrationReport.Hold, uncalibrated: SequenceScores)?

  /// Whether a frame of a stream is scored.
  var isScored: Bool {
    AnswerStream.allCases.contains { evaluation.scores[$0].frames.scored > 0 }
  }

  /// The answers, as baselines keep them.
  var answers: Baseline.Sequence { Baseline.Sequence(outcome) }
}

extension Baseline.Sequence {
  /// The answers of a sequence.
  init(_ outcome: SequenceOutcome) {
    self.init(
      name: outcome.name, plank: AnswerRuns(outcome.plank, .plank),
      form: AnswerRuns(outcome.form, .form))
  }
}
