internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import Reports

struct Evaluate: ReportingCommand {
  static let hasCSV = true

  static let configuration = CommandConfiguration(
    abstract: "Run a detector over recordings and score its answers.",
    discussion: """
      Prints one screen: the verdict, the confusion matrices, the worst error with commands that \
      fix or explain it, and the main scores. --verbose prints everything; --section prints only \
      some sections. JSON contains the whole report; so do Markdown and text files, unless --section \
      limits them. CSV contains only the confusion matrices of all recordings together and of each \
      slice, such as a subject or a tag. For recordings without labels, the report shows how much the answers flicker.

      Sections: \(ReportSection.names).

      Examples:
        planklab evaluate datasets/scripted
        planklab evaluate datasets/scripted --section matrix,stability
        planklab evaluate my-data --detector article --set sag=3cm --set pike=12cm
        planklab evaluate my-data --smoothing ema:cutoff=1.5Hz --debounce dwell:enter=0.3s
        planklab evaluate my-data datasets/studio/generated --detector coach
        planklab evaluate my-data --detector coach --calibrate first=2s
        planklab evaluate my-data --split test --output result.json
        planklab evaluate my-data --format csv --output cells.csv
        planklab evaluate my-data --predictions answers/   # score another detector
        planklab evaluate session.poses.jsonl   # how much does it flicker?
      """)

  @OptionGroup var data: DatasetOptions
  @OptionGroup var detector: DetectorOptions
  @OptionGroup var strategies: StrategyOptions
  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var result: ResultOptions

  @Option(
    help: ArgumentHelp(
      "Score the answers saved in a folder instead of running a detector.",
      discussion:
        "The folder has a NAME.csv for each sequence, with one row per frame and the columns t, plank and form.",
      valueName: "DIR"))
  var predictions: String?

  @Option(
    help: ArgumentHelp(
      "Print only these sections, e.g. matrix,stability, or `all` for every section.",
      valueName: "NAME,..."), completion: .list(ReportSection.allCases.map(\.rawValue)))
  var section: String?

  @OptionGroup var page: PageOptions

  @Option(
    help: ArgumentHelp(
      "Show up to this many sequences frame by frame on the page, starting with those that have "
        + "the most error time, while the page stays under 5 MB (default: 20).", valueName: "N"))
  var viewerSequences: Int?

  @Option(
    help: ArgumentHelp(
      "Write a thresholds file with the first recommended change, or with unchanged values if there is none.",
      discussion: "Pass the file to other commands with --parameters, or to `planklab export`.",
      valueName: "FILE.json"))
  var thresholds: String?

  @Flag(
    help: ArgumentHelp(
      "Skip the search for a change to make next.",
      discussion:
        "The search tries each parameter alone and, on small datasets, changes to the rules; it takes about a second."
    ))
  var noNext = false

  @Flag(
    help: ArgumentHelp(
      "Print every number: all sections, and events by collar, fragments, mergers, dwells and spectra.",
      discussion:
        "With --verbose, JSON also has `details` for each stream. Computing spectra takes about ten times as long as scoring."
    ))
  var verbose = false

  mutating func takeDefaults() throws {
    if predictions == nil {
      strategies = try detector.takeDefaults(strategies)
    } else {
      try detector.takeDefaults()
    }
    detector.defaults = try data.takeDefaults(detector.defaults)
  }

  func outcome() async throws -> Outcome {
    try checkPredictions()
    let bench = try BenchDetector(settings)
    try checkViewer()
    try checkThresholds()
    try page.check(beside: [result.output, thresholds])
    let sections = try section.map(ReportSection.list)
    let parts = parts(sections)
    let progress = LongWork(steps(parts)).report
    let datasets = try data.collection()
    let origin = try origin(datasets, bench, progress)
    let explain = try explain(datasets)
    let evaluation = try await DatasetEvaluation(
      of: datasets, detector: bench, predictions: predictions,
      .init(parts: parts, explain: explain, next: parts.looksForChanges ? command : nil),
      progress: progress)
    var envelope = ResultEnvelope(origin, evaluation.report)
    if isScreen, result.format == .text, !parts.contains(.others), envelope.hasPlaceForOthers {
      envelope.result.otherDetectors = try await OtherDetectors(
        besides: predictions == nil ? bench.detector.definition : nil
      ).scores(of: evaluation.runs.map(\.outcome), datasets, progress)
    }
    let remarks =
      try evaluation.remarks + written(bench, evaluation.report.next?.fixes.first)
      + pageRemarks(evaluation, envelope, datasets, bench, progress: progress)
    let text =
      isScreen
      ? envelope.screen
      : sections.map { evaluation.report.document(of: $0, envelope.origin) }
    return try result.outcome(envelope, text: text, remarks: remarks)
  }

  private func origin(
    _ datasets: DatasetCollection, _ bench: BenchDetector, _ progress: @escaping ProgressReport
  ) throws -> ResultOrigin {
    ResultOrigin(
      command: EvaluationReport.command,
      data: showsHash
        ? .hashed(try datasets.identity(progress: progress))
        : .named(datasets.name, split: data.split),
      provenance: provenance(bench).compactMapValues(\.self))
  }

  private var showsHash: Bool { [.json, .html].contains(result.format) || page.html != nil }

  private var isScreen: Bool { result.output == nil && !verbose && section == nil }

  private func parts(_ sections: [ReportSection]?) -> EvaluationParts {
    var parts = EvaluationParts.report
    if result.format == .text, page.html == nil {
      parts =
        sections?.reduce(into: []) { $0.formUnion($1.parts) } ?? (isScreen ? .screen : .report)
    }
    if result.format == .csv, page.html == nil { parts = .slices }
    if result.format == .json { parts.insert(.movements) }
    if verbose { parts.insert(.details) }
    if thresholds != nil { parts.insert(.next) }
    return predictions == nil && !noNext ? parts : parts.subtracting([.next, .lead])
  }

  private func pageRemarks(
    _ evaluation: DatasetEvaluation, _ envelope: ResultEnvelope<EvaluationReport>,
    _ datasets: DatasetCollection, _ bench: BenchDetector, progress: @escaping ProgressReport
  ) throws -> [String] {
    guard let html = page.html else { return [] }
    let viewer = try envelope.result.explain.flatMap { explain in
      viewerLimit == 0
        ? nil
        : try ViewerData(
          zip(evaluation.runs, datasets.entries).map { try ViewedSequence($0, $1, of: datasets) },
          bench, explain: explain, limit: viewerLimit, page: html, progress: progress)
    }
    let pictures =
      viewer == nil ? EvaluationPictures() : try EvaluationPictures(evaluation, of: datasets)
    return try page.write(
      detector.name, envelope.result.page(envelope.origin, pictures), viewer: viewer)
  }

  private var viewerLimit: Int { viewerSequences ?? ViewerData.usualSequences }

  private func steps(_ parts: EvaluationParts) -> [WorkProgress.Step] {
    let showsFrames = page.html != nil && predictions == nil && viewerLimit > 0
    return (showsHash ? ["files", "sequences"] : ["sequences"])
      + (parts.contains(.intervals) ? ["plank resamples", "form resamples"] : [])
      + (parts.looksForChanges ? ["parameters"] : [])
      + (showsFrames ? ["sequences of the page"] : [])
  }

  private func explain(_ datasets: DatasetCollection) throws -> ExplainCommand? {
    guard predictions == nil else { return nil }
    let paths = try data.datasets.map { (path: $0, isRecording: try RecordingPath($0) != nil) }
    let places = datasets.entries.map { entry in
      let (path, isRecording) = paths[entry.part]
      return (entry.name, isRecording ? [path] : [path, entry.entry.name])
    }
    return ExplainCommand(
      places: Dictionary(places) { first, _ in first },
      options: settings.options)
  }

  private var command: EvaluateCommand {
    var unassigned = settings
    unassigned.assignments = []
    return EvaluateCommand(
      data: data.words, options: unassigned.options.flatMap(\.self),
      assignments: detector.assignments)
  }

  private var settings: AnswerSettings { detector.settings(strategies, calibration) }

  private func written(_ bench: BenchDetector, _ fix: Fix?) throws -> [String] {
    guard let thresholds else { return [] }
    var changed = bench.thresholds
    if let fix { try changed.parameters.set(ParameterKey(fix.parameter), to: fix.to) }
    return try ThresholdsFile(thresholds: changed, evidence: fix?.advice).write(
      to: thresholds,
      holding: fix.map { "`\($0.parameter)` \(NumberText.short($0.to))" }
        ?? "the starting values",
      data: data.words + OptionWords.of([("--calibrate", calibration.calibrate)]))
  }

  private func checkThresholds() throws {
    guard let thresholds else { return }
    try require(
      predictions == nil && !noNext, .usage,
      "--thresholds: writes the advised change, but no change is searched for; remove "
        + (noNext ? "--no-next" : "--predictions"))
    try OutputFile.checkReport(thresholds, mayReplaceThresholds: true)
  }

  private func checkViewer() throws {
    guard let viewerSequences else { return }
    try require(
      page.html != nil && predictions == nil, .usage,
      "--viewer-sequences: only a page about a detector shows frames; give --html without "
        + "--predictions")
    try require(
      viewerSequences >= 0, .usage, "--viewer-sequences \(viewerSequences): give 0 or more")
  }

  private func checkPredictions() throws {
    guard predictions != nil else { return }
    try require(
      !strategies.isGiven, .usage,
      "--predictions: saved answers are not smoothed or debounced; remove "
        + "--smoothing and --debounce")
    try require(
      calibration.calibrate == nil, .usage,
      "--predictions: saved answers cannot be calibrated; remove --calibrate")
    try require(
      detector.parameters == nil && detector.assignments.isEmpty, .usage,
      "--predictions: parameters do not change saved answers; remove --set and --parameters")
  }

  private func provenance(_ bench: BenchDetector) -> [String: String?] {
    let isDetector = predictions == nil
    return [
      "dataset_path": data.datasets.joined(separator: " "), "source_tag": data.sources.sourceTag,
      "detector": detector.name,
      "set": detector.assignments.isEmpty ? nil : detector.assignments.joined(separator: " "),
      "parameters": detector.parameters, "predictions": predictions,
      "smoothing": isDetector ? bench.smoothingText : nil,
      "debounce": isDetector ? bench.debounceText : nil,
      "calibrate": bench.calibrating?.text, "defaults": detector.defaults.sentence,
    ]
  }
}

struct EvaluateCommand: Sendable {
  let data: [String]
  let options: [String]
  let assignments: [String]

  func words(_ settings: [NextSteps.Setting], _ parameters: ParameterValues) throws -> [String] {
    let changed = Set(settings.map(\.parameter))
    let kept = assignments.filter { !changed.contains(String($0.prefix { $0 != "=" })) }
    var sets = kept
    for setting in settings {
      guard
        let definition = parameters.definitions.first(where: {
          $0.key.rawValue == setting.parameter
        })
      else {
        throw DetectorError.unusedParameter(
          setting.parameter, detector: parameters.detectorName,
          available: parameters.definitions.map(\.key))
      }
      sets.append(setting.parameter + "=" + definition.optionText(setting.value))
    }
    return ["planklab", "evaluate"] + data + options + sets.flatMap { ["--set", $0] }
  }

  var suggesting: ResultCommands {
    ResultCommands(
      again: ["suggest"] + data + options + assignments.flatMap { ["--set", $0] }, data: data)
  }
}

struct EvaluationParts: OptionSet, Hashable, Sendable {
  let rawValue: Int

  static let jitter = EvaluationParts(rawValue: 1)
  /// The jitter that the first screen names, if measured anyway; all of it without labels.
  static let quickJitter = EvaluationParts(rawValue: 1 << 1)
  static let angles = EvaluationParts(rawValue: 1 << 2)
  static let others = EvaluationParts(rawValue: 1 << 3)
  static let intervals = EvaluationParts(rawValue: 1 << 4)
  static let next = EvaluationParts(rawValue: 1 << 5)
  static let lead = EvaluationParts(rawValue: 1 << 6)
  static let timing = EvaluationParts(rawValue: 1 << 7)
  static let slices = EvaluationParts(rawValue: 1 << 8)
  static let nearest = EvaluationParts(rawValue: 1 << 9)
  static let movements = EvaluationParts(rawValue: 1 << 10)
  static let details = EvaluationParts(rawValue: 1 << 11)

  var looksForChanges: Bool { !isDisjoint(with: [.next, .lead]) }

  static let screen: EvaluationParts = [.quickJitter, .intervals, .lead]
  static let report: EvaluationParts = [
    .jitter, .angles, .others, .intervals, .next, .timing, .slices, .nearest,
  ]
}

extension ReportSection {
  var parts: EvaluationParts {
    switch self {
    case .detector: .others
    case .next: .next
    case .metrics: .intervals
    case .jitter: .jitter
    case .notes: .angles
    case .timing: .timing
    case .sources, .slices: .slices
    case .worst: .nearest
    case .calibration, .matrix, .activities, .stability, .temporal, .device, .agreement,
      .provenance:
      []
    }
  }

  static func list(_ text: String) throws -> [ReportSection] {
    if text == "all" { return allCases }
    var sections: [ReportSection] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      let section = try require(
        ReportSection(rawValue: String(name)), .usage,
        "--section \(text): no section `\(name)`; the sections are \(names), or all")
      sections.append(section)
    }
    return sections
  }
}
