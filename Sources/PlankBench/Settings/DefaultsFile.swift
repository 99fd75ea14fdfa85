internal import ArgumentParser
internal import Platform
internal import PoseDatasets
internal import PoseModel

/// How answers are made, as options or a file say it; nil where they say nothing.
struct AnswerSettings: Hashable, Sendable {
  /// The detector's name or file.
  var detector: String?
  /// A thresholds file, which gives detector, numbers, smoothing and debounce.
  var parameters: String?
  /// The smoothing in text form.
  var smoothing: String?
  /// The debounce in text form.
  var debounce: String?
}

/// What a repository's commands use where neither the command line nor a file of theirs says.
///
/// ```yaml
/// dataset: planklab/recordings       # paths are relative to this file
/// detector: coach                    # or parameters: thresholds.json
/// smoothing: none
/// debounce: dwell:enter=0.3s,switch=0.3s,exit=0.5s
/// ```
struct DefaultsFile: Hashable, Sendable {
  /// The name of the file.
  static let fileName = "planklab.yaml"
  /// The environment variable that turns the file off if it holds `none`, for scripts.
  static let variable = "PLANKLAB_DEFAULTS"

  /// How answers are made.
  var answers = AnswerSettings()
  /// The dataset; nil for none.
  var dataset: String?
  /// The file and the lines of its values.
  let places: SettingPlaces

  private static let keys = ["dataset", "detector", "parameters", "smoothing", "debounce"]

  /// Reads a file's text; its paths become relative to the current folder.
  ///
  /// - Parameter file: its path, which errors name.
  /// - Throws: `FieldError` for a text that is not such a file.
  static func parse(_ text: String, file: String) throws -> DefaultsFile {
    let root = try YAMLDocument(text: text, file: file).root
    let map = try root.map()
    try map.rejectUnknownKeys(known: keys)
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    func seen(_ path: String) -> String { Experiment.path(path, in: folder) }
    var defaults = DefaultsFile(places: SettingPlaces(root))
    defaults.answers.detector = try map.optional("detector")?.string()
    if let name = defaults.answers.detector, BenchDetector.isFile(name) {
      defaults.answers.detector = seen(name)
    }
    if let node = map.optional("parameters") {
      guard map.optional("detector") == nil else {
        throw node.error(
          allowed: "`detector` or `parameters`, not both",
          remedy: "a thresholds file names its detector; remove `detector`")
      }
      defaults.answers.parameters = seen(try node.string())
    }
    defaults.answers.smoothing = try map.optional("smoothing")?.string()
    defaults.answers.debounce = try map.optional("debounce")?.string()
    if let path = try map.optional("dataset")?.string() { defaults.dataset = seen(path) }
    return defaults
  }

  /// Reads the file that applies to the current folder; nil if there is none.
  ///
  /// - Throws: with the exit code `badData` for a mistake in it, and for a detector, a smoothing or
  ///   a debounce that cannot be used.
  static func current() throws -> DefaultsFile? {
    guard ProcessInfo.processInfo.environment[variable] != "none", let path = try path() else {
      return nil
    }
    let defaults = try parse(InputText.read(path), file: path)
    try defaults.check()
    return defaults
  }

  /// Refuses what no command could use.
  private func check() throws {
    let detectorFile = answers.detector.flatMap { BenchDetector.isFile($0) ? $0 : nil }
    for (field, file) in [("parameters", answers.parameters), ("detector", detectorFile)] {
      guard let file, try !FileDescriptor.exists(file) else { continue }
      throw WorkflowFailure(
        .noInput,
        places.message(
          [field],
          "\(file): no such file; write its path relative to this file, or give --no-defaults"))
    }
    _ = try BenchDetector(
      answers.detector, thresholds: answers.parameters, smoothing: answers.smoothing,
      debounce: answers.debounce, source: .file(places))
  }

  /// Where the file is that applies to the current folder.
  ///
  /// It is looked for there and in the folders above it, up to the root of the git repository.
  /// Outside of a repository only the current folder counts, so that a stray file above it changes
  /// nothing.
  ///
  /// - Throws: with the exit code `cannotCreate` where the system does not tell how many folders
  ///   are above it, `noInput` where it does not tell what is in them: the file may be there.
  private static func path() throws -> String? {
    let current = FileManager.default.currentDirectoryPath
    guard !current.isEmpty else {
      throw OutputFile.unknownFolder(fileName, remedy: "give --no-defaults")
    }
    let depth = current.split(separator: "/").count
    let folders = (0...depth).map { String(repeating: "../", count: $0) }
    let root = try folders.firstIndex(where: isRoot) ?? 0
    return try folders[...root].map { $0 + fileName }.first(where: FileDescriptor.exists)
  }

  /// Whether a folder is the root of a git repository; one that nobody may look into is none.
  private static func isRoot(_ folder: String) throws -> Bool {
    do {
      return try FileDescriptor.exists(folder + ".git")
    } catch DatasetError.unreadableFile(_, EACCES), DatasetError.unreadableFile(_, EPERM) {
      return false
    }
  }
}

/// Whether a repository's defaults are used, and which were.
struct DefaultsOption: ParsableArguments {
  @Flag(
    name: .customLong("no-defaults"),
    help: ArgumentHelp(
      "Ignore planklab.yaml.",
      discussion: "It gives detector, smoothing, debounce and dataset where nothing else does."))
  var isOff = false

  /// The file; nil if there is none or it is ignored.
  private(set) var file: DefaultsFile?
  /// What was taken from it, as `key value`, in the order in which it was taken.
  private(set) var taken: [String] = []

  private enum CodingKeys: CodingKey { case isOff }

  /// Reads the file, unless it is ignored.
  ///
  /// - Throws: as `DefaultsFile.current`.
  mutating func read() throws {
    if !isOff { file = try DefaultsFile.current() }
  }

  /// The settings of a command, with the defaults where it has none.
  ///
  /// A thresholds file that the command names gives everything; a detector that it names leaves the
  /// default smoothing and debounce in place.
  ///
  /// - Parameters:
  ///   - smooths: whether the command can smooth.
  ///   - debounces: whether the command can debounce.
  mutating func filled(
    _ own: AnswerSettings, smooths: Bool = true, debounces: Bool = true
  ) -> AnswerSettings {
    guard let file, own.parameters == nil else { return own }
    var filled = own
    if own.detector == nil {
      filled.detector = take("detector", file.answers.detector)
      filled.parameters = take("parameters", file.answers.parameters)
    }
    if smooths { filled.smoothing = own.smoothing ?? take("smoothing", file.answers.smoothing) }
    if debounces { filled.debounce = own.debounce ?? take("debounce", file.answers.debounce) }
    return filled
  }

  /// The dataset of a command; the repository's if it names none.
  ///
  /// - Parameter own: the one that the command names; empty for none.
  /// - Throws: with the exit code `usage` where the file has none either.
  mutating func dataset(_ own: String) throws -> String {
    guard own.isEmpty else { return own }
    guard let dataset = take("dataset", file?.dataset) else {
      throw WorkflowFailure(
        .usage,
        "which data? give a dataset, or name one in \(DefaultsFile.fileName) as `dataset: FOLDER`")
    }
    return dataset
  }

  private mutating func take(_ key: String, _ value: String?) -> String? {
    guard let value else { return nil }
    let text = "\(key) \(value)"
    if !taken.contains(text) { taken.append(text) }
    return value
  }

  /// What was taken, in words; nil for nothing.
  var sentence: String? {
    guard let file, !taken.isEmpty else { return nil }
    return "\(file.places.file): \(taken.joined(separator: ", "))"
  }

  /// Says on stderr what was taken.
  func say() {
    if let sentence { Terminal.say("defaults from \(sentence)") }
  }
}
