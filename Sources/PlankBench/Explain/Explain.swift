internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

struct Explain: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show why a detector answered as it did at one moment.",
    discussion: """
      Names the rule that decided, with its numbers, and the comparisons that were nearest to a change; \
      --verbose lists every rule and measurement. Give a recording, or a dataset and one of its sequences; the dataset.yaml \
      above a recording, if any, gives labels and `starts`. --worst explains the moments that \
      `planklab evaluate` calls the worst.

      Examples:
        planklab explain datasets/scripted/s01-floor.poses.jsonl --at 2.9
        planklab explain datasets/scripted s01-floor --at 2.9 --debounce dwell:enter=0.3s
        planklab explain datasets/scripted --worst 3
      """)

  @OptionGroup var source: RecordingArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The moment, as 80.5 or 1:20.5; explains the frame shown then.", valueName: "TIME"))
  var at: Moment?

  @Option(
    help: ArgumentHelp(
      "Explain the N worst moments instead: the longest wrong answers, or without labels those with "
        + "the most changes.", valueName: "N"))
  var worst: Int?

  @OptionGroup var detector: DetectorOptions
  @OptionGroup var strategies: StrategyOptions
  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var result: ResultOptions

  @Flag(help: "Print every rule with measurement, parameter and margin, and all measurements.")
  var verbose = false

  mutating func takeDefaults() throws {
    strategies = try detector.takeDefaults(strategies)
    source = try source.filled(&detector.defaults)
    detector.defaults.say()
  }

  func outcome() async throws -> Outcome {
    let bench = try detector.found(strategies, calibration)
    switch (at, worst) {
    case (let at?, nil):
      let context = try source.context()
      let frame = try frame(at.seconds, in: context.sequence.recording)
      let explanation = MomentExplanation(context, bench, frame: frame)
      return try result.outcome(content: explanation, document: document([explanation]))
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
    guard at.isFinite, at >= first - 5e-7, at <= end else {
      throw WorkflowFailure(
        .usage,
        "--at \(at): the recording runs from \(first) to \(last) s; give a time in that range")
    }
    return (recording.times.lastIndex { $0 <= at + 5e-7 }) ?? 0
  }

  private func explain(worst count: Int, _ bench: BenchDetector) async throws -> Outcome {
    let range = 1...WorstMoment.limit
    guard range.contains(count) else {
      throw WorkflowFailure(
        .usage, "--worst \(count): give \(range.lowerBound) to \(range.upperBound) moments")
    }
    let reader = try source.reader()
    let progress = LongWork(["sequences"]).report
    let part = try DatasetCollection.Part(reader, split: nil)
    let report = try await DatasetEvaluation(
      of: DatasetCollection([part]), detector: bench, progress: progress
    ).report
    var explanations: [MomentExplanation] = []
    for moment in report.namedMoments.prefix(count) {
      let entry = try DatasetShow.chosen(reader, moment.sequence)[0]
      let context = RecordingContext(sequence: try reader.load(entry))
      let frame = try frame(moment.time.value, in: context.sequence.recording)
      explanations.append(MomentExplanation(context, bench, frame: frame))
    }
    let none = "No answer is wrong or changes often, so there is no worst moment."
    return try result.outcome(
      remarks: explanations.isEmpty ? [none] : [],
      content: MomentExplanations(moments: explanations),
      document: document(explanations))
  }

  private func document(_ explanations: [MomentExplanation]) -> Document {
    var document = explanations.reduce(into: Document()) {
      $0.append($1.document(isFull: verbose))
    }
    if !verbose, !explanations.isEmpty {
      document.code(["# every rule and measurement: --verbose"])
    }
    return document
  }
}
