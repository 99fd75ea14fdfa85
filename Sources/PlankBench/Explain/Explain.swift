internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reports

struct Explain: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show why a detector answered as it did at one moment.",
    discussion: """
      Shows the rule that decided the answer, with its numbers, and the comparisons that came \
      closest to changing it. Give a recording, or a dataset and one of its sequences. Labels, and \
      whether the recording starts during a hold (`starts`), come from the dataset.yaml in the \
      recording's folder or a folder above it, if there is one. --worst explains the moments that \
      `planklab evaluate` lists as the worst.

      Examples:
        planklab explain datasets/scripted/s01-floor.poses.jsonl --at 2.9
        planklab explain datasets/scripted s01-floor --at 2.9 --debounce dwell:enter=0.3s
        planklab explain datasets/scripted --worst 3
      """)

  @OptionGroup var source: RecordingArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The moment to explain, in seconds or minutes, e.g. 80.5 or 1:20.5.", valueName: "TIME"))
  var at: Moment?

  @Option(
    help: ArgumentHelp(
      "Explain the N worst moments instead: the longest wrong answers or, without labels, the "
        + "moments at which the answer changes most.", valueName: "N"))
  var worst: Int?

  @OptionGroup var detector: DetectorOptions
  @OptionGroup var strategies: StrategyOptions
  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var result: ResultOptions

  @Flag(
    help: "Print all measurements, and every rule with measurements, parameters and margins.")
  var verbose = false

  mutating func takeDefaults() throws {
    strategies = try detector.takeDefaults(strategies)
    source = try source.filled(&detector.defaults)
    detector.defaults.say()
  }

  func outcome() async throws -> Outcome {
    let bench = try BenchDetector(detector.settings(strategies, calibration))
    switch (at, worst) {
    case (let at?, nil):
      let context = try source.context()
      let frame = try frame(at.seconds, in: context.sequence.recording)
      let explanation = MomentExplanation(context, bench, frame: frame)
      return try result.outcome(
        content: explanation, document: [explanation].document(isFull: verbose))
    case (nil, let worst?): return try await explain(worst: worst, bench)
    default:
      throw WorkflowFailure(
        .usage, "which moment? give either --at TIME, or --worst N for the N worst")
    }
  }

  private func frame(_ at: Double, in recording: Recording) throws -> Int {
    guard let first = recording.times.first, let last = recording.times.last else {
      throw WorkflowFailure(
        .badData, "\(source.recording): has no frames, so there is nothing to explain")
    }
    let end = last + recording.frameWeight.value
    try require(
      at.isFinite && at >= first - 5e-7 && at <= end, .usage,
      "--at \(at): the recording runs from \(first) to \(last) s; give a time in that range")
    return (recording.times.lastIndex { $0 <= at + 5e-7 }) ?? 0
  }

  private func explain(worst count: Int, _ bench: BenchDetector) async throws -> Outcome {
    let range = 1...WorstMoment.limit
    try require(
      range.contains(count), .usage,
      "--worst \(count): give \(range.lowerBound) to \(range.upperBound) moments")
    let reader = try source.reader()
    let progress = LongWork(["sequences"]).report
    let part = try DatasetCollection.Part(reader, split: nil)
    let report = try await DatasetEvaluation(
      of: DatasetCollection([part]), detector: bench, progress: progress
    ).report
    let explanations = try report.namedMoments.prefix(count).map { moment in
      let entry = try DatasetShow.entry(named: moment.sequence, of: reader)
      let context = RecordingContext(sequence: try reader.load(entry))
      let frame = try frame(moment.time.value, in: context.sequence.recording)
      return MomentExplanation(context, bench, frame: frame)
    }
    let none = "No answer is wrong or unsteady, so there is no worst moment."
    return try result.outcome(
      remarks: explanations.isEmpty ? [none] : [],
      content: ["moments": explanations], document: explanations.document(isFull: verbose))
  }
}

extension MomentExplanation {
  init(_ context: RecordingContext, _ bench: BenchDetector, frame: Int) {
    let sequence = context.sequence
    let recording = sequence.recording
    let definition = bench.detector.definition
    let columns = bench.measure(recording, also: definition.reportedMeasurements)
    let run = CalibratedRun(bench, sequence, columns)
    let isHeightKnown = recording.bodyHeight(at: frame) != nil || recording.isMissing(at: frame)
    self.init(
      of: sequence, frame: frame, run.detector, smoothing: bench.smoothing, columns, run.answers,
      hold: run.hold,
      assumedHeight: isHeightKnown ? nil : UnmetNeed.height(definition, in: recording))
  }
}
