public import ArgumentParser
internal import PlankDetection
internal import PoseModel
internal import Reports

extension OutputFormat: ExpressibleByArgument {}

protocol BenchCommand: AsyncParsableCommand {
  mutating func takeDefaults() throws

  func outcome() async throws -> Outcome
}

protocol ReportingCommand: BenchCommand {
  static var hasCSV: Bool { get }

  var result: ResultOptions { get }
}

extension ReportingCommand {
  static var hasCSV: Bool { false }

  fileprivate func checkFormat() throws {
    guard result.format == .csv, !Self.hasCSV else { return }
    throw WorkflowFailure(
      .usage,
      "--format csv: only `planklab evaluate` has CSV; give --format json, which has all numbers")
  }
}

extension BenchCommand {
  mutating func takeDefaults() throws {}

  func run() async throws {
    try await Terminal.run {
      var command = self
      try command.takeDefaults()
      if let reporting = command as? any ReportingCommand { try reporting.checkFormat() }
      return try await command.outcome()
    }
  }
}

struct DatasetOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Dataset folders, dataset.yaml files, or recordings.",
      discussion:
        "With several datasets, each is a source, and every metric is the mean over the sources.",
      valueName: "dataset"), completion: .folder)
  var datasets: [String] = []

  @Option(help: ArgumentHelp("Use only the sequences in one split.", valueName: "NAME"))
  var split: String?

  @OptionGroup var sources: SourceOptions

  mutating func takeDefaults(_ defaults: DefaultsOption) throws -> DefaultsOption {
    var defaults = defaults
    if datasets.isEmpty { datasets = [try defaults.dataset("")] }
    defaults.say()
    return defaults
  }

  var words: [String] { datasets + options }

  var options: [String] {
    OptionWords.of([("--split", split), ("--source-tag", sources.sourceTag)])
  }

  func collection() throws -> DatasetCollection {
    try DatasetCollection(opening: datasets, split: split, sourceTag: sources.sourceTag)
  }
}

struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The manifest tag that distinguishes the sources within a dataset.", valueName: "KEY"))
  var sourceTag: String?
}

struct DetectorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "article, gravity, scaled, trunk, coach, profile (2D poses), or a detector file (default: \(BenchDetector.standard)).",
      discussion: "`planklab detectors` lists the built-in detectors.", valueName: "NAME|FILE.yaml"),
    completion: .detector)
  var detector: String?

  @Option(
    help: ArgumentHelp(
      "Use the detector, parameters, smoothing and debounce in a file that `planklab tune` "
        + "wrote.", valueName: "THRESHOLDS.json"),
    completion: .file(extensions: ["json"]))
  var parameters: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a parameter, e.g. plank_frames=5 or, for gravity, sag=3cm; may be repeated.",
      valueName: "key=value"),
    completion: .assignment)
  var assignments: [String] = []

  @OptionGroup var defaults: DefaultsOption

  mutating func takeDefaults() throws {
    _ = try filled(AnswerSettings(), smooths: false, debounces: false)
  }

  mutating func takeDefaults(_ smoother: SmoothingOptions) throws -> SmoothingOptions {
    var smoother = smoother
    smoother.smoothing = try filled(
      AnswerSettings(smoothing: smoother.smoothing), debounces: false
    ).smoothing
    return smoother
  }

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

  var name: String { detector ?? parameters ?? BenchDetector.standard }

  func settings(
    _ strategies: StrategyOptions? = nil, _ calibration: CalibrationOptions? = nil
  ) -> AnswerSettings {
    AnswerSettings(
      detector: detector, parameters: parameters, assignments: assignments,
      smoothing: strategies?.smoothing, debounce: strategies?.debounce,
      calibrate: calibration?.calibrate, ignoresDefaults: defaults.isOff)
  }

  func found() throws -> BatchDetector { try BenchDetector(settings()).plain(named: name) }
}

struct SmoothingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Smooth joints or measurements, e.g. one-euro:minCutoff=1Hz,beta=0.5@joints (default: none).",
      discussion: "`planklab smoothers` lists all filters.", valueName: "STRATEGY"),
    completion: .smoothing)
  var smoothing: String?
}

struct StrategyOptions: ParsableArguments {
  @OptionGroup var smoother: SmoothingOptions

  @Option(
    help: ArgumentHelp(
      "Debounce answers, e.g. dwell:enter=0.3s,exit=0.5s (default: plank_frames and form_frames).",
      valueName: "STRATEGY"), completion: .debounce)
  var debounce: String?

  var isGiven: Bool { smoothing != nil || debounce != nil }

  var smoothing: String? { smoother.smoothing }
}

struct CalibrationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Calibrate form to each person, using a hold: first=2s or confirmed.",
      discussion: "first=2s uses the first 2 s of a steady plank and assumes a straight body; "
        + "first=2s,angle=175deg assumes that angle; confirmed uses the seconds given in "
        + "dataset.yaml. The hold itself is not scored, nor is the form before it.",
      valueName: "HOLD"))
  var calibrate: String?
}

struct PageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Also write the result as a page for a browser.",
      discussion:
        "The page is a single file that works offline. `planklab report` can make a page later "
        + "from a saved JSON result, but it cannot show individual frames.",
      valueName: "FILE"))
  var html: String?

  @OptionGroup var opening: OpenOption

  func validate() throws {
    if opening.open, html == nil {
      throw ValidationError("--open opens the page that --html writes; also give --html FILE.")
    }
  }

  func check(beside others: [String?] = []) throws {
    guard let html else { return }
    try OutputFile.checkReport(html)
    try OutputFile.checkDistinct([html] + others.compactMap(\.self))
  }

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

  func write<Result>(
    _ envelope: ResultEnvelope<Result>, named name: String = Result.command
  ) throws -> [String] {
    try write(name, envelope.page)
  }
}

enum OptionWords {
  static func pairs(_ named: [(flag: String, value: String?)]) -> [[String]] {
    named.compactMap { flag, value in value.map { [flag, $0] } }
  }

  static func of(_ named: [(flag: String, value: String?)]) -> [String] {
    pairs(named).flatMap(\.self)
  }
}

enum PictureFile {
  private static let otherKinds = [".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf"]

  static func path(_ path: String) throws -> String {
    guard !otherKinds.contains(where: path.lowercased().hasSuffix) else {
      throw ValidationError("\(path): pictures are SVG files; give a name that ends in .svg")
    }
    return path
  }
}

struct ResultOptions: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      "The format of the result.",
      discussion:
        "By default, the output file's extension selects the format: .json, .md or .html. "
        + "Otherwise, the format is text."
    ))
  var chosenFormat: OutputFormat?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the result to a file instead of stdout.", valueName: "FILE"))
  var output: String?

  var format: OutputFormat { chosenFormat ?? output.flatMap(OutputFormat.init(file:)) ?? .text }

  var usesColor: Bool { output == nil && Terminal.usesColor }

  func outcome<Result>(
    _ envelope: ResultEnvelope<Result>, text: Document? = nil,
    document: Document? = nil, remarks: [String] = [], status: ExitStatus = .success
  ) throws -> Outcome {
    try deliver(
      Outcome(
        envelope.formats(text: text, document: document).text(in: format, usesColor: usesColor),
        remarks: remarks, status: status))
  }

  func outcome(
    remarks: [String] = [], status: ExitStatus = .success,
    content: some Encodable, version: Int = 1, document: @autoclosure @escaping () -> Document,
    name: String = "planklab"
  ) throws -> Outcome {
    let formats = Formats(
      json: { JSONText.of(Versioned(content, version: version)) }, document: document, name: name)
    return try deliver(
      Outcome(formats.text(in: format, usesColor: usesColor), remarks: remarks, status: status))
  }

  func check() throws { if let output { try OutputFile.checkReport(output) } }

  func deliver(_ outcome: Outcome) throws -> Outcome {
    guard let output else { return outcome }
    try OutputFile.writeReport(outcome.text, to: output)
    var rest = outcome
    rest.text = ""
    rest.remarks.append("wrote \(output)")
    return rest
  }
}

/// Reads the forms `80`, `80.5`, `1:20.5`, `0:01:20.5` and `-1:20`; prints seconds, which can be
/// pasted back.
struct Moment: Hashable, Sendable, CustomStringConvertible, ExpressibleByArgument {
  let seconds: Double

  /// Of two or three parts with colons, all but the last are whole numbers, and all but the first
  /// are below 60.
  init?(argument text: String) {
    let isNegative = text.hasPrefix("-") && text.contains(":")
    let parts = text.dropFirst(isNegative ? 1 : 0)
      .split(separator: ":", omittingEmptySubsequences: false)
    guard let last = parts.last, let rest = Self.decimal(last), parts.count <= 3 else { return nil }
    guard parts.count > 1 else {
      seconds = rest
      return
    }
    guard (0..<60).contains(rest), !last.hasPrefix("-") else { return nil }
    var minutes = 0
    for (place, part) in parts.dropLast().enumerated() {
      guard part.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
        let number = Int(part), number < (place == 0 ? 1_000_000 : 60)
      else { return nil }
      minutes = minutes * 60 + number
    }
    seconds = (isNegative ? -1 : 1) * (Double(minutes) * 60 + rest)
  }

  /// Nil for forms that only a program would write, such as `0x1p3`.
  private static func decimal(_ text: Substring) -> Double? {
    guard text.allSatisfy({ "0123456789.-+eE".contains($0) }), let number = Double(text),
      number.isFinite
    else { return nil }
    return number
  }

  var description: String { NumberText.shortest(seconds) }
}

extension PoseModel.AnswerStream: ArgumentParser.ExpressibleByArgument {}
