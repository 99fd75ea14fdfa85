internal import ArgumentParser
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import Reports

/// The settings of a detector as somebody wrote them; nil stands for the default.
struct AnswerSettings: Hashable, Sendable {
  var detector: String?
  /// A thresholds file.
  var parameters: String?
  var assignments: [String] = []
  var smoothing: String?
  var debounce: String?
  var calibrate: String?
  var ignoresDefaults = false

  /// The same settings as options of a command, each with its value if it has one.
  var options: [[String]] {
    OptionWords.pairs(
      [("--detector", detector), ("--parameters", parameters)] + assignments.map { ("--set", $0) }
        + [("--smoothing", smoothing), ("--debounce", debounce), ("--calibrate", calibrate)])
      + (ignoresDefaults ? [[DefaultsOption.off]] : [])
  }
}

/// The defaults of the commands in a repository.
///
/// ```yaml
/// dataset: planklab/recordings       # paths are relative to this file
/// detector: coach                    # or parameters: thresholds.json
/// smoothing: none
/// debounce: dwell:enter=0.3s,switch=0.3s,exit=0.5s
/// ```
struct DefaultsFile: Hashable, Sendable {
  static let fileName = "planklab.yaml"
  static let variable = "PLANKLAB_DEFAULTS"

  var answers = AnswerSettings()
  var dataset: String?
  let places: SettingPlaces

  private static let keys = ["dataset", "detector", "parameters", "smoothing", "debounce"]

  static func parse(_ text: String, file: String) throws -> DefaultsFile {
    let root = try YAMLDocument(text: text, file: file).root
    let map = try root.map()
    try map.rejectUnknownKeys(known: keys)
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    func seen(_ path: String) -> String { Experiment.path(path, in: folder) }
    var defaults = DefaultsFile(places: SettingPlaces(root))
    defaults.answers.detector = try map.text("detector")
    if let name = defaults.answers.detector, BenchDetector.isFile(name) {
      defaults.answers.detector = seen(name)
    }
    if let node = map.optional("parameters") {
      try node.require(
        map.optional("detector") == nil, allowed: "`detector` or `parameters`, not both",
        remedy: "a thresholds file names its detector; remove `detector`")
      defaults.answers.parameters = seen(try node.string())
    }
    defaults.answers.smoothing = try map.text("smoothing")
    defaults.answers.debounce = try map.text("debounce")
    if let path = try map.text("dataset") { defaults.dataset = seen(path) }
    return defaults
  }

  static func current() throws -> DefaultsFile? {
    guard ProcessInfo.processInfo.environment[variable] != "none", let path = try path() else {
      return nil
    }
    let defaults = try parse(InputText.read(path), file: path)
    try defaults.check()
    return defaults
  }

  private func check() throws {
    let detectorFile = answers.detector.flatMap { BenchDetector.isFile($0) ? $0 : nil }
    for (field, file) in [("parameters", answers.parameters), ("detector", detectorFile)] {
      guard let file, try !FileDescriptor.exists(file) else { continue }
      throw places.failure(
        [field],
        "\(file): no such file; write its path relative to this file, or give --no-defaults",
        status: .noInput)
    }
    _ = try BenchDetector(answers, source: .file(places))
  }

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

  private static func isRoot(_ folder: String) throws -> Bool {
    do {
      return try FileDescriptor.exists(folder + ".git")
    } catch DatasetError.unreadableFile(_, EACCES), DatasetError.unreadableFile(_, EPERM) {
      return false
    }
  }
}

struct DefaultsOption: ParsableArguments {
  @Flag(
    name: .customLong("no-defaults"),
    help: ArgumentHelp(
      "Ignore planklab.yaml.",
      discussion:
        "That file supplies the detector, smoothing, debounce and dataset that you do not specify."
    ))
  var isOff = false

  static let off = "--no-defaults"

  var words: [String] { isOff ? [Self.off] : [] }

  private(set) var file: DefaultsFile?
  private(set) var taken: [String] = []
  private var ignored: [String] = []

  private enum CodingKeys: CodingKey { case isOff }

  mutating func read() throws { if !isOff { file = try DefaultsFile.current() } }

  /// Fills in nothing if the command names thresholds, and only smoothing and debounce if it names
  /// a detector.
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
    ignored =
      (smooths ? [] : [file.answers.smoothing.map { "smoothing \($0)" }].compactMap(\.self))
      + (debounces ? [] : [file.answers.debounce.map { "debounce \($0)" }].compactMap(\.self))
    return filled
  }

  mutating func parameters() -> String? { take("parameters", file?.answers.parameters) }

  mutating func dataset(_ own: String) throws -> String {
    guard own.isEmpty else { return own }
    let dataset = try require(
      take("dataset", file?.dataset), .usage,
      "no dataset given; give one, or name it in \(DefaultsFile.fileName) as `dataset: FOLDER`")
    return dataset
  }

  private mutating func take(_ key: String, _ value: String?) -> String? {
    guard let value else { return nil }
    let text = "\(key) \(value)"
    if !taken.contains(text) { taken.append(text) }
    return value
  }

  var sentence: String? {
    guard let file, !taken.isEmpty || !ignored.isEmpty else { return nil }
    let left = ignored.isEmpty ? [] : ["not applied here: \(ignored.joined(separator: ", "))"]
    let parts = (taken.isEmpty ? [] : [taken.joined(separator: ", ")]) + left
    return "\(file.places.file): \(parts.joined(separator: "; "))"
  }

  func say() { if let sentence { Terminal.say("defaults from \(sentence)") } }
}

struct SettingPlaces: Hashable, Sendable {
  let file: String
  private(set) var lines: [String: Int] = [:]

  func line(of field: String) -> Int? { lines[field] }

  fileprivate mutating func add(_ node: YAMLNode) {
    lines[node.field] = node.line
    switch node.content {
    case .scalar: break
    case .sequence(let elements): for element in elements { add(element) }
    case .mapping(let entries): for entry in entries { add(entry.value) }
    }
  }

  func message(_ fields: [String], _ problem: String) -> String {
    for field in fields {
      if let line = lines[field] { return "\(file):\(line): `\(field)`: \(problem)" }
    }
    return "\(file): \(problem)"
  }

  func failure(
    _ fields: [String], _ problem: String, status: ExitStatus = .badData
  ) -> WorkflowFailure {
    WorkflowFailure(status, message(fields, problem))
  }
}

extension SettingPlaces {
  init(_ root: YAMLNode) {
    self.init(file: root.file)
    add(root)
  }
}

enum ChoiceSource: Hashable, Sendable {
  case options
  case file(SettingPlaces)

  func failure(
    option: String?, text: String? = nil, fields: [String], _ problem: String
  ) -> WorkflowFailure {
    switch self {
    case .options:
      WorkflowFailure(
        .usage,
        (option.map { [$0, text].compactMap(\.self).joined(separator: " ") + ": " } ?? "") + problem
      )
    case .file(let places):
      places.failure(fields, (text.map { "`\($0)`: " } ?? "") + problem)
    }
  }

  /// Reads the text of an option, or of the field with the same name.
  func reading<Value>(
    _ name: String, _ text: String, advice: String = "", _ read: () throws -> Value
  ) throws -> Value {
    do {
      return try read()
    } catch {
      throw failure(option: "--" + name, text: text, fields: [name], "\(error)" + advice)
    }
  }
}

enum Assignments {
  /// Refuses a key that is set twice, because its intended value is unknown.
  static func checkRepeats(
    _ assignments: [String], option: String, source: ChoiceSource = .options
  ) throws {
    var seen: [Substring: String] = [:]
    for (index, assignment) in assignments.enumerated() {
      let key = assignment.prefix { $0 != "=" }
      guard let earlier = seen.updateValue(assignment, forKey: key) else { continue }
      throw source.failure(
        option: option, text: assignment, fields: ["set[\(index)]"],
        "`\(key)` is already set by \(earlier); keep one of them")
    }
  }
  static func set(
    _ assignments: [String], in parameters: inout ParameterValues, source: ChoiceSource
  ) throws {
    try checkRepeats(assignments, option: "--set", source: source)
    for (index, assignment) in assignments.enumerated() {
      do {
        try parameters.set(assignment)
      } catch {
        throw source.failure(
          option: "--set", text: assignment, fields: ["set[\(index)]"], "\(error)")
      }
    }
  }
}
