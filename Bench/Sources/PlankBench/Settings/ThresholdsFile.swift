internal import ParameterTuning
@_spi(Bench) internal import PlankDetection
internal import PoseDatasets
@_spi(Bench) internal import PoseModel

/// A tuned detector as a file stores it: rules, numbers and smoothing, ready to ship.
struct Thresholds: Hashable, Sendable {
  /// The detector.
  let definition: DetectorDefinition
  /// A value for each of its parameters.
  let parameters: ParameterValues
  /// The smoothing in front of the rules.
  let smoothing: SmoothingChoice
  /// The debounce of raw labels.
  let debounce: DebounceStrategy

  /// Makes thresholds.
  init(
    definition: DetectorDefinition, parameters: ParameterValues, smoothing: SmoothingChoice,
    debounce: DebounceStrategy
  ) {
    self.definition = definition
    self.parameters = parameters
    self.smoothing = smoothing
    self.debounce = debounce
  }

  /// The debounce in text form.
  var debounceText: String { debounce.text(parameters: definition.parameters) }
}

/// Reads a thresholds file: JSON as `planklab tune` writes it, or the same written by hand.
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
/// files. Parameters that are left out of `parameters` have the detector's defaults. `evidence` is
/// for people and is not read. JSON is read as YAML, of which it is a subset, so that errors have
/// lines.
enum ThresholdsSpecification {
  /// The word that identifies such files.
  static let format = "planklab-thresholds"
  /// The version that is written and read.
  static let schemaVersion = 1
  private static let keys = [
    "format", "schema_version", "detector", "smoothing", "debounce", "parameters",
    "evidence",
  ]

  /// Reads a file's text.
  ///
  /// - Parameter file: its name in errors.
  /// - Throws: `YAMLError` with file, line and remedy for every mistake.
  static func parse(_ text: String, file: String) throws(YAMLError) -> Thresholds {
    let root = try YAMLDocument(text: text, file: file).root
    let map = try root.map()
    _ = try map.required("format").choice([(word: format, value: ())])
    let version = try map.required("schema_version")
    guard try version.integer() == schemaVersion else {
      throw version.error(
        allowed: "\(schemaVersion)", remedy: "use the planklab that wrote the file, or a newer one")
    }
    try map.rejectUnknownKeys(known: keys)
    let definition = try detector(map.required("detector"))
    var values = definition.defaults
    for entry in try map.required("parameters").map().entries {
      do {
        try values.set("\(entry.key)=\(try entry.value.string())")
      } catch let error as YAMLError {
        throw error
      } catch {
        throw entry.value.error(error)
      }
    }
    return Thresholds(
      definition: definition, parameters: values, smoothing: try smoothing(map),
      debounce: try debounce(map, definition))
  }

  private static func smoothing(_ map: YAMLMap) throws(YAMLError) -> SmoothingChoice {
    guard let node = map.optional("smoothing") else { return .none }
    let text = try node.string()
    do {
      return try SmoothingChoice(text: text)
    } catch {
      throw node.error(error)
    }
  }

  private static func debounce(
    _ map: YAMLMap, _ definition: DetectorDefinition
  ) throws(YAMLError) -> DebounceStrategy {
    guard let node = map.optional("debounce") else { return .parameters }
    let text = try node.string()
    do {
      return try DebounceStrategy(text: text, parameters: definition.parameters)
    } catch {
      throw node.error(error)
    }
  }

  private static func detector(_ node: YAMLNode) throws(YAMLError) -> DetectorDefinition {
    guard case .scalar(let name, _) = node.content else {
      return try DetectorSpecification.definition(node)
    }
    guard let definition = DetectorDefinition.builtIn(named: name) else {
      throw node.unknown(
        "detector", name, among: DetectorDefinition.builtIn.map(\.name),
        remedy: "give a built-in detector's name, or put the detector itself here as a map")
    }
    return definition
  }
}

/// Thresholds files, which `tune` writes and `evaluate` and `export` read.
enum ThresholdsFile {
  /// The text of a recommendation with its evidence.
  static func text(_ found: TunedDetector, _ result: TuningResult) -> String {
    text(found.thresholds, evidence: result.json)
  }

  /// The text of thresholds.
  static func text(_ thresholds: Thresholds, evidence: JSONValue?) -> String {
    json(thresholds, evidence: evidence).text
  }

  /// Thresholds as a value.
  static func json(_ thresholds: Thresholds, evidence: JSONValue?) -> JSONValue {
    let values = thresholds.parameters.facts()
    var members: [String: JSONValue] = [
      "format": .string(ThresholdsSpecification.format),
      "schema_version": .integer(ThresholdsSpecification.schemaVersion),
      "detector": detector(thresholds.definition), "smoothing": .string(thresholds.smoothing.text),
      "debounce": .string(thresholds.debounceText), "parameters": values.json,
    ]
    if let evidence { members["evidence"] = evidence }
    return .object(members)
  }

  /// Reads a file.
  ///
  /// - Throws: `WorkflowFailure`: `noInput` for a missing file, `badData` for a mistake in it.
  static func read(_ path: String) throws(WorkflowFailure) -> Thresholds {
    let text = try InputText.read(path)
    do {
      return try ThresholdsSpecification.parse(text, file: path)
    } catch {
      throw WorkflowFailure(.badData, "\(error)")
    }
  }

  /// The name of a built-in detector, or the whole of another one.
  static func detector(_ definition: DetectorDefinition) -> JSONValue {
    guard DetectorDefinition.builtIn(named: definition.name) != definition else {
      return .string(definition.name)
    }
    let custom = definition.parameters.filter { ParameterCatalogue.definition(of: $0.key) != $0 }
    return .object([
      "name": .string(definition.name), "description": .string(definition.summary),
      "axes": .string(definition.axes.rawValue),
      "measurements": .object(
        Dictionary(
          uniqueKeysWithValues: definition.expressions.map {
            ($0.name, .string($0.definition))
          })),
      "parameters": .object(
        Dictionary(uniqueKeysWithValues: custom.map { ($0.key.rawValue, parameter($0)) })),
      "plank": list(definition.plank), "form": list(definition.form),
    ])
  }

  private static func parameter(_ definition: ParameterDefinition) -> JSONValue {
    .object([
      "unit": .string(definition.unit.rawValue), "default": .number(definition.defaultValue),
      "range": .array([
        .number(definition.range.lowerBound), .number(definition.range.upperBound),
      ]),
      "meaning": .string(definition.meaning),
    ])
  }

  private static func list(_ list: DecisionList) -> JSONValue {
    .array(
      list.rules.map { rule in
        let label = rule.label.name
        guard !rule.predicates.isEmpty else { return .string(label) }
        return .object([label: .array(rule.predicates.map { .string("\($0)") })])
      })
  }
}
