internal import ArgumentParser
internal import PlankDetection
internal import Platform

extension OutputFormat: ExpressibleByArgument {}

/// A subcommand: its properties are its arguments, and it does its own work.
protocol BenchCommand: AsyncParsableCommand {
  /// Takes what the repository's defaults give, where neither options nor a file of the command do.
  mutating func takeDefaults() throws

  /// Does the work; the outcome is printed, and its exit code ends the process.
  func outcome() async throws -> Outcome
}

extension BenchCommand {
  /// Most commands have no settings that a repository could give.
  mutating func takeDefaults() throws {}

  func run() async throws {
    try await Terminal.run {
      var command = self
      try command.takeDefaults()
      return try await command.outcome()
    }
  }
}

/// The recordings of a command.
struct DatasetOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Folders of datasets, their dataset.yaml, or recordings.",
      discussion:
        "With several datasets, each is a source: every metric is the mean over the sources.",
      valueName: "dataset"), completion: .folder)
  var datasets: [String] = []

  @Option(help: ArgumentHelp("Use only the sequences of one split.", valueName: "NAME"))
  var split: String?

  @OptionGroup var sources: SourceOptions

  /// Takes the repository's dataset if none is given, and says what was taken from the defaults.
  ///
  /// - Returns: the defaults, with what was taken.
  mutating func takeDefaults(_ defaults: DefaultsOption) throws -> DefaultsOption {
    var defaults = defaults
    if datasets.isEmpty { datasets = [try defaults.dataset("")] }
    defaults.say()
    return defaults
  }

  /// Opens the datasets.
  ///
  /// - Throws: an error for datasets that do not exist or cannot be told apart.
  func collection() throws -> DatasetCollection {
    try DatasetCollection(opening: datasets, split: split, sourceTag: sources.sourceTag)
  }
}

/// The tag that tells sources apart within a dataset.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A tag of the manifest that tells sources apart within a dataset.", valueName: "KEY"))
  var sourceTag: String?
}

/// The detector and its parameters.
struct DetectorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "article, gravity, scaled, trunk, coach, profile (2D poses), or a detector file (default: \(BenchDetector.standard)).",
      discussion: "`planklab detectors` lists the built-in ones.", valueName: "NAME|FILE.yaml"),
    completion: .detector)
  var detector: String?

  @Option(
    help: ArgumentHelp(
      "Detector and parameters that `planklab tune` wrote.", valueName: "THRESHOLDS.json"),
    completion: .file(extensions: ["json"]))
  var parameters: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a parameter, e.g. sag=3cm or plank_frames=5; may be repeated.", valueName: "key=value"),
    completion: .assignment)
  var assignments: [String] = []

  @OptionGroup var defaults: DefaultsOption

  /// Takes the repository's detector for a command that neither smooths nor debounces.
  mutating func takeDefaults() throws {
    _ = try filled(AnswerSettings(), smooths: false, debounces: false)
  }

  /// Takes the repository's detector and smoothing for a command that does not debounce otherwise.
  ///
  /// - Returns: the smoothing to use.
  mutating func takeDefaults(_ smoother: SmoothingOptions) throws -> SmoothingOptions {
    var smoother = smoother
    smoother.smoothing = try filled(
      AnswerSettings(smoothing: smoother.smoothing), debounces: false
    ).smoothing
    return smoother
  }

  /// Takes the repository's detector, smoothing and debounce.
  ///
  /// - Returns: the strategies to use.
  mutating func takeDefaults(_ strategies: StrategyOptions) throws -> StrategyOptions {
    var strategies = strategies
    let filled = try filled(
      AnswerSettings(smoothing: strategies.smoothing, debounce: strategies.debounce))
    (strategies.smoother.smoothing, strategies.debounce) = (filled.smoothing, filled.debounce)
    return strategies
  }

  private mutating func filled(
    _ strategies: AnswerSettings, smooths: Bool = true, debounces: Bool = true
  ) throws -> AnswerSettings {
    var (own, defaults) = (strategies, defaults)
    (own.detector, own.parameters) = (detector, parameters)
    try defaults.read()
    let filled = defaults.filled(own, smooths: smooths, debounces: debounces)
    (detector, parameters, self.defaults) = (filled.detector, filled.parameters, defaults)
    return filled
  }

  /// The detector as given: the name, or else the thresholds file.
  var name: String { detector ?? parameters ?? BenchDetector.standard }

  /// Finds the detector for a command that does not smooth, and debounces only by the parameters.
  ///
  /// - Throws: as `BenchDetector.init`, and `usage` for thresholds with other smoothing or
  ///   debounce.
  func found() throws -> BatchDetector {
    try BenchDetector(detector, thresholds: parameters, assignments: assignments)
      .plain(named: name)
  }

  /// Finds the detector with smoothing and debounce: the given ones, or else those of the
  /// thresholds.
  ///
  /// - Throws: as `BenchDetector.init`.
  func found(
    _ strategies: StrategyOptions, _ calibration: CalibrationOptions? = nil
  ) throws -> BenchDetector {
    try BenchDetector(
      detector, thresholds: parameters, assignments: assignments,
      smoothing: strategies.smoothing, debounce: strategies.debounce,
      calibrate: calibration?.calibrate)
  }
}

/// How joints or measurements are smoothed.
struct SmoothingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Smooth joints or measurements, e.g. one-euro:minCutoff=1Hz,beta=0.5@joints (default: none).",
      discussion: "`planklab smoothers` lists all filters.", valueName: "STRATEGY"),
    completion: .smoothing)
  var smoothing: String?
}

/// How frames are smoothed and answers debounced.
struct StrategyOptions: ParsableArguments {
  @OptionGroup var smoother: SmoothingOptions

  @Option(
    help: ArgumentHelp(
      "Debounce answers, e.g. dwell:enter=0.3s,exit=0.5s (default: plank_frames and form_frames).",
      valueName: "STRATEGY"),
    completion: .debounce)
  var debounce: String?

  /// Whether any strategy is given.
  var isGiven: Bool { smoothing != nil || debounce != nil }

  /// The smoothing, if given.
  var smoothing: String? { smoother.smoothing }
}

/// Which seconds calibrate the detector.
struct CalibrationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Calibrate form to each person by a hold: first=2s, or confirmed.",
      discussion:
        "first=2s takes the first 2 s of a calm plank and assumes a straight body, or "
        + "first=2s,angle=175deg that angle; confirmed takes the seconds that dataset.yaml names. "
        + "Only the rest is scored.",
      valueName: "HOLD"))
  var calibrate: String?
}

/// Whether a result also gets a page.
struct PageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Also write the result as a page for a browser.",
      discussion: "One offline file; `planklab report` makes it from a saved JSON result.",
      valueName: "FILE"))
  var html: String?

  @OptionGroup var opening: OpenOption

  func validate() throws {
    if opening.open, html == nil {
      throw ValidationError("--open opens what --html writes; give --html FILE, too.")
    }
  }

  /// Refuses a place that the page must not take, before any work is done.
  ///
  /// - Parameter others: the files that the command writes beside it.
  /// - Throws: with the exit code `cannotCreate` for what a result never replaces, `usage` for a
  ///   file that is named twice.
  func check(beside others: [String?] = []) throws {
    guard let html else { return }
    try OutputFile.checkReport(html)
    try OutputFile.checkDistinct([html] + others.compactMap(\.self))
  }

  /// Writes the page where one is asked for.
  ///
  /// - Parameter viewer: what can be looked at frame by frame; nil for nothing.
  /// - Returns: what to say about it.
  /// - Throws: with the exit code `cannotCreate` for a file that cannot be written.
  func write(
    _ name: String, _ page: @autoclosure () throws -> ResultPage, viewer: ViewerData? = nil
  ) throws -> [String] {
    guard let html else { return [] }
    try ReportPage.write([SavedResult(name: name, page())], viewer: viewer, to: html)
    let frames = viewer.map {
      ", frame by frame for \(NumberText.count($0.sequenceCount, "sequence"))"
    }
    return ["wrote \(html)" + (frames ?? "")] + opening.show(html)
  }
}

extension PageOptions {
  /// Writes the page of a result where one is asked for.
  ///
  /// - Returns: a remark on the file; none without one.
  /// - Throws: with the exit code `cannotCreate` for a file that cannot be written.
  func write<Result>(
    _ envelope: ResultEnvelope<Result>, named name: String = Result.command
  ) throws -> [String] {
    try write(name, envelope.page)
  }
}

/// The format of a result, and its destination.
struct ResultOptions: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      "How to write the result.",
      discussion:
        "Without it, the ending of the output file decides: .json, .md or .html; otherwise text."
    ))
  var chosenFormat: OutputFormat?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the result to a file instead of stdout.", valueName: "FILE"))
  var output: String?

  /// The format that was asked for, or that the file's ending names.
  var format: OutputFormat {
    chosenFormat ?? output.flatMap(OutputFormat.init(file:)) ?? .text
  }

  /// Whether text may be colored.
  var usesColor: Bool { output == nil && Terminal.usesColor }

  /// Writes a result in the format asked for to its destination.
  ///
  /// - Parameters:
  ///   - text: what a terminal shows instead of the whole document; nil for the document.
  ///   - document: what Markdown and a terminal show; nil for the result's own.
  ///   - remarks: notes for stderr.
  /// - Throws: with the exit code `cannotCreate` for a file that cannot be written.
  func outcome<Result>(
    _ envelope: ResultEnvelope<Result>, text: Document? = nil,
    document: Document? = nil, remarks: [String] = [], status: ExitStatus = .success
  ) throws -> Outcome {
    try deliver(
      Outcome(
        envelope.formats(text: text, document: document).text(
          in: format, usesColor: usesColor),
        remarks: remarks, status: status))
  }

  /// Writes what is about no evaluation in the format asked for to its destination.
  ///
  /// - Parameters:
  ///   - remarks: notes for stderr.
  ///   - content: the value for programs.
  ///   - document: the value for people.
  /// - Throws: with the exit code `cannotCreate` for a file that cannot be written.
  func outcome(
    remarks: [String] = [], status: ExitStatus = .success,
    content: some Encodable, document: @autoclosure @escaping () -> Document
  ) throws -> Outcome {
    let formats = Formats(
      json: { JSONText.of(Versioned(content)) }, document: document, name: "planklab")
    return try deliver(
      Outcome(
        formats.text(in: format, usesColor: usesColor), remarks: remarks, status: status))
  }

  /// Refuses a place that a result must not take, before any work is done.
  func check() throws {
    if let output { try OutputFile.checkReport(output) }
  }

  /// Writes a result to its destination.
  func deliver(_ outcome: Outcome) throws -> Outcome {
    guard let output else { return outcome }
    try OutputFile.writeReport(outcome.text, to: output)
    var rest = outcome
    rest.text = ""
    rest.remarks.append("wrote \(output)")
    return rest
  }
}
