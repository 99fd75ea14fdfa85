internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Tuning

struct Suggest: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find the one change of a detector's rules that helps most, and whether to make it.",
    discussion: """
      Tries every single change of the rules, stream by stream: another value of a parameter, a \
      rule or a condition less, two neighbors swapped, a condition more, a new rule with one or \
      two conditions. What it advises is judged as by `compare`. With 6 people or more, the whole \
      search is repeated without each of ten groups of them.

      --measurements names a file of expressions that new conditions may use, too. --patch writes \
      the detector with the advised changes.

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
      "Search only the rules of one stream: plank or form (default: both).", valueName: "NAME"),
    transform: Self.stream)
  var stream: AnswerStream?

  @Option(help: ArgumentHelp("Make up to this many changes, one after the other.", valueName: "N"))
  var steps = 1

  @Option(
    help: ArgumentHelp(
      "Count seconds that a change breaks this many times.", valueName: "NUMBER"))
  var harm = 1.0

  @Option(
    help: ArgumentHelp(
      "Measurements that new conditions may use, beside built-in ones.",
      valueName: "FILE.yaml"), completion: .file(extensions: ["yaml", "yml"]))
  var measurements: String?

  @Option(
    help: ArgumentHelp(
      "Write the detector with the advised changes.", valueName: "FILE.yaml"),
    completion: .file(extensions: ["yaml", "yml"]))
  var patch: String?

  @Flag(help: "Print every source, and the changes of answers.")
  var verbose = false

  @Option(help: ArgumentHelp("The seed of the groups of people.", valueName: "NUMBER"))
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
    if let jobs, !(1...1000).contains(jobs) {
      throw ValidationError("--jobs: give 1 to 1000")
    }
  }

  mutating func takeDefaults() throws {
    strategies = try detector.takeDefaults(strategies)
    detector.defaults = try data.takeDefaults(detector.defaults)
  }

  func outcome() async throws -> Outcome {
    try page.check(beside: [result.output, patch])
    if let patch { try OutputFile.checkReport(patch) }
    let progress = LongWork(["files", "sequences", "searches"]).report
    let bench = try detector.found(strategies)
    let datasets = try data.collection()
    let identity = try datasets.identity(progress: progress)
    let search = SuggestionSearch(
      bench: bench, name: detector.name, streams: stream.map { [$0] } ?? AnswerStream.allCases,
      measurements: measurements,
      settings: SuggestionSettings(harm: harm, steps: steps, seed: seed), jobs: jobs)
    var report = try await search.report(datasets, progress: progress)
    report.commands = commands
    let envelope = ResultEnvelope(report, on: identity, provenance: provenance(bench))
    var remarks = try writePatch(search, envelope)
    remarks += try page.write(envelope)
    return try result.outcome(
      envelope,
      text: verbose || result.output != nil ? nil : SuggestionScreen(report).document,
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

  private var commands: ResultCommands {
    func options(_ named: [(flag: String, value: String?)]) -> [String] {
      named.flatMap { flag, value in value.map { [flag, $0] } ?? [] }
    }
    let chosen =
      data.datasets
      + options([
        ("--split", data.split), ("--source-tag", data.sources.sourceTag),
      ])
    let steadied = options([
      ("--smoothing", strategies.smoothing), ("--debounce", strategies.debounce),
    ])
    let search = options([
      ("--detector", detector.detector), ("--parameters", detector.parameters),
      ("--stream", stream?.rawValue),
      ("--steps", steps == 1 ? nil : "\(steps)"),
      ("--harm", harm == 1 ? nil : NumberText.shortest(harm)), ("--measurements", measurements),
      ("--seed", seed == 0 ? nil : "\(seed)"),
    ])
    return ResultCommands(
      again: ["suggest"] + chosen + search + detector.assignments.flatMap { ["--set", $0] }
        + steadied,
      data: chosen + steadied)
  }

  private func comparison(with patch: String) -> String {
    let datasets = data.datasets.map(ShellWord.quoted)
    let words =
      ["planklab compare"] + datasets.prefix(1) + datasets.dropFirst().map { "--dataset " + $0 }
      + [detector.name, patch].map(ShellWord.quoted)
    return words.joined(separator: " ")
  }

  private func writePatch(
    _ search: SuggestionSearch, _ envelope: ResultEnvelope<SuggestionReport>
  ) throws -> [String] {
    guard let patch else { return [] }
    guard
      let edited = try envelope.result.edited(
        search.definition, candidates: search.candidates())
    else {
      return ["wrote no \(patch), because no change is advised"]
    }
    let edits = envelope.result.streams.flatMap { found in
      found.suggested.map { "\(EditText($0).summary)." }
        + (found.suggested.last?.advice.map { ["\(found.stream.title): \($0.sentence)"] } ?? [])
    }
    let origin =
      "\(detector.name) with changes that \(envelope.origin.program) advises from "
      + "\(envelope.origin.datasetName) (\(envelope.origin.dataset?.hash.prefix(12) ?? "-"))."
    try OutputFile.writeReport(DetectorYAML.text(edited, comments: [origin] + edits), to: patch)
    return ["wrote \(patch)", "next: " + comparison(with: patch)]
  }
}
