package import PlankDetection
internal import PoseModel
package import YAMLDocuments

/// Reads a detector from YAML: name, axes, parameters and two decision lists.
///
/// ```yaml
/// name: cautious
/// description: the gravity rules with a stricter horizontal limit
/// axes: gravity                      # or article
/// parameters:
///   sag: 3cm                         # another default for a built-in parameter
///   lean: {unit: "-", default: 0.4, range: [0, 1], meaning: the largest lean}
/// plank:
///   - none: verticalRatio >= lean
///   - high: [elbowAngle > elbow_split, shoulderRise < side_rise]
///   - forearm
/// form:
///   - sag: hipDeviation < -sag
///   - aligned
/// ```
package enum DetectorSpecification {
  private static let keys = ["name", "description", "axes", "parameters", "plank", "form"]

  /// Reads a detector.
  ///
  /// - Parameters:
  ///   - text: the YAML text.
  ///   - file: how errors name it.
  /// - Throws: `YAMLError` with file, line and remedy for every mistake.
  package static func parse(_ text: String, file: String) throws(YAMLError) -> DetectorDefinition {
    try definition(YAMLDocument(text: text, file: file).root)
  }

  /// Reads a detector that stands inside another document.
  static func definition(_ root: YAMLNode) throws(YAMLError) -> DetectorDefinition {
    let map = try root.map()
    try map.rejectUnknownKeys(known: keys)
    let name = try map.required("name").string()
    let description = try map.optional("description")?.string() ?? "custom detector"
    let axes = try map.optional("axes")?.choice(
      AxisReading.allCases.map { (word: $0.rawValue, value: $0) })
    let custom = try ParameterSpecification.parse(map.optional("parameters"))
    let plankNode = try map.required("plank")
    let formNode = try map.required("form")
    let plank = try list(plankNode, .plank)
    let form = try list(formNode, .form)
    do {
      return try DetectorDefinition(
        name: name, summary: description, axes: axes ?? .gravity, plank: plank, form: form,
        custom: custom)
    } catch {
      throw located(error, plank: plankNode, form: formNode, root: root)
    }
  }

  private static func list(
    _ node: YAMLNode, _ stream: AnswerStream
  ) throws(YAMLError) -> DecisionList {
    var rules: [Rule] = []
    for element in try node.list() { rules.append(try rule(element, stream)) }
    do {
      return try DecisionList(stream, rules)
    } catch {
      throw node.error(error)
    }
  }

  private static func rule(
    _ node: YAMLNode, _ stream: AnswerStream
  ) throws(YAMLError) -> Rule {
    if case .scalar(let word, _) = node.content {
      return Rule(label: try label(word, node, stream))
    }
    let entries = try node.map().entries
    guard entries.count == 1, let entry = entries.first else {
      throw node.error(
        allowed: "one label with its condition", remedy: "write one `- label: condition` a rule")
    }
    return Rule(
      label: try label(entry.key, node, stream), when: try predicates(entry.value))
  }

  private static func label(
    _ word: String, _ node: YAMLNode, _ stream: AnswerStream
  ) throws(YAMLError) -> UInt8 {
    guard let code = stream.code(of: word) else {
      throw node.error(
        allowed: stream.labels.joined(separator: ", "), remedy: "use one of the labels",
        found: "the label `\(word)`")
    }
    return code
  }

  private static func predicates(_ node: YAMLNode) throws(YAMLError) -> [Predicate] {
    var nodes = [node]
    if case .sequence(let elements) = node.content { nodes = elements }
    guard !nodes.isEmpty else {
      throw node.error(allowed: "at least one condition", remedy: "write the label alone instead")
    }
    var predicates: [Predicate] = []
    for node in nodes {
      let text = try node.string()
      do {
        predicates.append(try PredicateText.parse(text))
      } catch {
        throw node.error(
          allowed: "`measurement op parameter`", remedy: "\(error)", found: "`\(text)`")
      }
    }
    return predicates
  }

  /// Puts a mistake in a detector as a whole on the line of the rule that makes it.
  private static func located(
    _ error: DetectorError, plank: YAMLNode, form: YAMLNode, root: YAMLNode
  ) -> YAMLError {
    let needle: String
    switch error {
    case .undefinedParameter(let key, _): needle = key.rawValue
    case .unitMismatch(let predicate, _, _): needle = predicate.description
    default: return root.error(error)
    }
    let nodes = [plank, form].flatMap(\.scalars)
    return (nodes.first { $0.text.contains(needle) }?.node ?? root).error(error)
  }
}

extension YAMLNode {
  /// An error of the detection library at this node.
  func error(_ error: DetectorError) -> YAMLError {
    YAMLError(
      file: file, line: line, field: field, found: "a detector that cannot be used",
      allowed: "a consistent detector", remedy: "\(error)")
  }

  /// Every scalar below a node with its text.
  fileprivate var scalars: [(node: YAMLNode, text: String)] {
    switch content {
    case .scalar(let text, _): [(node: self, text: text)]
    case .sequence(let elements): elements.flatMap(\.scalars)
    case .mapping(let entries): entries.flatMap { $0.value.scalars }
    }
  }
}
