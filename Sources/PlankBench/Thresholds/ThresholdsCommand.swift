internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Tuning

struct ThresholdsCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "thresholds",
    abstract: "Write a page with a slider for every threshold and live confusion matrices.",
    discussion: """
      The page is one self-contained file that needs no network. It has a slider for each \
      parameter, including plank_frames, form_frames and hold_seconds, and marks the best single \
      change. You can also drag thresholds in the distributions of measurements. Confusion \
      matrices, transitions and latencies update immediately; click a cell to see its frames. A \
      map shows how a score depends on the last two parameters that you moved. You can undo \
      changes, and pin two sets of values to compare them.

      The numbers equal those of `planklab evaluate --set`, because the page runs the code of \
      `planklab sweep`, compiled to WebAssembly.

      Examples:
        planklab thresholds datasets/scripted
        planklab thresholds my-data --detector coach --split test --html coach.html
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.", completion: .folder)
  var dataset = ""

  @Option(help: ArgumentHelp("The page to write.", valueName: "FILE"))
  var html = "thresholds.html"

  @OptionGroup var opening: OpenOption

  @OptionGroup var detector: DetectorOptions

  @OptionGroup var smoother: SmoothingOptions

  @Option(help: ArgumentHelp("Use only the sequences in one split.", valueName: "NAME"))
  var split: String?

  mutating func takeDefaults() throws {
    smoother = try detector.takeDefaults(smoother)
    dataset = try detector.defaults.dataset(dataset)
    detector.defaults.say()
  }

  func outcome() async throws -> Outcome {
    try OutputFile.checkReport(html)
    let bench = try found(settings)
    var base = settings
    base.assignments = []
    let progress = LongWork(
      ["files", "sequences", "sequences of the page", "parameters", "columns"]
    ).report
    let data = try await ThresholdsData(
      of: dataset, split: split, detector: bench, base: found(base).detector.parameters,
      command: ["planklab", "evaluate", dataset] + base.options.flatMap(\.self)
        + OptionWords.of([("--split", split)]),
      explain: base.options, page: html, progress: progress)
    let page = try ThresholdsPage.html(data) { progress($0, $1, "columns") }
    try OutputFile.writeReport(page, to: html)
    return Outcome(
      "wrote \(html)\n",
      remarks: [
        "\(NumberText.count(data.frameCount, "frame")) of "
          + "\(NumberText.count(data.sequences.count, "sequence")); open the page in a browser; it needs "
          + "no network"
      ] + opening.show(html))
  }

  private var settings: AnswerSettings {
    var settings = detector.settings()
    settings.smoothing = smoother.smoothing
    return settings
  }

  private func found(_ settings: AnswerSettings) throws -> BenchDetector {
    let bench = try BenchDetector(settings)
    try require(
      bench.detector.debounce == .parameters, .usage,
      "\(detector.name): the debounce \(bench.debounceText) has no slider, because the page "
        + "changes only plank_frames and form_frames; use a thresholds file without `debounce`")
    return bench
  }
}

enum ThresholdsPage {
  static func html(
    _ data: ThresholdsData, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> String {
    let content = JSONText.of(data.content(progress: progress))
    return try page(data.viewer).html(
      blocks: [(id: "data", json: content)] + (data.viewer?.blocks ?? []))
  }

  private static func page(_ viewer: ViewerData?) -> OfflinePage {
    OfflinePage(
      title: "Thresholds", template: PageFile.text("thresholds.html"),
      style: Theme.stateCSS
        + PageFile.text(["tables.css", "pages.css", "viewer.css", "thresholds.css"]),
      scripts: scripts, scriptPermissions: ["'wasm-unsafe-eval'"],
      directives: viewer == nil
        ? [] : ["media-src blob:" + (viewer?.hasVideos == true ? " 'self'" : "")])
  }

  private static var scripts: [String] {
    [
      "elements.js", "palette.js", "unpack.js", "layout.js", "engine.js", "metrics.js",
      "history.js", "address.js", "settings.js", "matrices.js", "scores.js", "plateau.js",
      "recording.js", "figure.js", "strips.js", "detector.js", "ribbons.js", "moment.js",
      "transport.js", "viewer.js", "cells.js", "thresholds.js",
    ]
  }
}

struct ThresholdsData: Sendable {
  let sequences: [MeasuredSequence]
  let bench: BenchDetector
  /// The values that `command` already has.
  let base: ParameterValues
  let identity: Evaluation.DatasetIdentity
  let command: [String]
  var next = BestValues.none
  var viewer: ViewerData?
}

extension ThresholdsData {
  /// A browser looks for videos beside `page`.
  init(
    of path: String, split: String?, detector: BenchDetector, base: ParameterValues,
    command: [String], explain: [[String]], page: String, progress: @escaping ProgressReport
  ) async throws {
    let reader = try DatasetAccess.open(path)
    try require(
      reader.sequences(split: split).contains(where: { $0.labelsPath != nil }), .badData,
      "\(path): no sequence has labels; label some with `planklab label`")
    let datasets = try DatasetCollection([.init(reader, split: split)])
    let identity = try datasets.identity(progress: progress)
    var remarks: [String] = []
    let evaluator = try SequenceEvaluator(
      of: datasets, detector: detector, budget: FrameBudget(NextSteps.mostFrames),
      remarks: &remarks)
    @Sendable func measured(_ entry: DatasetCollection.Entry) throws -> MeasuredSequence {
      let sequence = try datasets.load(entry)
      return MeasuredSequence(sequence, detector.measure(sequence.recording))
    }
    let found = try await ConcurrentMap.run(datasets.entries, progress: progress) { entry in
      let found = try evaluator.run(entry)
      let isShown = entry.entry.labelsPath != nil
      return (
        run: found.run, measured: found.measured,
        shown: isShown ? try found.measured ?? measured(entry) : nil
      )
    }
    let search = NextSearch(
      bench: detector,
      sequences: DatasetEvaluation.searched(found.map { (run: $0.run, measured: $0.measured) }),
      command: EvaluateCommand(data: [path], options: [], assignments: []))
    let places = datasets.entries.map { ($0.name, [path, $0.entry.name]) }
    let viewer = try ViewerData(
      zip(found, datasets.entries).map { try ViewedSequence($0.run, $1, of: datasets) }, detector,
      explain: ExplainCommand(places: Dictionary(places) { first, _ in first }, options: explain),
      page: page, progress: progress)
    self.init(
      sequences: found.compactMap(\.shown), bench: detector, base: base, identity: identity,
      command: command, next: BestValues(try await search.sweep(progress: progress)),
      viewer: viewer)
  }

  var frameCount: Int { sequences.reduce(0) { $0 + $1.times.count } }

  func content(progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) -> ThresholdsContent {
    let definition = bench.detector.definition
    let members = definition.measurements.members
    let columns = members.enumerated().map { index, measurement in
      progress(index, members.count)
      return column(measurement)
    }
    progress(members.count, members.count)
    return ThresholdsContent(
      dataset: identity.name, split: OrNull(identity.split), datasetHash: identity.hash,
      detector: definition.name, description: definition.summary, smoothing: bench.smoothingText,
      command: ShellWord.line(command), thresholds: bench.thresholds, parameters: parameters,
      measurements: members.map { .init(name: $0.name, unit: $0.unit.rawValue) },
      sequences: sequences.map {
        .init(
          name: $0.name, frames: $0.times.count, start: $0.times.first ?? 0,
          weight: $0.frameWeight.value, startsMid: $0.startsMid)
      }, times: PackedTimes.text(sequences.map(\.times)),
      streams: AnswerStream.allCases.map { stream($0, members) }, columns: columns, next: next)
  }

  private var parameters: [ThresholdsContent.Parameter] {
    let variant = DetectorVariant(bench.detector.definition)
    let used = Set(AnswerStream.allCases.flatMap { variant.keys($0) })
    let start = bench.detector.parameters
    return start.entries.filter { used.contains($0.definition.key) }.map { definition, value in
      .init(
        key: definition.key.rawValue, unit: definition.unit.rawValue,
        meaning: definition.meaning, isInteger: definition.isInteger,
        least: definition.range.lowerBound, greatest: definition.range.upperBound, start: value,
        defaultValue: definition.defaultValue, base: base[definition.key] ?? value)
    }
  }

  private func column(_ measurement: Measurement) -> String {
    PackedColumn.text(sequences.flatMap { $0.columns[measurement].map(\.bitPattern) })
  }

  private func stream(
    _ stream: AnswerStream, _ columns: [Measurement]
  ) -> ThresholdsContent.Stream {
    let facts = StreamFacts(stream, sequences).sequences
    let list = bench.detector.definition.list(stream)
    let frames = stream == .plank ? ParameterKey.plankFrames : .formFrames
    return ThresholdsContent.Stream(
      name: stream.rawValue, labels: stream.labels, frames: frames.rawValue,
      hold: ParameterKey.holdSeconds.rawValue, rules: list.rules.map { rule($0, columns) },
      sentences: list.sentences,
      truth: PackedColumn.text(sequences.flatMap { $0.truth.codes(stream) }),
      determined: PackedColumn.text(
        sequences.flatMap { determined(list.measurements.members, in: $0) }),
      evaluatedSeconds: facts.reduce(0) { $0 + $1.evaluatedSeconds.value },
      trueTransitions: facts.reduce(0) { $0 + $1.trueTransitions },
      onsets: facts.enumerated().flatMap { sequence, facts in
        facts.onsets.map { .init(sequence: sequence, onset: $0) }
      })
  }

  private func rule(_ rule: Rule, _ columns: [Measurement]) -> ThresholdsContent.Rule {
    .init(
      label: Int(rule.label.code),
      predicates: rule.predicates.map { predicate in
        guard let column = columns.firstIndex(of: predicate.measurement) else {
          preconditionFailure("the columns hold every measurement of the rules")
        }
        return .init(
          column: column, comparison: Int(predicate.comparison.kernelCode),
          parameter: predicate.parameter.rawValue, isNegated: predicate.isNegated)
      })
  }

  private func determined(_ mentioned: [Measurement], in sequence: MeasuredSequence) -> [UInt8] {
    var result = [UInt8](repeating: 1, count: sequence.times.count)
    for measurement in mentioned {
      for (frame, value) in sequence.columns[measurement].enumerated()
      where MeasuredValue.isMissing(value) { result[frame] = 0 }
    }
    return result
  }
}

struct ThresholdsContent: Encodable {
  struct Parameter: Encodable {
    let key: String
    let unit: String
    let meaning: String
    let isInteger: Bool
    let least: Double
    let greatest: Double
    let start: Double
    let defaultValue: Double
    let base: Double

    private enum CodingKeys: String, SnakeCaseKey {
      case key, unit, meaning, least, greatest, start, base, isInteger
      case defaultValue = "default"
    }
  }

  struct Column: Encodable {
    let name: String
    let unit: String
  }

  struct Sequence: Encodable {
    let name: String
    let frames: Int
    let start: Double
    let weight: Double
    let startsMid: Bool

    private enum CodingKeys: String, SnakeCaseKey { case name, frames, start, weight, startsMid }
  }

  struct Stream: Encodable {
    let name: String
    let labels: [String]
    let frames: String
    let hold: String
    let rules: [Rule]
    let sentences: [String]
    let truth: String
    let determined: String
    let evaluatedSeconds: Double
    let trueTransitions: Int
    let onsets: [Onset]

    private enum CodingKeys: String, SnakeCaseKey {
      case name, labels, frames, hold, rules, sentences, truth, determined, onsets,
        evaluatedSeconds, trueTransitions
    }
  }

  struct Rule: Encodable {
    let label: Int
    let predicates: [Predicate]
  }

  struct Predicate: Encodable {
    let column: Int
    let comparison: Int
    let parameter: String
    let isNegated: Bool

    private enum CodingKeys: String, SnakeCaseKey { case column, comparison, parameter, isNegated }
  }

  struct Onset: Encodable {
    let sequence: Int
    let onset: StreamFacts.Onset

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(sequence)
      try list.encode(Int(onset.label))
      try list.encode(onset.frames.lowerBound)
      try list.encode(onset.frames.upperBound)
      try list.encode(onset.isObserved)
      try list.encode(onset.duration)
    }
  }

  let dataset: String
  let split: OrNull<String>
  let datasetHash: String
  var program = Program.name
  let detector: String
  let description: String
  let smoothing: String
  let command: String
  let thresholds: Thresholds
  let parameters: [Parameter]
  let measurements: [Column]
  var slack = FrameTiming.slack
  let sequences: [Sequence]
  let times: String
  let streams: [Stream]
  let columns: [String]
  let next: BestValues
  var kernel = Base85.text(of: PageFile.bytes("sweep.wasm"))

  private enum CodingKeys: String, SnakeCaseKey {
    case dataset, split, program, detector, description, smoothing, command, thresholds, parameters,
      measurements, slack, sequences, times, streams, columns, next, kernel, datasetHash
  }
}

struct BestValues: Sendable, Encodable {
  struct Mark: Sendable, Encodable {
    let parameter: String
    let stream: String
    let value: Double
    let asGood: [Double]
    let fails: Bool
    let points: String
    let sentence: String
    let advice: Advice

    private enum CodingKeys: String, SnakeCaseKey {
      case parameter, stream, value, fails, points, sentence, advice, asGood
    }
  }

  let marks: [Mark]
  let reasons: [String]

  static let none = BestValues(marks: [], reasons: [])

  private static func states(_ findings: PerStream<NextSteps.Finding>) -> [String] {
    let states: [(NextSteps.Finding, String)] = [
      (.nothingWrong, "the answer is right in every scored frame."),
      (.unlabeled, "no frame is scored."),
      (.tooFewFrames, "too few frames are scored; label more."),
      (
        .undecided,
        "the rules decide no frame because measurements are missing; try another --detector."
      ),
    ]
    return states.compactMap { finding, words in
      let streams = AnswerStream.allCases.filter { findings[$0] == finding }.map(\.rawValue)
      return streams.isEmpty ? nil : "Next, \(streams.joined(separator: " and ")): \(words)"
    }
  }
}

extension BestValues {
  init(_ sweep: NextSearch.Sweep) {
    let steps = NextSteps(fixes: [], findings: sweep.findings, tried: sweep.tried)
    let byParameter = Dictionary(grouping: sweep.candidates) { $0.definition.key.rawValue }
    marks = sweep.tried.compactMap { key in
      byParameter[key]?.max { $0.advice.expected < $1.advice.expected }.map(Mark.init)
    }
    reasons = steps.reasons + Self.states(sweep.findings)
  }
}

extension BestValues.Mark {
  init(_ candidate: NextSearch.Candidate) {
    let unit = candidate.definition.unit.rawValue
    parameter = candidate.definition.key.rawValue
    stream = candidate.stream.rawValue
    value = candidate.values.after
    asGood = [candidate.asGood.lowerBound, candidate.asGood.upperBound]
    fails = !candidate.advice.step.takes
    points = candidate.advice.expectedText
    advice = candidate.advice
    sentence =
      "\(ParameterText.of(candidate.values.after, unit: unit)) instead of "
      + "\(ParameterText.of(candidate.values.before, unit: unit)), changed alone, for "
      + "\(candidate.stream.rawValue). \(candidate.advice.sentence) Equally good: "
      + "\(ParameterText.range(candidate.asGood, unit: unit))."
  }
}
