internal import PlankDetection
internal import Smoothing
package import YAMLDocuments

/// Reads a thresholds file: JSON as `planklab tune` writes it, or the same by hand.
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
/// `detector` is the name of a built-in one or, for others, all of it in the form of detector
/// files. Parameters that are left out of `parameters` have the detector's defaults. `evidence` is for people and
/// is not read. JSON is read as YAML, of which it is a part, so that errors have lines.
package enum ThresholdsSpecification {
  /// The word that tells such files.
  package static let format = "planklab-thresholds"
  /// The version that is written and read.
  package static let schemaVersion = 1
  private static let keys = [
    "format", "schema_version", "detector", "smoothing", "debounce", "parameters",
    "evidence",
  ]

  /// Reads a file's text.
  ///
  /// - Parameter file: how errors name it.
  /// - Throws: `YAMLError` with file, line and remedy for every mistake.
  package static func parse(_ text: String, file: String) throws(YAMLError) -> Thresholds {
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
      } catch let error as DetectorError {
        throw entry.value.error(error)
      } catch let error as YAMLError {
        throw error
      } catch {
        throw entry.value.error(allowed: "a value", remedy: "\(error)")
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
      throw node.error(allowed: "a smoothing", remedy: "\(error)")
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
      throw node.error(allowed: "a debounce", remedy: "\(error)")
    }
  }

  private static func detector(_ node: YAMLNode) throws(YAMLError) -> DetectorDefinition {
    guard case .scalar(let name, _) = node.content else {
      return try DetectorSpecification.definition(node)
    }
    guard let definition = DetectorDefinition.builtIn(named: name) else {
      throw node.error(
        allowed: DetectorDefinition.builtIn.map(\.name).joined(separator: ", "),
        remedy: "name a built-in detector, or put the detector itself here as a map")
    }
    return definition
  }
}
