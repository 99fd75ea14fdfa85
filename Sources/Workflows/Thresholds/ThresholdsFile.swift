internal import ParameterTuning
internal import PlankDetection
internal import PoseModel
internal import Reporting
internal import Smoothing
internal import Specifications

/// Thresholds files: what `tune` writes and `evaluate` and `export` read.
enum ThresholdsFile {
  /// The text of a recommendation with its evidence.
  static func text(_ found: TunedDetector, _ result: TuningResult) -> String {
    text(found.thresholds, evidence: result.json)
  }

  /// The text of thresholds.
  static func text(_ thresholds: Thresholds, evidence: JSONValue?) -> String {
    let values = thresholds.parameters.facts()
    var members: [String: JSONValue] = [
      "format": .string(ThresholdsSpecification.format),
      "schema_version": .integer(ThresholdsSpecification.schemaVersion),
      "detector": detector(thresholds.definition), "smoothing": .string(thresholds.smoothing.text),
      "debounce": .string(thresholds.debounceText), "parameters": values.json,
    ]
    if let evidence { members["evidence"] = evidence }
    return JSONValue.object(members).text
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

  /// The name of a built-in detector, or all of another one.
  static func detector(_ definition: DetectorDefinition) -> JSONValue {
    guard DetectorDefinition.builtIn(named: definition.name) != definition else {
      return .string(definition.name)
    }
    let custom = definition.parameters.filter { ParameterCatalogue.definition(of: $0.key) != $0 }
    return .object([
      "name": .string(definition.name), "description": .string(definition.summary),
      "axes": .string(definition.axes.rawValue),
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
        let label = list.stream.labels[Int(rule.label)]
        guard !rule.predicates.isEmpty else { return .string(label) }
        return .object([label: .array(rule.predicates.map { .string("\($0)") })])
      })
  }
}
