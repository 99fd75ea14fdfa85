internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Tuning

struct DatasetEvaluation: Sendable {
  let report: EvaluationReport
  let runs: [SequenceRun]
  /// Notes for stderr, not part of the result.
  let remarks: [String]

  struct Extras {
    var parts: EvaluationParts = []
    var explain: ExplainCommand?
    var next: EvaluateCommand?

    fileprivate func jitter(of datasets: DatasetCollection) -> JitterDetail {
      let isShown =
        parts.contains(.jitter) || parts.contains(.unlabeledJitter) && datasets.isUnlabeled
      guard isShown else { return .none }
      if parts.contains(.details) { return .spectra }
      return parts.contains(.movements) ? .steps : .stepsOnHolds
    }
  }

  /// Sequences run concurrently and are pooled in the order of the manifest, so that the result
  /// does not depend on the number of threads; each thread keeps only one recording in memory.
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
      detail: extras.jitter(of: datasets), parts: extras.parts, others: others,
      budget: extras.next.map { _ in FrameBudget(NextSteps.mostFrames) }, remarks: &remarks)
    let jitter = OrderedSum(JitterStatistics()) { $0 += $1 }
    let entries = Array(datasets.entries.enumerated())
    let found = try await ConcurrentMap.run(entries, progress: progress) { entry in
      let found = try evaluator.run(entry.element)
      jitter.add(found.jitter, at: entry.offset)
      return (run: found.run, measured: found.measured)
    }
    let runs = found.map(\.run)
    var facts = Self.facts(runs)
    facts.jitter = jitter.sum
    facts.hasSlices = extras.parts.contains(.slices)
    facts.explain = extras.explain
    facts.otherDetectors = others?.scores(runs.map(\.others)) ?? []
    facts.calibration = try Self.calibration(runs, detector, datasets)
    facts.uncertainty =
      extras.parts.contains(.intervals) ? Self.uncertainty(runs, progress) : nil
    if let command = extras.next {
      facts.next = try await Self.next(
        found, isWhole: extras.parts.contains(.next), detector, datasets, command, progress)
    }
    facts.notes =
      Self.notes(datasets, detector.detector.definition) + FormEvidence.notes(runs.map(\.form))
    if predictions == nil {
      facts.cautions =
        BenchDetector.cautions(of: runs.map(\.mismatch))
        + [detector.caution, detector.calibrationCaution].compactMap(\.self)
    }
    facts.cautions += [Self.clockCaution(runs.map(\.outcome))].compactMap(\.self)
    report = EvaluationReport(
      detector: DetectorFacts(detector, evaluator.predictions),
      sequences: runs.map(\.evaluation), facts)
    self.runs = runs
    self.remarks = remarks
  }

  /// Tries values of parameters and, for a detector that is not calibrated and few frames, a rule.
  ///
  /// `isWhole`: whether more than the best value is shown.
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

  /// The sequences with a scored frame; nil if not all of them kept their measurements.
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

  private static func facts(_ runs: [SequenceRun]) -> EvaluationReport.Facts {
    var facts = EvaluationReport.Facts()
    var clock = StageClock()
    for run in runs {
      clock += run.clock
      facts.flicker += run.flicker
    }
    facts.timing = TimingSummary(clock)
    facts.deviceComparison = sum(runs.map(\.device), +=)
    facts.unmetNeeds = UnmetNeed.sum(runs.map(\.needs))
    facts.annotatorAgreement = sum(runs.map(\.agreement), +=)
    return facts
  }

  private static func calibration(
    _ runs: [SequenceRun], _ bench: BenchDetector, _ datasets: DatasetCollection
  ) throws -> CalibrationReport? {
    guard let choice = bench.calibrating else { return nil }
    let isConfirmed = datasets.entries.contains { $0.entry.calibration != nil }
    guard choice.place != .confirmed || isConfirmed else {
      throw WorkflowFailure(
        .usage,
        "--calibrate confirmed: no recording of \(datasets.place) names confirmed seconds; add "
          + "`calibration: {start: 0, end: 2}` to entries of dataset.yaml, or give first=2s")
    }
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
      "Times look like \(unit.rawValue) in \(NumberText.count(strange.count, "recording")): there "
        + "is a frame every \(NumberText.fixed(step, 1)) s. Write seconds; `planklab dataset lint` "
        + "says more."
    }
  }

  private static func notes(
    _ datasets: DatasetCollection, _ definition: DetectorDefinition
  ) -> [String] {
    var notes: [String] = []
    if Set(datasets.entries.map(\.source)).count > 1 {
      notes.append(
        "Every metric is the mean over sources of its value in each; counts cover all frames.")
    }
    if definition.measurements.members.contains(where: { $0.unit == .bodyHeights }) {
      notes.append(
        "Lengths divided by body height differ from lengths in meters only where heights were "
          + "measured; with reference heights `scaled` equals `gravity`.")
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
    self.init(bench.detector.definition, bench.detector.parameters)
    if !bench.isUnsmoothed { description += ", smoothed by " + bench.smoothingText }
    guard bench.detector.debounce == .parameters else {
      description += ", debounced by " + bench.debounceText
      return
    }
    debounceKeys = [ParameterKey.plankFrames, .formFrames].map(\.rawValue)
  }
}
