internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Tuning

struct DatasetEvaluation: Sendable {
  let report: EvaluationReport
  let runs: [SequenceRun]
  let remarks: [String]

  struct Extras {
    var parts: EvaluationParts = []
    var explain: ExplainCommand?
    var next: EvaluateCommand?

    fileprivate var jitter: JitterDetail {
      guard !parts.isDisjoint(with: [.jitter, .quickJitter]) else { return .none }
      if parts.contains(.details) { return .spectra }
      return parts.contains(.movements) ? .steps : .stepsOnHolds
    }
  }

  /// Pools sequences in the order of the manifest, so that the result does not depend on the number
  /// of threads.
  init(
    of datasets: DatasetCollection, detector: BenchDetector, predictions: String? = nil,
    _ extras: Extras = Extras(), progress: @escaping ProgressReport
  ) async throws {
    var remarks: [String] = []
    let others =
      extras.parts.contains(.others)
      ? try OtherDetectors(besides: predictions == nil ? detector.detector.definition : nil) : nil
    let evaluator = try SequenceEvaluator(
      of: datasets, detector: detector, predictions: predictions,
      detail: extras.jitter, parts: extras.parts, others: others,
      budget: extras.next.map { _ in FrameBudget(NextSteps.mostFrames) }, remarks: &remarks)
    let jitter = OrderedSum(JitterStatistics()) { $0 += $1 }
    let entries = Array(datasets.entries.enumerated())
    let found = try await ConcurrentMap.run(entries, progress: progress) { entry in
      let found = try evaluator.run(entry.element)
      jitter.add(found.jitter, at: entry.offset)
      return (run: found.run, measured: found.measured)
    }
    let runs = found.map(\.run)
    var report = EvaluationReport(
      detector: DetectorFacts(detector, evaluator.predictions),
      sequences: runs.map(\.evaluation),
      uncertainty: extras.parts.contains(.intervals) ? Self.uncertainty(runs, progress) : nil,
      hasSlices: extras.parts.contains(.slices))
    Self.add(runs, to: &report)
    report.jitter = jitter.sum.summary
    report.explain = extras.explain
    report.otherDetectors = others?.scores(runs.map(\.others)) ?? []
    report.calibration = try Self.calibration(runs, detector, datasets)
    if let command = extras.next {
      report.next = try await Self.next(
        found, isWhole: extras.parts.contains(.next), detector, datasets, command, progress)
    }
    report.notes =
      Self.notes(datasets, detector.detector.definition) + FormEvidence.notes(runs.map(\.form))
    if predictions == nil {
      report.cautions =
        BenchDetector.cautions(of: runs.map(\.mismatch))
        + [detector.caution, detector.calibrationCaution].compactMap(\.self)
    }
    report.cautions += [Self.clockCaution(runs.map(\.outcome))].compactMap(\.self)
    self.report = report
    self.runs = runs
    self.remarks = remarks
  }

  /// Tries changes of rules only if there are few frames and the detector has no calibration.
  private static func next(
    _ found: [(run: SequenceRun, measured: MeasuredSequence?)], isWhole: Bool,
    _ detector: BenchDetector, _ datasets: DatasetCollection, _ command: EvaluateCommand,
    _ progress: @escaping ProgressReport
  ) async throws -> NextSteps {
    let outcomes = found.map(\.run.outcome)
    let looksForRules =
      detector.calibrating == nil
      && SuggestionSearch.isShort(
        people: Set(outcomes.compactMap(\.subject)).count,
        frames: outcomes.reduce(0) { $0 + $1.frameCount })
    var next = try await NextSearch(
      bench: detector, sequences: searched(found), command: command
    ).find(isWhole: isWhole || looksForRules, progress: progress)
    guard looksForRules else { return next }
    next.rules = try await SuggestionSearch.report(
      beside: next, datasets, detector, command
    ) { _, _, _ in }
    return next
  }

  static func searched(
    _ found: [(run: SequenceRun, measured: MeasuredSequence?)]
  ) -> [SearchedSequence]? {
    let scored = found.filter(\.run.isScored)
    let kept = scored.compactMap { run, measured in
      measured.map {
        SearchedSequence(measured: $0, outcome: run.outcome, scores: run.evaluation.scores)
      }
    }
    return kept.count == scored.count ? kept : nil
  }

  private static func add(_ runs: [SequenceRun], to report: inout EvaluationReport) {
    var clock = StageClock()
    for run in runs {
      clock += run.clock
      report.flicker += run.flicker
    }
    report.timing = TimingSummary(clock)
    report.deviceComparison = sum(runs.map(\.device), +=)
    report.unmetNeeds = UnmetNeed.sum(runs.map(\.needs))
    report.annotatorAgreement = sum(runs.map(\.agreement), +=)
  }

  private static func calibration(
    _ runs: [SequenceRun], _ bench: BenchDetector, _ datasets: DatasetCollection
  ) throws -> CalibrationReport? {
    guard let choice = bench.calibrating else { return nil }
    let isConfirmed = datasets.entries.contains { $0.entry.calibration != nil }
    try require(
      choice.place != .confirmed || isConfirmed, .usage,
      "--calibrate confirmed: no recording of \(datasets.place) names confirmed seconds; add "
        + "`calibration: {start: 0, end: 2}` to entries of dataset.yaml, or give first=2s")
    let hold = try choice.hold(of: bench.detector.definition)
    let found = runs.compactMap(\.calibration)
    return CalibrationReport(
      choice: choice.text, measurement: hold.measurement.name,
      unit: hold.measurement.unit.rawValue, holds: found.map(\.hold),
      before: found.map(\.uncalibrated), after: runs.map(\.evaluation.scores))
  }

  private static func uncertainty(
    _ runs: [SequenceRun], _ progress: @escaping ProgressReport
  ) -> PerStream<StreamUncertainty> {
    let scores = runs.map(\.evaluation.scores)
    return PerStream { stream in
      StreamUncertainty(scores, stream, MetricKey.headlines(stream)) {
        progress($0, $1, "\(stream.rawValue) resamples")
      }
    }
  }

  private static func sum<Part>(_ parts: [Part?], _ add: (inout Part, Part) -> Void) -> Part? {
    parts.compactMap(\.self).reduce(nil) { sum, part in
      guard var sum else { return part }
      add(&sum, part)
      return sum
    }
  }

  private static func clockCaution(_ outcomes: [SequenceOutcome]) -> String? {
    let strange = outcomes.compactMap { outcome in
      TimeUnit(ofStep: outcome.frameWeight, frames: outcome.times.count).map {
        (unit: $0, step: outcome.frameWeight.value)
      }
    }.filter { $0.unit != .seconds }
    return strange.first.map { unit, step in
      "Times look like \(unit.rawValue) in \(NumberText.count(strange.count, "recording")): frames "
        + "are \(NumberText.fixed(step, 1)) s apart. Convert the times to seconds; `planklab dataset "
        + "lint` gives the details."
    }
  }

  private static func notes(
    _ datasets: DatasetCollection, _ definition: DetectorDefinition
  ) -> [String] {
    var notes: [String] = []
    if Set(datasets.entries.map(\.source)).count > 1 {
      notes.append(
        "Each metric is the mean of its values for the sources; counts cover all frames.")
    }
    if definition.measurements.members.contains(where: { $0.unit == .bodyHeights }) {
      notes.append(
        "Lengths divided by body height differ from lengths in meters only where heights were "
          + "measured; with reference heights, `scaled` is equivalent to `gravity`.")
    }
    let unlabeled = datasets.entries.filter { $0.entry.labelsPath == nil }.count
    if unlabeled > 0 {
      notes.append(
        "Not scored, because they have no labels: \(NumberText.count(unlabeled, "sequence")).")
    }
    for part in datasets.parts {
      guard let description = part.reader.manifest.description else { continue }
      let name = datasets.parts.count > 1 ? " " + part.name : ""
      notes.append("Dataset\(name): \(description)")
    }
    return notes
  }
}

extension DetectorFacts {
  init(_ definition: DetectorDefinition, _ parameters: ParameterValues) {
    self.init(
      name: definition.name, description: definition.summary,
      rules: PerStream { definition.list($0).sentences },
      parameters: parameters.entries.map { definition, value in
        Parameter(
          key: definition.key.rawValue, value: value, unit: definition.unit.rawValue,
          defaultValue: definition.defaultValue)
      })
  }

  fileprivate init(_ bench: BenchDetector, _ predictions: PredictionsFolder?) {
    if let predictions {
      self.init(name: "predictions", description: "answers read from " + predictions.path)
      return
    }
    self.init(bench.judging, bench.detector.parameters)
    if !bench.isUnsmoothed { description += ", smoothed by " + bench.smoothingText }
    guard bench.detector.debounce == .parameters else {
      description += ", debounced by " + bench.debounceText
      return
    }
    debounceKeys = [ParameterKey.plankFrames, .formFrames].map(\.rawValue)
  }
}

struct OtherDetectors: Sendable {
  private let detectors: [BatchDetector]
  private let measurements: SharedMeasurements

  init(besides evaluated: DetectorDefinition?) throws {
    detectors = try DetectorDefinition.builtIn.filter { $0 != evaluated }.map {
      try BatchDetector($0)
    }
    measurements = SharedMeasurements(detectors)
  }

  func tallies(
    _ sequence: DatasetSequence, _ outcome: SequenceOutcome,
    sharing shared: (columns: MeasurementColumns, axes: AxisReading)?
  ) -> [AccuracyTally?] {
    guard outcome.truth.plank.contains(where: FrameTruth.isScored) else { return [] }
    let recording = sequence.recording
    let fitting = detectors.map { $0.definition.mismatch(with: recording.header) == nil }
    let axes = Set(zip(detectors, fitting).filter(\.1).map(\.0.definition.axes))
    let columns = Dictionary(
      uniqueKeysWithValues: axes.map { axes in
        let known = shared?.axes == axes ? shared?.columns : nil
        return (axes, measurements.measure(recording, axes, knowing: known))
      })
    return zip(detectors, fitting).map { detector, isFitting in
      guard isFitting, let measured = columns[detector.definition.axes] else { return nil }
      let detection = detector.detect(measured, of: sequence)
      return AccuracyTally(
        outcome, answers: PerStream { detection[$0].answers },
        raw: PerStream { detection[$0].raw }, undetermined: Debouncer.undetermined)
    }
  }

  func scores(
    of outcomes: [SequenceOutcome], _ datasets: DatasetCollection,
    _ progress: @escaping ProgressReport
  ) async throws -> [DetectorScore] {
    let pairs = Array(zip(datasets.entries, outcomes))
    return scores(
      try await ConcurrentMap.run(pairs, progress: progress) { entry, outcome in
        tallies(try datasets.load(entry), outcome, sharing: nil)
      })
  }

  func scores(_ parts: [[AccuracyTally?]]) -> [DetectorScore] {
    let scores = detectors.enumerated().compactMap { index, detector -> DetectorScore? in
      let tallies = parts.compactMap { $0.isEmpty ? nil : $0[index] }
      guard !tallies.isEmpty else { return nil }
      let sum = tallies.reduce(into: AccuracyTally()) { $0 += $1 }
      return DetectorScore(name: detector.definition.name, sum)
    }
    return scores.sorted { $0.meanAccuracy > $1.meanAccuracy }
  }
}

struct SharedMeasurements: Sendable {
  private let sets: [AxisReading: MeasurementSet]

  init(_ detectors: [BatchDetector]) {
    sets = Dictionary(
      detectors.map { ($0.definition.axes, $0.measurements) }, uniquingKeysWith: { $0.union($1) })
  }

  func measure(
    _ recording: Recording, _ axes: AxisReading, knowing known: MeasurementColumns? = nil
  ) -> MeasurementColumns {
    let all = sets[axes] ?? []
    let unknown = known.map { all.subtracting($0.measurements) } ?? all
    let rest = MeasurementColumns(recording, unknown, reading: axes)
    return known?.adding(rest) ?? rest
  }
}

struct StageClock: Sendable {
  enum Stage: String, CaseIterable {
    case load
    case measure
    case classify
    case score
  }

  private let clock = ContinuousClock()
  private(set) var seconds: [Stage: Double] = [:]
  private(set) var secondsPerFrame: [Double] = []
  private(set) var frames = 0

  mutating func time<Result, Failure: Error>(
    _ stage: Stage, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = clock.now
    let result = try body()
    seconds[stage, default: 0] += (clock.now - start) / .seconds(1)
    return result
  }

  mutating func timeBatch(_ frames: Int, measure: () -> Void, classify: () -> Void) {
    let start = clock.now
    measure()
    let middle = clock.now
    classify()
    let end = clock.now
    seconds[.measure, default: 0] += (middle - start) / .seconds(1)
    seconds[.classify, default: 0] += (end - middle) / .seconds(1)
    secondsPerFrame.append((end - start) / .seconds(1) / Double(frames))
    self.frames += frames
  }

  static func += (left: inout StageClock, right: StageClock) {
    left.seconds.merge(right.seconds, uniquingKeysWith: +)
    left.secondsPerFrame += right.secondsPerFrame
    left.frames += right.frames
  }
}

extension TimingSummary {
  init(_ clock: StageClock) {
    self.init(
      stages: StageClock.Stage.allCases.map {
        Stage(name: $0.rawValue, duration: Seconds(clock.seconds[$0] ?? 0))
      }, frames: clock.frames, frameCost: FrameCost(secondsPerFrame: clock.secondsPerFrame))
  }
}

extension EvaluationPictures {
  init(_ evaluation: DatasetEvaluation, of datasets: DatasetCollection) throws {
    self.init()
    hasViewer = true
    ribbons = RecordingRibbons.all(
      evaluation.runs.map { (outcome: $0.outcome, stretches: $0.stretches) })
    for (place, fix) in (evaluation.report.next?.fixes ?? []).enumerated() {
      guard let moment = fix.moment,
        let entry = datasets.entries.first(where: { $0.name == moment.sequence })
      else { continue }
      bodies[place] = PoseSketch(try datasets.load(entry).recording, near: moment.frame)
    }
  }
}
