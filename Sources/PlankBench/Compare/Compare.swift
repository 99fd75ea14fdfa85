internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Synchronization

struct Compare: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare detectors on a dataset, person by person, and recommend one.",
    discussion: """
      A candidate is a detector's name, a detector file, a thresholds file, a folder of answers, \
      or, in quotes, a detector with changes. The first candidate is yours, the one that you \
      use now. For each of the others, the command says whether to take it, what change in \
      balanced accuracy to expect for new people, and how certain that is. Other metrics are \
      shown but not judged. The exit code does not depend on the advice; to make a build fail, \
      use `planklab gate`.

      Examples:
        planklab compare datasets/scripted article gravity
        planklab compare datasets/scripted gravity "gravity sag=3cm plank_frames=5"
        planklab compare my-data --dataset datasets/studio/generated gravity coach
        planklab compare my-data gravity coach --thresholds thresholds.json
        planklab compare my-data coach "coach calibrate=first=2s"  # holds not scored
        planklab compare datasets/scripted article gravity --html compare.html
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.", completion: .folder)
  var dataset: String

  @Argument(help: "Two or more candidates, yours first.", completion: .detector)
  var candidates: [String]

  @OptionGroup var result: ResultOptions
  @OptionGroup var page: PageOptions

  @Option(
    name: .customLong("dataset"),
    help: ArgumentHelp(
      "Add another dataset; may be repeated.",
      discussion:
        "With several datasets, each is a source, and every metric is the mean over the sources.",
      valueName: "DIR"), completion: .folder)
  var others: [String] = []

  @OptionGroup var sources: SourceOptions

  @Option(help: ArgumentHelp("Use only the sequences in one split.", valueName: "NAME"))
  var split: String?

  @Option(
    help: ArgumentHelp(
      "Write the thresholds of the recommended candidate.",
      discussion:
        "The first candidate is recommended unless another is better in one stream and worse in none.",
      valueName: "FILE.json"))
  var thresholds: String?

  @OptionGroup var defaults: DefaultsOption

  @Flag(
    help:
      "Print everything: also people better or worse, activities, unchanged metrics, worst sequences."
  )
  var verbose = false

  @Option(
    help: ArgumentHelp("The number of resamples for confidence intervals.", valueName: "COUNT"))
  var resamples = 10_000

  @Option(help: ArgumentHelp("The seed for the resamples.", valueName: "NUMBER"))
  var seed: UInt64 = 0

  func validate() throws {
    guard (100...1_000_000).contains(resamples) else {
      throw ValidationError("--resamples: give 100 to 1000000")
    }
  }

  mutating func takeDefaults() throws {
    var defaults = defaults
    try defaults.read()
    candidates = try candidates.map { try CandidateChoice($0).filled(&defaults) }
    defaults.say()
    self.defaults = defaults
  }

  func outcome() async throws -> Outcome {
    try require(
      candidates.count >= 2, .usage, "a comparison needs two or more candidates; add another one")
    try page.check(beside: [result.output, thresholds])
    if let thresholds { try OutputFile.checkReport(thresholds, mayReplaceThresholds: true) }
    let shown: [WorkProgress.Step] = page.html == nil ? [] : ["sequences of the page"]
    let progress = LongWork(["files", "sequences", "resamples"] + shown).report
    let datasets = try DatasetCollection(
      opening: [dataset] + others, split: split, sourceTag: sources.sourceTag)
    let identity = try datasets.identity(progress: progress)
    var remarks: [String] = []
    let detectors = ComparedDetectors(try evaluators(datasets, &remarks))
    let found = try await sides(datasets, detectors, progress)
    let sides = candidates.indices.map { side in found.map { $0.scores[side] } }
    try require(
      sides[0].contains(where: { $0.plank.frames.scored > 0 }), .notComparable,
      "\(datasets.place): no frame is scored; label the recordings first")
    var pairs = try await pairs(sides, detectors.evaluators, progress)
    for index in pairs.indices {
      let changes = ActivityChange.all(sides[0], sides[index + 1])
      pairs[index].activities = changes.isEmpty ? nil : changes
      pairs[index].recordings = try differences(
        found.map { $0.differences[index] }, side: index + 1, datasets, detectors)
    }
    let envelope = ResultEnvelope(
      ComparisonReport(
        reference: candidates[0], pairs: pairs,
        sides: zip(candidates, sides).map { ScoredSide(name: $0, scores: $1) }
          .compared(with: candidates[0]),
        unscored: sides[0].filter { $0.plank.frames.scored == 0 }.map(\.name),
        commands: try commands(pairs, datasets)), on: identity, provenance: provenance)
    if let thresholds { remarks += try write(envelope, detectors.evaluators, to: thresholds) }
    let viewer = try page.html.flatMap { html in
      try viewerData(found.map(\.differences), datasets, detectors, html, progress)
    }
    remarks += try page.write(
      ComparisonReport.command, envelope.result.page(envelope.origin, viewed: viewer?.side),
      viewer: viewer?.data)
    let isScreen = result.output == nil && !verbose
    return try result.outcome(
      envelope,
      text: isScreen
        ? envelope.document.screen(closing: [
          "# everything: --verbose; the advised thresholds: --thresholds FILE.json"
        ]) : nil, remarks: remarks)
  }

  private var provenance: [String: String?] {
    [
      "sides": candidates.joined(separator: "; "), "resamples": "\(resamples)", "seed": "\(seed)",
      "defaults": defaults.sentence,
    ]
  }

  private func write(
    _ envelope: ResultEnvelope<ComparisonReport>, _ sides: [SequenceEvaluator], to path: String
  ) throws -> [String] {
    let side = envelope.result.advisedSide
    let name = candidates[side]
    try require(
      sides[side].predictions == nil, .usage,
      "--thresholds: `\(name)` is advised, but saved answers have no thresholds; remove the option")
    var evidence = envelope
    for index in evidence.result.pairs.indices { evidence.result.pairs[index].recordings = [] }
    let options = OptionWords.of([
      ("--split", split), ("--source-tag", sources.sourceTag),
      ("--calibrate", sides[side].bench.calibrating?.text),
    ])
    return try ThresholdsFile(thresholds: sides[side].bench.thresholds, evidence: evidence).write(
      to: path, holding: "the thresholds of `\(name)`", data: [dataset] + others + options)
  }

  private func pairs(
    _ sides: [[SequenceScores]], _ evaluators: [SequenceEvaluator],
    _ progress: @escaping ProgressReport
  ) async throws -> [ComparisonReport.Pair] {
    let (resamples, seed) = (resamples, seed)
    let rest = zip(candidates, zip(sides, evaluators)).dropFirst().map {
      (name: $0, scores: $1.0, evaluator: $1.1)
    }
    let silence: ProgressReport = { _, _, _ in }
    let done = Mutex(0)
    return await ConcurrentMap.run(rest, progress: silence) { other in
      let comparison = PairedComparison(
        sides[0], other.scores, keys: MetricKey.headlines, resamples: resamples, seed: seed
      ) { count, total in
        let sum = done.withLock { sum in
          sum += count
          return sum
        }
        // All pairs have the same subjects, and therefore the same number of resamples.
        progress(sum, total * rest.count, "resamples")
      }
      let advice = StreamAdvice(sides[0], other.scores, candidates: rest.count) {
        other.evaluator.differences(from: evaluators[0], $0)
      }
      return ComparisonReport.Pair(name: other.name, advice: advice, comparison: comparison)
    }
  }

  private func evaluators(
    _ datasets: DatasetCollection, _ remarks: inout [String]
  ) throws -> [SequenceEvaluator] {
    try candidates.map { text in
      let choice = try CandidateChoice(text)
      return try SequenceEvaluator(
        of: datasets, detector: BenchDetector(choice.answers), predictions: choice.predictions,
        remarks: &remarks)
    }
  }

  private struct ScoredSequence: Sendable {
    let scores: [SequenceScores]
    let differences: [[RecordingDifference.Size]]
  }

  private func sides(
    _ datasets: DatasetCollection, _ detectors: ComparedDetectors,
    _ progress: @escaping ProgressReport
  ) async throws -> [ScoredSequence] {
    try await ConcurrentMap.run(datasets.entries, progress: progress) { entry in
      let sequence = try datasets.load(entry)
      let outcomes = try detectors.outcomes(sequence, entry)
      return ScoredSequence(
        scores: outcomes.map { SequenceScores($0, detail: .report) },
        differences: outcomes.dropFirst().map { RecordingDifference.sizes(outcomes[0], $0) })
    }
  }

  private struct ComparedDetectors: Sendable {
    let evaluators: [SequenceEvaluator]
    private let shared: SharedMeasurements

    init(_ evaluators: [SequenceEvaluator]) {
      self.evaluators = evaluators
      shared = SharedMeasurements(evaluators.filter(\.bench.isUnsmoothed).map(\.bench.detector))
    }

    func outcomes(
      _ sequence: DatasetSequence, _ entry: DatasetCollection.Entry
    ) throws -> [SequenceOutcome] {
      var columns: [AxisReading: MeasurementColumns] = [:]
      return SequenceOutcome.scoredAlike(
        try evaluators.map { evaluator in
          guard evaluator.bench.isUnsmoothed else {
            return try evaluator.outcome(of: sequence, source: entry.source)
          }
          let axes = evaluator.bench.detector.definition.axes
          let measured = columns[axes] ?? shared.measure(sequence.recording, axes)
          columns[axes] = measured
          return try evaluator.outcome(of: sequence, source: entry.source, measured: measured)
        })
    }
  }

  private func differences(
    _ sizes: [[RecordingDifference.Size]], side: Int, _ datasets: DatasetCollection,
    _ detectors: ComparedDetectors
  ) throws -> [RecordingDifference] {
    let all = sizes.enumerated().flatMap { index, sizes in sizes.map { (entry: index, size: $0) } }
    let most = all.sorted { $0.size.lost + $0.size.won > $1.size.lost + $1.size.won }
    return try most.prefix(RecordingDifference.mostKept).map { found in
      let entry = datasets.entries[found.entry]
      let sequence = try datasets.load(entry)
      let outcomes = try detectors.outcomes(sequence, entry)
      return RecordingDifference(outcomes[0], outcomes[side], found.size.stream)
    }
  }

  private func viewerData(
    _ sizes: [[[RecordingDifference.Size]]], _ datasets: DatasetCollection,
    _ detectors: ComparedDetectors, _ html: String, _ progress: @escaping ProgressReport
  ) throws -> (side: String, data: ViewerData)? {
    let evaluators = detectors.evaluators
    let sides = evaluators.indices.dropFirst()
    guard let side = sides.first(where: { evaluators[$0].predictions == nil }) else { return nil }
    let seconds = sizes.map { $0[side - 1].reduce(0) { $0 + $1.lost + $1.won } }
    let most = seconds.indices.filter { seconds[$0] > 0 }
      .sorted { (-seconds[$0], $0) < (-seconds[$1], $1) }.prefix(ViewerData.usualSequences)
    let entries = most.map { datasets.entries[$0] }
    guard let explain = try explain(candidates[side], entries), !entries.isEmpty else { return nil }
    let shown = try entries.map { entry in
      let sequence = try datasets.load(entry)
      let outcomes = try detectors.outcomes(sequence, entry)
      return try ViewedSequence(outcomes[side], beside: outcomes[0], entry, of: datasets)
    }
    let data = try ViewerData(
      shown, evaluators[side].bench, sides: (candidates[side], candidates[0]), explain: explain,
      page: html, progress: progress)
    return (candidates[side], data)
  }

  private func explain(
    _ side: String, _ entries: [DatasetCollection.Entry]
  ) throws -> ExplainCommand? {
    let places = entries.map { ($0.name, [([dataset] + others)[$0.part], $0.entry.name]) }
    var choice = try CandidateChoice(side)
    choice.answers.ignoresDefaults = defaults.isOff
    guard choice.predictions == nil else { return nil }
    return ExplainCommand(
      places: Dictionary(places) { first, _ in first }, options: choice.answers.options)
  }

  private func commands(
    _ pairs: [ComparisonReport.Pair], _ datasets: DatasetCollection
  ) throws -> ComparisonReport.Commands {
    let names = Set(pairs.flatMap(\.recordings).map(\.name))
    let shown = datasets.entries.filter { names.contains($0.name) }
    let explain = try candidates.compactMap { text in
      try self.explain(text, shown).map { (text, $0) }
    }
    var named: [(flag: String, value: String?)] = others.map { ("--dataset", $0) }
    named += [("--source-tag", sources.sourceTag), ("--split", split)]
    named += [
      ("--resamples", resamples == 10_000 ? nil : "\(resamples)"),
      ("--seed", seed == 0 ? nil : "\(seed)"),
    ]
    return ComparisonReport.Commands(
      again: ["compare", dataset] + candidates + OptionWords.of(named) + defaults.words,
      explain: Dictionary(explain) { first, _ in first })
  }
}

extension SequenceEvaluator {
  fileprivate func differences(from other: SequenceEvaluator, _ stream: AnswerStream) -> Int {
    guard predictions == nil, other.predictions == nil else { return 1 }
    return bench.differences(from: other.bench, stream)
  }
}

struct CandidateChoice: Hashable, Sendable {
  let text: String
  var answers = AnswerSettings()
  var predictions: String?

  init(_ text: String) throws {
    self.text = text
    if try FileDescriptor.isFolder(text) {
      predictions = text
      return
    }
    let words = text.split(separator: " ").map(String.init)
    let first = try require(
      words.first, .usage, "a candidate has no name; give a detector, a file or a folder")
    if first.hasSuffix(".json") { answers.parameters = first } else { answers.detector = first }
    for word in words.dropFirst() {
      let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      switch pair.count == 2 ? pair[0] : "" {
      case "smoothing": answers.smoothing = String(pair[1])
      case "debounce": answers.debounce = String(pair[1])
      case "calibrate": answers.calibrate = String(pair[1])
      default: answers.assignments.append(word)
      }
    }
  }

  /// A thresholds file has its own smoothing and debounce, so nothing is added to it.
  func filled(_ defaults: inout DefaultsOption) -> String {
    guard predictions == nil, answers.parameters == nil else { return text }
    let filled = defaults.filled(answers)
    let added = [
      answers.smoothing == nil ? filled.smoothing.map { "smoothing=\($0)" } : nil,
      answers.debounce == nil ? filled.debounce.map { "debounce=\($0)" } : nil,
    ]
    return ([text] + added.compactMap(\.self)).joined(separator: " ")
  }
}
