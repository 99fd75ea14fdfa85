internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Synchronization
internal import Tuning

struct SequenceEvaluator: Sendable {
  let datasets: DatasetCollection
  let bench: BenchDetector
  let predictions: PredictionsFolder?
  let detail: JitterDetail
  let parts: EvaluationParts
  let others: OtherDetectors?
  let budget: FrameBudget?
  let isUnlabeled: Bool
  private let reported: MeasurementSet

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
    reported = detector.detector.definition.reportedMeasurements
  }

  /// Frames are processed in batches of the size for which the cost per frame is stated.
  ///
  /// The jitter takes 250 bytes per frame until it is added to that of other sequences. The
  /// measurements are returned only for scored sequences that fit the budget.
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
    let tallies = clock.time(.score) {
      others?.tallies(
        sequence, outcome,
        sharing: bench.isUnsmoothed ? (columns, bench.detector.definition.axes) : nil)
    }
    let recording = sequence.recording
    let run = SequenceRun(
      evaluation: evaluation, stretches: MatrixStretch.all(in: outcome),
      flicker: AnswerFlicker(
        outcome, isMissing: (0..<recording.frameCount).map(recording.isMissing)),
      mismatch: predictions == nil && !outcome.plank.isDetermined.contains(true)
        ? bench.detector.definition.mismatch(with: recording.header) : nil,
      device: recording.hasAnswers
        ? AnswerComparison(
          outcome, device: (0..<recording.frameCount).map { recording.answer(at: $0) }) : nil,
      agreement: try SecondLabels.agreement(entry.entry, sequence, datasets.reader(of: entry)),
      form: predictions == nil
        ? FormEvidence(answers, columns, rest.columns, outcome.truth, bench.detector.gradeBands)
        : FormEvidence(),
      needs: predictions == nil
        ? UnmetNeed.find(bench.detector.definition, in: recording, answers) : [],
      others: tallies ?? [], outcome: outcome, clock: clock,
      calibration: calibrated.comparison(outcome))
    let isKept = run.isScored && (budget?.take(outcome.frameCount) ?? false)
    return (
      run: run, jitter: jitter,
      measured: isKept
        ? MeasuredSequence(
          sequence, source: outcome.source, truth: outcome.truth, columns,
          calibration: detector.calibration) : nil
    )
  }

  func outcome(
    of sequence: DatasetSequence, source: String?, measured: MeasurementColumns? = nil
  ) throws -> SequenceOutcome {
    let columns = measured ?? bench.measure(sequence.recording)
    return try outcome(sequence, source, CalibratedRun(bench, sequence, columns))
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

  private func outcome(
    _ sequence: DatasetSequence, _ source: String?, _ run: CalibratedRun
  ) throws -> SequenceOutcome {
    let answers = try predictions?.answers(sequence.name, times: sequence.recording.times)
    return SequenceOutcome(
      sequence, answers ?? PerStream(run.answers), truth: run.truth, source: source)
  }

  /// Whether jitter is also that of joints and of what the detector does not measure.
  private var measuresMore: Bool {
    detail != .none && (parts.contains(.jitter) || isUnlabeled)
  }

  private typealias Unused = (columns: MeasurementColumns, joints: [Double]?)

  private func unused(
    _ recording: Recording, beside columns: MeasurementColumns, _ truth: FrameTruth
  ) -> Unused {
    let definition = bench.detector.definition
    let rest = reported.subtracting(columns.measurements)
    let needed: MeasurementSet = parts.contains(.angles) ? [.signedHipAngle] : []
    let wanted = measuresMore ? rest : rest.intersection(needed)
    guard !wanted.isEmpty || measuresMore else {
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

  private func jitter(
    _ sequence: DatasetSequence, _ columns: MeasurementColumns, _ others: Unused,
    _ truth: FrameTruth
  ) -> JitterStatistics {
    guard detail != .none else { return JitterStatistics() }
    let recording = sequence.recording
    let definition = bench.detector.definition
    let isFitting = definition.mismatch(with: recording.header) == nil
    let screen = MeasurementSet(EvaluationReport.screenSignals.flatMap(\.signals))
    let shown = measuresMore ? reported : screen.intersection(columns.measurements)
    let series = (isFitting ? shown.members : []).map { measurement in
      let isKnown = columns.measurements.contains(measurement)
      return MeasurementSeries(measurement, of: isKnown ? columns : others.columns)
    }
    let joints =
      others.joints.map { JointSeries(recording.layout, evaluated: $0) } ?? JointSeries(recording)
    return JitterStatistics(
      times: recording.times, truth: truth, measurements: series,
      joints: measuresMore && recording.layout.dimension == 3 ? joints : nil, detail: detail,
      settling: bench.smoothing.isNone ? Seconds(0) : HoldSegments.settling)
  }
}

extension SequenceOutcome {
  /// - Precondition: there is one answer per frame.
  init(
    _ sequence: DatasetSequence, _ answers: PerStream<StreamOutcome>, truth: FrameTruth? = nil,
    source: String? = nil
  ) {
    let recording = sequence.recording
    self.init(
      name: sequence.name, subject: sequence.subject, source: source, tags: sequence.tags,
      activities: sequence.activities, times: recording.times, truth: truth ?? sequence.truth(),
      plank: answers.plank, form: answers.form,
      missingFrames: (0..<recording.frameCount).count { recording.isMissing(at: $0) },
      frameWeight: recording.frameWeight)
  }
}

extension MeasuredSequence {
  /// A nil `truth` means the sequence's labels.
  init(
    _ sequence: DatasetSequence, source: String? = nil, truth: FrameTruth? = nil,
    _ columns: MeasurementColumns, calibration: Calibration? = nil
  ) {
    self.init(
      name: sequence.name, subject: sequence.subject, source: source,
      times: sequence.recording.times, truth: truth ?? sequence.truth(),
      startsMid: sequence.startsMid, frameWeight: sequence.recording.frameWeight,
      columns: columns, calibration: calibration)
  }
}

extension BatchDetector {
  func detect(_ columns: MeasurementColumns, of sequence: DatasetSequence) -> DetectionColumns {
    detect(columns, times: sequence.recording.times, startsMid: sequence.startsMid)
  }
}

extension MeasurementSeries {
  init(_ measurement: Measurement, of columns: MeasurementColumns) {
    self.init(
      name: measurement.name, unit: measurement.unit.rawValue, values: columns[measurement])
  }
}

/// Limits how many frames are kept in memory; after the first refusal, no more fit.
final class FrameBudget: Sendable {
  private let rest: Mutex<Int>

  init(_ frames: Int) { rest = Mutex(frames) }

  func take(_ frames: Int) -> Bool {
    rest.withLock { rest in
      rest -= frames
      return rest >= 0
    }
  }
}

extension PerStream<StreamOutcome> {
  init(_ columns: DetectionColumns) {
    self.init(plank: StreamOutcome(columns.plank), form: StreamOutcome(columns.form))
  }
}

extension StreamOutcome {
  init(_ columns: StreamColumns) {
    self.init(
      answers: columns.answers, isDetermined: columns.raw.indices.map(columns.isDetermined),
      isHeld: columns.isHeld)
  }
}

/// A class, because a list of structures of two kilobytes would be copied from step to step.
final class SequenceRun: Sendable {
  let evaluation: SequenceEvaluation
  let stretches: [MatrixStretch]
  let flicker: AnswerFlicker
  let mismatch: PoseMismatch?
  let device: AnswerComparison?
  let agreement: LabelAgreement?
  let form: FormEvidence
  let needs: [UnmetNeed]
  let others: [AccuracyTally?]
  let outcome: SequenceOutcome
  let clock: StageClock
  let calibration: (hold: CalibrationReport.Hold, uncalibrated: SequenceScores)?

  init(
    evaluation: SequenceEvaluation, stretches: [MatrixStretch], flicker: AnswerFlicker,
    mismatch: PoseMismatch?, device: AnswerComparison?, agreement: LabelAgreement?,
    form: FormEvidence, needs: [UnmetNeed], others: [AccuracyTally?], outcome: SequenceOutcome,
    clock: StageClock, calibration: (hold: CalibrationReport.Hold, uncalibrated: SequenceScores)?
  ) {
    self.evaluation = evaluation
    self.stretches = stretches
    self.flicker = flicker
    self.mismatch = mismatch
    self.device = device
    self.agreement = agreement
    self.form = form
    self.needs = needs
    self.others = others
    self.outcome = outcome
    self.clock = clock
    self.calibration = calibration
  }

  var isScored: Bool { AnswerStream.allCases.contains { evaluation.scores[$0].frames.scored > 0 } }

  var answers: Baseline.Sequence { Baseline.Sequence(outcome) }
}

extension Baseline.Sequence {
  init(_ outcome: SequenceOutcome) {
    self.init(
      name: outcome.name, plank: AnswerRuns(outcome.plank, .plank),
      form: AnswerRuns(outcome.form, .form))
  }

  /// Nil for unknown classes, or for another number of frames.
  func outcome(of sequence: SequenceOutcome) -> SequenceOutcome? {
    guard let plank = plank.outcome(.plank, frames: sequence.times.count),
      let form = form.outcome(.form, frames: sequence.times.count)
    else { return nil }
    return sequence.answered(PerStream(plank: plank, form: form))
  }
}

/// Answers of any other detector: a folder with one `NAME.csv` per sequence.
///
/// The header has at least `t`, `plank` and `form`; other columns are ignored. There is one row per
/// frame of the recording, in order, at the frame's time to the microsecond. An empty answer counts
/// as the stream's empty class and as undetermined. Blank lines are skipped.
struct PredictionsFolder: Sendable {
  let path: String

  func answers(_ sequence: String, times: [Double]) throws -> PerStream<StreamOutcome> {
    let file = path + "/" + sequence + ".csv"
    var rows = Self.rows(of: try InputText.read(file))
    guard let header = rows.first else {
      throw failure(
        file, 1,
        "is empty; begin it with the header t,plank,form")
    }
    let columns = try Columns(header.text, "\(file):\(header.line)")
    rows.removeFirst()
    guard rows.count == times.count else {
      throw failure(
        file, rows.last?.line ?? header.line,
        "has \(NumberText.count(rows.count, "row")) for the recording's "
          + "\(NumberText.count(times.count, "frame")); write one row per frame")
    }
    var plank = Stream(.plank)
    var form = Stream(.form)
    for ((line, text), time) in zip(rows, times) {
      let fields = CSVText.fields(of: text)
      guard fields.count == columns.count else {
        throw failure(
          file, line,
          "has \(NumberText.count(fields.count, "field")); the header has \(columns.count)")
      }
      guard let given = Double(fields[columns.time]), abs(given - time) <= 1e-6 else {
        throw failure(
          file, line,
          "t is `\(fields[columns.time])`, but the frame's time is \(time); "
            + "write the times of the recording")
      }
      try plank.append(fields[columns.plank]) { problem in failure(file, line, problem) }
      try form.append(fields[columns.form]) { problem in failure(file, line, problem) }
    }
    return PerStream(plank: plank.outcome, form: form.outcome)
  }

  private static func rows(of text: String) -> [(line: Int, text: Substring)] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .map { (line: $0 + 1, text: $1) }.filter { !$0.text.isEmpty }
  }

  private func failure(_ file: String, _ line: Int, _ problem: String) -> WorkflowFailure {
    WorkflowFailure(.badData, "\(file):\(line): \(problem)")
  }

  private struct Columns {
    let count: Int
    let time: Int
    let plank: Int
    let form: Int

    init(_ header: Substring, _ place: String) throws {
      let names = CSVText.fields(of: header).map { $0.hasPrefix("\u{FEFF}") ? $0.dropFirst() : $0 }
      func index(_ name: Substring) throws -> Int {
        let found = names.indices.filter { names[$0] == name }
        let index = try require(
          found.first, .badData,
          "\(place): has no column `\(name)`; the header must have t, plank and form")
        try require(
          found.count == 1, .badData,
          "\(place): names the column `\(name)` \(found.count) times; keep one of them")
        return index
      }
      count = names.count
      time = try index("t")
      plank = try index("plank")
      form = try index("form")
    }
  }

  private struct Stream {
    private let labels: [String]
    private let stream: AnswerStream
    private var answers: [UInt8] = []
    private var isDetermined: [Bool] = []

    init(_ stream: AnswerStream) {
      self.stream = stream
      labels = stream.labels
    }

    mutating func append(_ field: Substring, _ failure: (String) -> WorkflowFailure) throws {
      guard !field.isEmpty else {
        answers.append(0)
        isDetermined.append(false)
        return
      }
      guard let code = labels.firstIndex(where: { $0 == field }) else {
        throw failure(
          "`\(field)` is not a \(stream.rawValue) class; "
            + NearestNames.choice(String(field), of: "classes", labels))
      }
      answers.append(UInt8(code))
      isDetermined.append(true)
    }

    var outcome: StreamOutcome {
      StreamOutcome(
        answers: answers, isDetermined: isDetermined,
        isHeld: Array(repeating: false, count: answers.count))
    }
  }

  func strays(_ names: Set<String>) throws -> [String] {
    try InputFiles.paths(below: path).filter { file in
      try file.lowercased().hasSuffix(".csv") && !names.contains(String(file.dropLast(4)))
        && isTable(path + "/" + file)
    }.sorted()
  }

  /// The error for a sequence without answers lists the stray files, because renaming a sequence
  /// leaves one behind.
  func check(scored: [String], all: [String]) throws -> String? {
    let strays = try strays(Set(all))
    let words = strays.isEmpty ? nil : Self.sentence(strays)
    for name in scored {
      let file = path + "/" + name + ".csv"
      guard try !FileDescriptor.exists(file) else { continue }
      throw WorkflowFailure(
        .noInput,
        "\(file): no such file; put the answers for the sequence \(name) there"
          + (words.map { ", or rename its file if it was renamed: \(path): \($0)" } ?? ""))
    }
    return words.map {
      "warning: \(path): \($0), so these answers are not scored; name a file after its sequence, "
        + "add the sequence to the manifest, or remove the file"
    }
  }

  private static func sentence(_ files: [String]) -> String {
    "\(WordText.first(5, of: files)) \(files.count == 1 ? "belongs" : "belong") to no sequence of "
      + "the dataset"
  }

  private func isTable(_ file: String) throws -> Bool {
    guard try FileDescriptor.isFile(file), let data = FileManager.default.contents(atPath: file)
    else { return false }
    let header = String(decoding: data.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let names = header.split { $0 == "," || $0 == "\r" || $0 == "\u{FEFF}" }
    return ["t", "plank", "form"].allSatisfy { names.contains(Substring($0)) }
  }
}

extension PredictionsFolder {
  init(existing path: String) throws {
    try require(
      FileDescriptor.isFolder(path), .noInput,
      "\(path): no such folder; give a folder with one NAME.csv per sequence")
    self.init(path: path)
  }
}
