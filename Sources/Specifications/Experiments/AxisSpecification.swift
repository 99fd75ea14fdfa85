internal import YAMLDocuments

/// Reads the values of an axis in a file: a range, a list, quantiles, or one value.
enum AxisSpecification {
  /// Reads an entry of `axes`.
  static func parse(_ entry: YAMLEntry) throws(YAMLError) -> AxisText {
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

  private static func mapped(_ node: YAMLNode) throws(YAMLError) -> AxisText.Values {
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
