internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

enum DetectorYAML {
  static func text(_ definition: DetectorDefinition, comments: [String] = []) -> String {
    var lines = comments.map { "# " + PrintableText.line($0) }
    lines.append("name: " + quoted(definition.name))
    lines.append("description: " + quoted(definition.summary))
    lines.append("axes: " + definition.axes.rawValue)
    let custom = definition.parameters.filter { ParameterCatalogue.definition(of: $0.key) != $0 }
    if !custom.isEmpty { lines.append("parameters:") }
    lines += custom.map { "  \($0.key.rawValue): " + parameter($0) }
    if !definition.expressions.isEmpty { lines.append("measurements:") }
    lines += definition.expressions.map { "  \($0.name): " + quoted($0.definition) }
    for stream in AnswerStream.allCases {
      lines.append(stream.rawValue + ":")
      lines += definition.list(stream).rules.map { "  - " + rule($0) }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func parameter(_ definition: ParameterDefinition) -> String {
    let range = [definition.range.lowerBound, definition.range.upperBound]
      .map(NumberText.shortest).joined(separator: ", ")
    return "{unit: " + quoted(definition.unit.rawValue) + ", default: "
      + NumberText.shortest(definition.defaultValue) + ", range: [\(range)], meaning: "
      + quoted(definition.meaning) + "}"
  }

  private static func rule(_ rule: Rule) -> String {
    guard !rule.predicates.isEmpty else { return rule.label.name }
    let conditions = rule.predicates.map { quoted("\($0)") }.joined(separator: ", ")
    return "\(rule.label.name): [\(conditions)]"
  }

  private static func quoted(_ text: String) -> String {
    var result = ""
    result.appendQuoted(text)
    return result
  }
}
