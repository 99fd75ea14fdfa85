internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Tuning

struct Suggest: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Find the change to a detector's rules that helps most, and advise whether to make it.",
    discussion: """
      Tries every possible single change to the rules, for plank and form separately: changing a \
      parameter, removing a rule or a condition, swapping two neighboring rules, adding a \
      condition, or adding a rule with one or two conditions. The best changes are judged as in \
      `compare`. With 6 or more people, the whole search is repeated up to ten times, each time \
      leaving out some of the people.

      With --measurements, new conditions may also use the expressions in a file. --patch writes \
      a detector file with the recommended changes.

      Examples:
        planklab suggest my-data
        planklab suggest my-data --detector coach --steps 3 --patch better.yaml
        planklab suggest my-data datasets/studio/generated --harm 3
        planklab suggest my-data --detector mine.yaml --stream form
        planklab suggest my-data --measurements candidates.yaml
      """)

  @OptionGroup var data: DatasetOptions
  @OptionGroup var detector: DetectorOptions
  @OptionGroup var strategies: StrategyOptions
  @OptionGroup var result: ResultOptions
  @OptionGroup var page: PageOptions

  @Option(
    help: ArgumentHelp(
      "Search only the rules of one stream, plank or form (default: both).", valueName: "NAME"),
    transform: Self.stream)
  var stream: AnswerStream?

  @Option(
    help: ArgumentHelp("Search for up to this many changes, one after another.", valueName: "N"))
  var steps = 1

  @Option(
    help: ArgumentHelp(
      "Count each second that a change makes wrong as this many seconds that it makes right.",
      valueName: "NUMBER"))
  var harm = 1.0

  @Option(
    help: ArgumentHelp(
      "A file with additional measurements that new conditions may use.",
      valueName: "FILE.yaml"), completion: .file(extensions: ["yaml", "yml"]))
  var measurements: String?

  @Option(
    help: ArgumentHelp(
      "Write a detector file with the recommended changes.", valueName: "FILE.yaml"),
    completion: .file(extensions: ["yaml", "yml"]))
  var patch: String?

  @Flag(
    help: "Print the scores by number of changes, and the people helped and hurt in each source.")
  var verbose = false

  @Option(help: ArgumentHelp("The seed for dividing people into groups.", valueName: "NUMBER"))
  var seed: UInt64 = 0

  @Option(help: ArgumentHelp("How many threads to use.", valueName: "COUNT"))
  var jobs: Int?

  private static func stream(_ name: String) throws -> AnswerStream {
    guard let stream = AnswerStream(rawValue: name) else {
      throw ValidationError("--stream \(name): give plank or form")
    }
    return stream
  }

  func validate() throws {
    guard (1...20).contains(steps) else { throw ValidationError("--steps: give 1 to 20") }
    guard harm > 0, harm <= 100 else {
      throw ValidationError("--harm: give a number above 0, at most 100")
    }
    if let jobs, !(1...1000).contains(jobs) { throw ValidationError("--jobs: give 1 to 1000") }
  }

  mutating func takeDefaults() throws {
    strategies = try detector.takeDefaults(strategies)
    detector.defaults = try data.takeDefaults(detector.defaults)
  }

  func outcome() async throws -> Outcome {
    try page.check(beside: [result.output, patch])
    if let patch { try OutputFile.checkReport(patch) }
    let progress = LongWork(["files", "sequences", "searches"]).report
    let bench = try BenchDetector(detector.settings(strategies))
    let datasets = try data.collection()
    let identity = try datasets.identity(progress: progress)
    let search = SuggestionSearch(
      bench: bench, name: detector.name, streams: stream.map { [$0] } ?? AnswerStream.allCases,
      measurements: measurements,
      settings: SuggestionSettings(harm: harm, steps: steps, seed: seed), jobs: jobs)
    var report = try await search.report(datasets, progress: progress)
    report.commands = commands(bench)
    let envelope = ResultEnvelope(report, on: identity, provenance: provenance(bench))
    var remarks = try writePatch(search, envelope, bench)
    remarks += try page.write(envelope)
    return try result.outcome(
      envelope, text: verbose || result.output != nil ? nil : SuggestionScreen(report).document,
      remarks: remarks)
  }

  private func provenance(_ bench: BenchDetector) -> [String: String?] {
    [
      "detector": detector.name, "stream": stream?.rawValue, "steps": "\(steps)",
      "harm": NumberText.shortest(harm), "seed": "\(seed)", "smoothing": bench.smoothingText,
      "debounce": bench.debounceText, "measurements": measurements,
      "set": detector.assignments.isEmpty ? nil : detector.assignments.joined(separator: ", "),
      "defaults": detector.defaults.sentence,
    ]
  }

  private func commands(_ bench: BenchDetector) -> ResultCommands {
    let chosen = data.words
    let steadied = OptionWords.of([
      ("--smoothing", strategies.smoothing), ("--debounce", strategies.debounce),
    ])
    let search = OptionWords.of([
      ("--detector", detector.detector), ("--parameters", detector.parameters),
      ("--stream", stream?.rawValue), ("--steps", steps == 1 ? nil : "\(steps)"),
      ("--harm", harm == 1 ? nil : NumberText.shortest(harm)), ("--measurements", measurements),
      ("--seed", seed == 0 ? nil : "\(seed)"),
    ])
    return ResultCommands(
      again: ["suggest"] + chosen + search + detector.assignments.flatMap { ["--set", $0] }
        + steadied + detector.defaults.words,
      data: chosen
        + OptionWords.of(patchStrategies(bench).map { (flag: "--" + $0.name, value: $0.value) })
        + detector.defaults.words)
  }

  /// The smoothing and debounce to give with a patch, because a detector file has neither.
  private func patchStrategies(_ bench: BenchDetector) -> [(name: String, value: String?)] {
    let isFromFile = detector.parameters != nil
    return [
      ("smoothing", strategies.smoothing ?? (isFromFile ? bench.smoothingText : nil)),
      ("debounce", strategies.debounce ?? (isFromFile ? bench.debounceText : nil)),
    ]
  }

  private func comparison(with patch: String, _ bench: BenchDetector) -> String {
    func candidate(_ words: [String], _ strategies: [(name: String, value: String?)]) -> String {
      (words + strategies.compactMap { name, value in value.map { "\(name)=\($0)" } })
        .joined(separator: " ")
    }
    let own = [("smoothing", strategies.smoothing), ("debounce", strategies.debounce)]
    let words =
      ["compare"] + data.datasets.prefix(1)
      + [
        candidate([detector.name] + detector.assignments, own),
        candidate([patch], patchStrategies(bench)),
      ] + data.datasets.dropFirst().flatMap { ["--dataset", $0] } + data.options
      + detector.defaults.words
    return ShellWord.planklab(words)
  }

  private func writePatch(
    _ search: SuggestionSearch, _ envelope: ResultEnvelope<SuggestionReport>,
    _ bench: BenchDetector
  ) throws -> [String] {
    guard let patch else { return [] }
    guard
      let edited = try envelope.result.edited(search.definition, candidates: search.candidates())
    else { return ["wrote no \(patch), because no change is advised"] }
    let edits = envelope.result.streams.flatMap { found in
      found.suggested.map { "\(EditText($0).summary)." }
        + (found.suggested.last?.advice.map { ["\(found.stream.title): \($0.sentence)"] } ?? [])
    }
    let origin =
      "\(detector.name) with changes that \(envelope.origin.program) advises from "
      + "\(envelope.origin.datasetName) (\(envelope.origin.dataset?.hash.prefix(12) ?? "-"))."
    try OutputFile.writeReport(DetectorYAML.text(edited, comments: [origin] + edits), to: patch)
    return ["wrote \(patch)", "next: " + comparison(with: patch, bench)]
  }
}

struct SuggestionSearch: Sendable {
  let bench: BenchDetector
  let name: String
  var streams = AnswerStream.allCases
  var measurements: String?
  var settings = SuggestionSettings()
  var jobs: Int?

  var definition: DetectorDefinition {
    get throws { try bench.detector.definition.withDefaults(bench.detector.parameters) }
  }

  func candidates() throws -> [Measurement] {
    try CandidateMeasurements.all(for: definition, file: measurements)
  }

  func report(
    _ datasets: DatasetCollection, progress: @escaping ProgressReport
  ) async throws -> SuggestionReport {
    let (definition, candidates) = (try definition, try candidates())
    let labeled = datasets.entries.filter { $0.entry.labelsPath != nil }
    let sequences = try await ConcurrentMap.run(labeled, jobs: jobs, progress: progress) { entry in
      let sequence = try datasets.load(entry)
      return MeasuredSequence(
        sequence, source: entry.source,
        bench.measure(sequence.recording, also: MeasurementSet(candidates)))
    }
    let unsearched = streams.compactMap { stream in
      obstacle(stream, sequences).map { SuggestionReport.Unsearched(stream, $0) }
    }
    if let first = unsearched.first, unsearched.count == streams.count {
      throw WorkflowFailure(
        first.reason == .tooManyRules ? .usage : .notComparable,
        "\(first.reason == .tooManyRules ? name : datasets.place): "
          + unsearched.map { "\($0.stream.rawValue): \($0.sentence)" }.joined(separator: ". "))
    }
    let debounce = bench.detector.debounce
    var found: [SuggestionResult] = []
    for stream in streams where !unsearched.contains(where: { $0.stream == stream }) {
      found.append(
        try await SuggestionJudge(
          definition, sequences, stream, candidates: candidates, settings,
          jobs: jobs ?? ConcurrentMap.cores,
          debounced: { edited, sequence in
            try BatchDetector(edited, parameters: edited.defaults, debounce: debounce).run(
              stream, sequence.columns, times: sequence.times, startsMid: sequence.startsMid
            ).answers
          }, progress: progress
        ).result)
    }
    return SuggestionReport(detector: definition.name, streams: found, unsearched: unsearched)
  }

  private func obstacle(
    _ stream: AnswerStream, _ sequences: [MeasuredSequence]
  ) -> SuggestionReport.Unsearched.Reason? {
    if bench.detector.definition.list(stream).rules.count > SuggestionSettings.mostRules {
      return .tooManyRules
    }
    let classes = sequences.classes(stream)
    return classes.isEmpty ? .unlabeled : classes.count == 1 ? .oneClass : nil
  }

  private static let mostFrames = 20_000

  static func isShort(people: Int, frames: Int) -> Bool {
    people >= SuggestionResult.fewestPeople && frames <= mostFrames
  }

  static func report(
    beside next: NextSteps, _ datasets: DatasetCollection, _ bench: BenchDetector,
    _ command: EvaluateCommand, progress: @escaping ProgressReport
  ) async throws -> SuggestionReport? {
    let open = AnswerStream.allCases.filter { stream in
      next.findings[stream].isOpen
        && bench.detector.definition.list(stream).rules.count <= SuggestionSettings.mostRules
    }
    guard !open.isEmpty else { return nil }
    var report = try await SuggestionSearch(
      bench: bench, name: bench.detector.definition.name, streams: open
    ).report(datasets, progress: progress)
    report.commands = command.suggesting
    return report
  }
}

extension NextSteps.Finding {
  fileprivate var isOpen: Bool {
    switch self {
    case .helps, .nothingHelps, .notAdvised: true
    default: false
    }
  }
}

enum CandidateMeasurements {
  static func all(for detector: DetectorDefinition, file path: String?) throws -> [Measurement] {
    let known = detector.reportedMeasurements.members
    guard let path else { return known }
    let map = try YAMLDocument(text: InputText.read(path), file: path).root.map()
    try map.rejectUnknownKeys(known: ["measurements"])
    let node = try map.required("measurements")
    let names = try DetectorNames(measurements: node, conditions: nil, axes: detector.axes)
    let new = names.measurements.filter { !known.contains($0) }
    for measurement in new where known.contains(where: { $0.name == measurement.name }) {
      throw node.error(
        allowed: "names that no measurement of the detector has",
        remedy: "rename `\(measurement.name)`", found: "`\(measurement.name)`")
    }
    return known + new
  }
}
