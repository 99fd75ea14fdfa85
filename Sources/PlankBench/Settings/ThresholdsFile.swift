internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Tuning

struct Thresholds: Hashable, Sendable {
  var definition: DetectorDefinition
  var parameters: ParameterValues
  var smoothing: SmoothingChoice
  var debounce: DebounceStrategy

  var debounceText: String { debounce.text(parameters: definition.parameters) }

  /// The smoothing is a setting of both streams.
  func differences(from other: Thresholds, _ stream: AnswerStream) -> Int {
    func variant(_ side: Thresholds) -> DetectorVariant {
      DetectorVariant(side.definition, base: side.parameters, debounce: side.debounce)
    }
    return variant(self).differences(from: variant(other), stream)
      + (smoothing == other.smoothing ? 0 : 1)
  }
}

/// Thresholds in a file: JSON as `planklab tune` writes it, or the same written by hand.
///
/// ```json
/// {
///   "format": "planklab-thresholds",
///   "schema_version": 1,
///   "detector": "gravity",
///   "smoothing": "none",
///   "debounce": "parameters",
///   "parameters": {"sag": 0.01, "pike": "11.5cm", "plank_frames": 5}
/// }
/// ```
///
/// `detector` is the name of a built-in detector or a complete detector in the form of detector
/// files. Missing `parameters` have the detector's defaults. `evidence` is for people and is not
/// read.
extension Thresholds: Codable {
  static let format = "planklab-thresholds"
  static let schemaVersion = 1

  enum CodingKeys: String, CodingKey, CaseIterable {
    case format
    case schemaVersion = "schema_version"
    case detector, smoothing, debounce, parameters, evidence
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.checkFormat(
      (.format, Self.format), (.schemaVersion, Self.schemaVersion),
      remedy: "use the planklab that wrote the file, or a newer one")
    let definition = try Self.detector(container)
    var parameters = definition.defaults
    let values = try container.decode([String: YAMLNode].self, forKey: .parameters)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      let text = try value.string()
      try FieldError.at(value.field) { try parameters.set("\(key)=\(text)") }
    }
    self.init(
      definition: definition, parameters: parameters,
      smoothing: try container.setting(.smoothing) { try SmoothingChoice(text: $0) } ?? .none,
      debounce: try container.setting(.debounce) {
        try DebounceStrategy(text: $0, parameters: definition.parameters)
      } ?? .parameters)
  }

  private static func detector(
    _ container: KeyedDecodingContainer<CodingKeys>
  ) throws -> DetectorDefinition {
    let node = try container.decode(YAMLNode.self, forKey: .detector)
    guard case .scalar = node.content else { return try DetectorSpecification.definition(node) }
    let name = try node.string()
    guard let definition = DetectorDefinition.builtIn(named: name) else {
      throw node.unknown(
        "detector", name, among: DetectorDefinition.builtIn.map(\.name),
        remedy: "give a built-in detector's name, or put the detector itself here as an object")
    }
    return definition
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.format, forKey: .format)
    try container.encode(Self.schemaVersion, forKey: .schemaVersion)
    try container.encode(DetectorSpecification.Stored(definition), forKey: .detector)
    try container.encode(smoothing.text, forKey: .smoothing)
    try container.encode(debounceText, forKey: .debounce)
    let values = parameters.entries.map { ($0.definition.key.rawValue, $0.value) }
    try container.encode(Dictionary(uniqueKeysWithValues: values), forKey: .parameters)
  }
}

extension KeyedDecodingContainer {
  fileprivate func setting<Value>(_ key: Key, _ read: (String) throws -> Value) throws -> Value? {
    try decodeIfPresent(String.self, forKey: key).map { text in
      try FieldError.at(FieldError.field(codingPath + [key])) { try read(text) }
    }
  }
}

extension FieldError {
  fileprivate static func at<Value>(
    _ field: String, _ read: () throws -> Value
  ) throws(FieldError) -> Value {
    do {
      return try read()
    } catch {
      throw FieldError(field: field, problem: "\(error)")
    }
  }
}

extension YAMLNode: Decodable {
  /// Builds the tree that readers of detector files use from a JSON value.
  ///
  /// `JSONDocument` adds the file and the lines to the readers' errors.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func plain(_ text: String) -> Content { .scalar(text: text, isPlain: true) }
    let content: Content
    if container.decodeNil() {
      content = plain("null")
    } else if let value = try? container.decode(Bool.self) {
      content = plain("\(value)")
    } else if let value = try? container.decode(Int.self) {
      content = plain("\(value)")
    } else if let value = try? container.decode(Double.self) {
      content = plain(NumberText.shortest(value))
    } else if let text = try? container.decode(String.self) {
      content = .scalar(text: text, isPlain: false)
    } else if let items = try? container.decode([YAMLNode].self) {
      content = .sequence(items)
    } else {
      content = .mapping(
        try container.decode([String: YAMLNode].self).sorted { $0.key < $1.key }
          .map { YAMLEntry(key: $0.key, line: 0, value: $0.value) })
    }
    self.init(content: content, file: "", line: 0, field: FieldError.field(decoder.codingPath))
  }
}

struct ThresholdsFile: Encodable {
  let thresholds: Thresholds
  let evidence: any Encodable

  func encode(to encoder: any Encoder) throws {
    try thresholds.encode(to: encoder)
    var container = encoder.container(keyedBy: Thresholds.CodingKeys.self)
    try container.encode(evidence, forKey: .evidence)
  }

  func write(to path: String, holding what: String, data: [String]) throws -> [String] {
    try OutputFile.writeReport(JSONText.of(self), to: path, mayReplaceThresholds: true)
    let words = (data + ["--parameters", path]).map(ShellWord.quoted).joined(separator: " ")
    return ["wrote \(path): \(what)", "next: planklab evaluate \(words)"]
  }

  static func read(_ path: String) throws -> Thresholds {
    let text = try InputText.read(path)
    return try parse(text, file: path)
  }

  static func isThere(_ path: String) throws -> Bool {
    guard try OutputFile.isFile(path) else { return false }
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw OutputFile.unread(path)
    }
    return (try? parse(String(decoding: data, as: UTF8.self), file: path)) != nil
  }

  static func parse(_ text: String, file: String) throws(FieldError) -> Thresholds {
    let document = try JSONDocument(text, file: file)
    if document.keys.contains("result") {
      throw FieldError(
        file: file, line: nil, field: "result", found: "the result of a command",
        allowed: "a thresholds file",
        remedy: "write one with `planklab tune EXPERIMENT --thresholds FILE.json`")
    }
    try document.rejectUnknownKeys(known: Thresholds.CodingKeys.allCases.map(\.rawValue))
    return try document.decode(Thresholds.self)
  }
}

extension DetectorSpecification {
  struct Stored: Encodable {
    private let definition: DetectorDefinition

    init(_ definition: DetectorDefinition) { self.definition = definition }

    private enum CodingKeys: CodingKey {
      case name, description, axes, measurements, parameters, plank, form
    }

    private struct StoredRule: Encodable {
      let rule: Rule

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let label = rule.label.name
        guard !rule.predicates.isEmpty else { return try container.encode(label) }
        try container.encode([label: rule.predicates.map { "\($0)" }])
      }
    }

    func encode(to encoder: any Encoder) throws {
      guard DetectorDefinition.builtIn(named: definition.name) != definition else {
        var container = encoder.singleValueContainer()
        return try container.encode(definition.name)
      }
      let parameters = definition.customParameters.map {
        ($0.key.rawValue, ParameterListing($0, hasKey: false))
      }
      let measurements = definition.expressions.map { ($0.name, $0.definition) }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(definition.name, forKey: .name)
      try container.encode(definition.summary, forKey: .description)
      try container.encode(definition.axes.rawValue, forKey: .axes)
      try container.encode(Dictionary(uniqueKeysWithValues: measurements), forKey: .measurements)
      try container.encode(Dictionary(uniqueKeysWithValues: parameters), forKey: .parameters)
      try container.encode(definition.plank.rules.map(StoredRule.init), forKey: .plank)
      try container.encode(definition.form.rules.map(StoredRule.init), forKey: .form)
    }
  }
}

extension BenchDetector {
  func differences(from other: BenchDetector, _ stream: AnswerStream) -> Int {
    func judging(_ side: BenchDetector) -> Thresholds {
      var thresholds = side.thresholds
      thresholds.definition = side.judging
      return thresholds
    }
    return judging(self).differences(from: judging(other), stream)
      + (calibrating == other.calibrating ? 0 : 1)
  }
}
