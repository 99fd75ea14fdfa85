internal import Evaluation
internal import Parallelism
@_spi(Bench) internal import PlankDetection
internal import PoseDatasets
@_spi(Bench) internal import PoseModel

/// A detector's answers, or those of a folder, scored on a dataset.
struct DatasetEvaluation: Sendable {
  /// The result, without intervals; of its provenance only smoothing and debounce are set.
  let report: EvaluationReport
  /// The result of each sequence, in the order of the manifest.
  let runs: [SequenceRun]
  /// Notes for stderr, not part of the result.
  let remarks: [String]

  /// Evaluates.
  ///
  /// Sequences run concurrently and are pooled in the order of the manifest, so that the result
  /// does not depend on the number of threads. Each thread keeps only one recording in memory.
  ///
  /// - Parameters:
  ///   - datasets: the sequences, of one dataset or several.
  ///   - detector: the detector; it measures even if answers are read from files.
  ///   - predictions: a folder of answers to score instead of the detector's; nil for none.
  ///   - detail: how much of the jitter is computed.
  /// - Throws: an error for a dataset or answers that are missing or wrong.
  init(
    of datasets: DatasetCollection, detector: BenchDetector, predictions: String? = nil,
    detail: JitterDetail = .steps, progress: @escaping ProgressReport
  ) async throws {
    var remarks: [String] = []
    let evaluator = try SequenceEvaluator(
      of: datasets, detector: detector, predictions: predictions, detail: detail,
      remarks: &remarks)
    let jitter = OrderedSum(JitterStatistics()) { $0 += $1 }
    let entries = Array(datasets.entries.enumerated())
    runs = try await ConcurrentMap.run(entries, progress: progress) { entry in
      let found = try evaluator.run(entry.element)
      jitter.add(found.jitter, at: entry.offset)
      return found.run
    }
    let identity = try datasets.identity()
    let notes =
      Self.notes(datasets, detector.detector.definition) + FormEvidence.notes(runs.map(\.form))
    let folder = evaluator.predictions
    report = Self.report(
      runs, jitter.sum, identity, DetectorFacts(detector, folder), notes, detector, folder)
    self.remarks = remarks
  }

  private static func report(
    _ runs: [SequenceRun], _ jitter: JitterStatistics, _ identity: Evaluation.DatasetIdentity,
    _ facts: DetectorFacts, _ notes: [String], _ detector: BenchDetector,
    _ predictions: PredictionsFolder?
  ) -> EvaluationReport {
    var clock = StageClock()
    var flicker = AnswerFlicker()
    for run in runs {
      clock += run.clock
      flicker += run.flicker
    }
    let strategies = [("smoothing", detector.smoothingText), ("debounce", detector.debounceText)]
    var report = EvaluationReport(
      dataset: identity, detector: facts, sequences: runs.map(\.evaluation), jitter: jitter,
      timing: TimingSummary(clock), deviceComparison: sum(runs.map(\.device), +=),
      provenance: predictions == nil ? strategies.map { .init(key: $0, value: $1) } : [],
      notes: notes)
    report.flicker = flicker
    report.cautions =
      predictions == nil
      ? BenchDetector.cautions(of: runs.map(\.mismatch)) + [detector.caution].compactMap(\.self)
      : []
    report.annotatorAgreement = sum(runs.map(\.agreement), +=)
    return report
  }

  /// The sum of the known parts; nil if none is known.
  private static func sum<Part>(_ parts: [Part?], _ add: (inout Part, Part) -> Void) -> Part? {
    parts.compactMap(\.self).reduce(nil) { sum, part in
      guard var sum else { return part }
      add(&sum, part)
      return sum
    }
  }

  private static func notes(
    _ datasets: DatasetCollection, _ definition: DetectorDefinition
  ) -> [String] {
    var notes: [String] = []
    if Set(datasets.entries.map(\.source)).count > 1 {
      notes.append(
        "Every metric is the mean over sources of its value in each; counts are of all frames.")
    }
    if definition.measurements.members.contains(where: { $0.unit == .bodyHeights }) {
      notes.append(
        "Lengths over the body height differ from lengths in meters only where heights were "
          + "measured; with reference heights `scaled` equals `gravity`.")
    }
    let unlabeled = datasets.entries.filter { $0.entry.labelsPath == nil }.count
    if unlabeled > 0 {
      notes.append(
        "Not scored, because they have no labels: \(NumberText.count(unlabeled, "sequence")).")
    }
    for part in datasets.parts {
      guard let description = part.reader.manifest.description else { continue }
      let name = datasets.parts.count > 1 ? " " + part.identity.name : ""
      notes.append("Dataset\(name): \(description)")
    }
    return notes
  }
}

extension DetectorFacts {
  /// The facts of a detector with its parameters.
  init(_ definition: DetectorDefinition, _ parameters: ParameterValues) {
    self.init(
      name: definition.name, description: definition.summary,
      plankRules: definition.plank.sentences, formRules: definition.form.sentences,
      parameters: parameters.entries.map { definition, value in
        Parameter(key: definition.key.rawValue, value: value, unit: definition.unit.rawValue)
      })
  }

  /// The facts of a detector with its parameters and strategies, or of a folder of answers.
  fileprivate init(_ bench: BenchDetector, _ predictions: PredictionsFolder?) {
    if let predictions {
      self.init(name: "predictions", description: "answers read from " + predictions.path)
      return
    }
    self.init(bench.detector.definition, bench.detector.parameters)
    if !bench.isUnsmoothed { description += ", smoothed by " + bench.smoothingText }
    if bench.detector.debounce != .parameters {
      description += ", debounced by " + bench.debounceText
    }
  }
}
