internal import PlankDetection
internal import PoseDatasets

enum ParameterSpecification {
  private static let keys = ["unit", "default", "range", "meaning"]

  static func parse(_ node: YAMLNode?) throws -> [ParameterDefinition] {
    guard let node else { return [] }
    var definitions: [ParameterDefinition] = []
    for entry in try node.map().entries { definitions.append(try definition(entry)) }
    return definitions
  }

  private static func definition(_ entry: YAMLEntry) throws -> ParameterDefinition {
    let node = entry.value
    let key = ParameterKey(entry.key)
    guard isName(entry.key) else {
      throw node.error(
        allowed: "lower-case letters, digits and underscores", remedy: "rename the parameter",
        found: "the name `\(entry.key)`")
    }
    do {
      if case .scalar(let text, _) = node.content {
        guard let builtIn = ParameterCatalogue.definition(of: key) else {
          throw node.error(
            allowed: "a map with unit, default and range",
            remedy: "define the new parameter, e.g. {unit: m, default: 0.1, range: [0, 1]}",
            found: "only a value for `\(entry.key)`, which is not built in")
        }
        return try builtIn.withDefault(builtIn.parse(text))
      }
      return try custom(key, node)
    } catch let error where !(error is FieldError) {
      throw node.error(error)
    }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first) else { return false }
    return text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
  }

  private static func custom(_ key: ParameterKey, _ node: YAMLNode) throws -> ParameterDefinition {
    let map = try node.map()
    try map.rejectUnknownKeys(known: keys)
    let unit = try map.required("unit").choice(
      MeasurementUnit.allCases.map { (word: $0.rawValue, value: $0) })
    let rangeNode = try map.required("range")
    let bounds = try rangeNode.list()
    guard bounds.count == 2 else {
      throw rangeNode.error(allowed: "[smallest, largest]", remedy: "give two numbers")
    }
    let (low, high) = (try bounds[0].double(), try bounds[1].double())
    guard low < high else {
      throw rangeNode.error(
        allowed: "a smallest number below the largest", remedy: "swap or widen the bounds",
        found: "[\(low), \(high)]")
    }
    return try ParameterDefinition(
      key, unit: unit, default: map.required("default").double(), range: low...high,
      meaning: map.optional("meaning")?.string() ?? "custom parameter")
  }
}

extension ParameterDefinition {
  func withDefault(_ value: Double) throws -> ParameterDefinition {
    try ParameterDefinition(key, unit: unit, default: value, range: range, meaning: meaning)
  }
}
