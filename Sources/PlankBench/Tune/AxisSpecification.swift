internal import PlankDetection
internal import PoseDatasets
internal import Tuning

enum AxisSpecification {
  static func parse(_ entry: YAMLEntry) throws -> AxisText {
    let node = entry.value
    switch node.content {
    case .scalar: return AxisText(key: entry.key, values: .list([try node.string()]))
    case .sequence(let elements):
      var texts: [String] = []
      for element in elements { texts.append(try element.string()) }
      guard !texts.isEmpty else {
        throw node.error(
          allowed: "at least one value", remedy: "list values, or remove the axis",
          found: "an empty list")
      }
      return AxisText(key: entry.key, values: .list(texts))
    case .mapping: return AxisText(key: entry.key, values: try mapped(node))
    }
  }

  private static func mapped(_ node: YAMLNode) throws -> AxisText.Values {
    let map = try node.map()
    if let count = map.optional("quantiles") {
      try map.rejectUnknownKeys(known: ["quantiles"])
      return .quantiles(try count.string())
    }
    try map.rejectUnknownKeys(known: ["from", "to", "step", "quantiles"])
    return .range(
      from: try map.required("from").string(), to: try map.required("to").string(),
      step: try map.required("step").string())
  }
}

/// `sag=0:0.08:0.005` goes from 0 to 8 cm in steps of 5 mm, `plank_frames=1,3,5` lists values, and
/// `elbow_split=quantiles:24` takes quantiles of the measured values.
///
/// Numbers may carry the unit of the parameter: `sag=0cm:8cm:5mm`.
struct AxisText: Hashable, Sendable {
  enum Values: Hashable, Sendable {
    case range(from: String, to: String, step: String)
    case list([String])
    case quantiles(String)
  }

  struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String
  }

  let key: String
  let values: Values

  init(key: String, values: Values) {
    self.key = key
    self.values = values
  }

  init(assignment: String) throws {
    let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw Problem(
        description: "`\(assignment)` is not an axis; write key=from:to:step, key=value,value or "
          + "key=quantiles:count, for example sag=0:0.08:0.005")
    }
    let bounds = parts[1].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    key = String(parts[0])
    switch bounds.count {
    case 1:
      values = .list(
        parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init))
    case 2 where bounds[0] == "quantiles": values = .quantiles(bounds[1])
    case 3: values = .range(from: bounds[0], to: bounds[1], step: bounds[2])
    default:
      throw Problem(
        description: "`\(parts[1])` are not values of an axis; write from:to:step, value,value or "
          + "quantiles:count")
    }
  }

  /// - Throws: `Problem` for a number that cannot be read or has another unit; ranges are checked
  /// when the axis is resolved.
  func axis(_ definition: ParameterDefinition) throws -> ParameterAxis {
    switch values {
    case .range(let from, let to, let step):
      return ParameterAxis(
        definition.key,
        .range(
          from: try number(from, definition), to: try number(to, definition),
          step: try number(step, definition)))
    case .list(let texts):
      var numbers: [Double] = []
      for text in texts { numbers.append(try number(text, definition)) }
      return ParameterAxis(definition.key, .list(numbers))
    case .quantiles(let text):
      guard let count = Int(text), (1...Self.mostQuantiles).contains(count) else {
        throw Problem(
          description: "`\(text)` is not a number of quantiles; write a whole number from 1 to "
            + "\(Self.mostQuantiles)")
      }
      return ParameterAxis(definition.key, .quantiles(count))
    }
  }

  private static let mostQuantiles = 100_000

  private func number(_ text: String, _ definition: ParameterDefinition) throws -> Double {
    do {
      return try definition.number(text)
    } catch {
      throw Problem(description: "\(error)")
    }
  }
}
