internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reports

/// Reads a detector from YAML, in the format of `docs/detectors.md`.
enum DetectorSpecification {
  private static let keys = [
    "name", "description", "axes", "parameters", "measurements", "conditions", "plank", "form",
  ]

  static func parse(_ text: String, file: String) throws -> DetectorDefinition {
    try definition(YAMLDocument(text: text, file: file).root)
  }

  static func definition(_ root: YAMLNode) throws -> DetectorDefinition {
    let map = try root.map()
    try map.rejectUnknownKeys(known: keys)
    let name = try map.required("name").string()
    let description = try map.text("description") ?? "custom detector"
    let axes =
      try map.optional("axes")?.choice(
        AxisReading.allCases.map { (word: $0.rawValue, value: $0) }) ?? .gravity
    let custom = try ParameterSpecification.parse(map.optional("parameters"))
    let names = try DetectorNames(
      measurements: map.optional("measurements"), conditions: map.optional("conditions"),
      axes: axes)
    let plankNode = try map.required("plank")
    let formNode = try map.required("form")
    let plank = try list(plankNode, .plank, names)
    let form = try list(formNode, .form, names)
    do {
      return try DetectorDefinition(
        name: name, summary: description, axes: axes, plank: plank, form: form,
        expressions: names.measurements, custom: custom)
    } catch {
      let nodes = [plankNode, formNode] + [map.optional("conditions")].compactMap(\.self)
      throw located(error, among: nodes, root: root)
    }
  }

  private static func list(
    _ node: YAMLNode, _ stream: AnswerStream, _ names: DetectorNames
  ) throws -> DecisionList {
    let rules = try node.list().flatMap { try self.rules($0, stream, names) }
    do { return try DecisionList(stream, rules) } catch { throw node.error(error) }
  }

  private static func rules(
    _ node: YAMLNode, _ stream: AnswerStream, _ names: DetectorNames
  ) throws -> [Rule] {
    if case .scalar(let word, _) = node.content { return [Rule(try label(word, node, stream))] }
    let entries = try node.map().entries
    guard entries.count == 1, let entry = entries.first else {
      throw node.error(
        allowed: "one label with its condition", remedy: "write one `- label: condition` per rule")
    }
    let label = try label(entry.key, node, stream)
    return Rule.rules(label, when: try condition(entry.value, names))
  }

  private static func label(
    _ word: String, _ node: YAMLNode, _ stream: AnswerStream
  ) throws -> AnswerLabel {
    guard let label = AnswerLabel(stream, name: word) else {
      throw node.unknown("label", word, among: stream.labels, remedy: "use one of the labels")
    }
    return label
  }

  private static func condition(_ node: YAMLNode, _ names: DetectorNames) throws -> Condition {
    var nodes = [node]
    if case .sequence(let elements) = node.content { nodes = elements }
    try node.require(
      !nodes.isEmpty, allowed: "at least one condition", remedy: "write the label alone instead")
    guard let condition = Condition.all(of: try nodes.map(names.condition)) else {
      throw node.error(allowed: Condition.limits, remedy: "split the rule")
    }
    return condition
  }

  private static func located(
    _ error: DetectorError, among nodes: [YAMLNode], root: YAMLNode
  ) -> FieldError {
    let needles: [String]
    switch error {
    case .undefinedParameter(let key, _): needles = [key.rawValue]
    case .unitMismatch(let predicate, _, _):
      needles = [predicate.description, predicate.parameter.rawValue]
    case .unsuitableMeasurement(let measurement, _): needles = [measurement.name]
    default: return root.error(error)
    }
    let scalars = nodes.flatMap(\.scalars)
    for needle in needles {
      if let found = scalars.first(where: { $0.text.contains(needle) }) {
        return found.node.error(error)
      }
    }
    return root.error(error)
  }
}

struct DetectorNames {
  private(set) var measurements: [Measurement] = []
  private var conditions: [(name: String, Condition)] = []

  init(measurements: YAMLNode?, conditions: YAMLNode?, axes: AxisReading) throws {
    for entry in try Self.ordered(measurements) {
      let text = try entry.value.string()
      do {
        self.measurements.append(
          try Measurement(entry.key, text, using: self.measurements, axes: axes))
      } catch { throw Self.error(error, entry) }
    }
    for entry in try Self.ordered(conditions) {
      let isTaken = (Measurement.builtIn + self.measurements).contains { $0.name == entry.key }
      guard !isTaken, !["not", "and", "or"].contains(entry.key), let first = entry.key.first,
        !first.isNumber, entry.key.allSatisfy(Self.isWord)
      else {
        throw entry.value.error(
          allowed:
            "a word of letters, digits and underscores that is not the name of a measurement",
          remedy: "rename the condition", found: "the name `\(entry.key)`")
      }
      self.conditions.append((entry.key, try condition(entry.value)))
    }
  }

  func condition(_ node: YAMLNode) throws -> Condition {
    let text = try node.string()
    do {
      return try Condition(text, measurements: measurements, conditions: conditions)
    } catch {
      throw Self.error(error, node)
    }
  }

  private static func error(_ error: DetectorError, _ entry: YAMLEntry) -> FieldError {
    if case .unreadableExpression(_, let problem) = error {
      return Self.error(problem, entry.value)
    }
    return entry.value.error(error)
  }

  private static func error(_ error: ExpressionError, _ node: YAMLNode) -> FieldError {
    node.error(
      allowed: error.allowed, remedy: error.remedy, found: "\(error.found) at \(error.place)")
  }

  private static func ordered(_ node: YAMLNode?) throws -> [YAMLEntry] {
    guard let node else { return [] }
    var pending = try node.map().entries
    var ordered: [YAMLEntry] = []
    while let first = pending.first {
      let names = Set(pending.map(\.key))
      let free = pending.firstIndex { names.isDisjoint(with: words(of: $0.value)) }
      guard let free else {
        throw first.value.error(
          allowed: "definitions without a cycle",
          remedy: "define \(first.key) without using itself, directly or through others",
          found: "a cycle through `\(first.key)`")
      }
      ordered.append(pending.remove(at: free))
    }
    return ordered
  }

  private static func words(of node: YAMLNode) -> [String] {
    guard case .scalar(let text, _) = node.content else { return [] }
    return text.split { !isWord($0) }.map(String.init)
  }

  private static func isWord(_ letter: Character) -> Bool { letter.isASCIIWord || letter == "_" }
}

extension Character {
  var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
}

extension YAMLNode {
  fileprivate var scalars: [(node: YAMLNode, text: String)] {
    switch content {
    case .scalar(let text, _): [(node: self, text: text)]
    case .sequence(let elements): elements.flatMap(\.scalars)
    case .mapping(let entries): entries.flatMap { $0.value.scalars }
    }
  }
}

enum DetectorYAML {
  static func text(_ definition: DetectorDefinition, comments: [String] = []) -> String {
    var lines = comments.map { "# " + PrintableText.line($0) }
    lines.append("name: " + String(quoting: definition.name))
    lines.append("description: " + String(quoting: definition.summary))
    lines.append("axes: " + definition.axes.rawValue)
    let custom = definition.customParameters
    if !custom.isEmpty { lines.append("parameters:") }
    lines += custom.map { "  \($0.key.rawValue): " + parameter($0) }
    if !definition.expressions.isEmpty { lines.append("measurements:") }
    lines += definition.expressions.map { "  \($0.name): " + String(quoting: $0.definition) }
    for stream in AnswerStream.allCases {
      lines.append(stream.rawValue + ":")
      lines += definition.list(stream).rules.map { "  - " + rule($0) }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func parameter(_ definition: ParameterDefinition) -> String {
    let range = [definition.range.lowerBound, definition.range.upperBound]
      .map(NumberText.shortest).joined(separator: ", ")
    return "{unit: " + String(quoting: definition.unit.rawValue) + ", default: "
      + NumberText.shortest(definition.defaultValue) + ", range: [\(range)], meaning: "
      + String(quoting: definition.meaning) + "}"
  }

  private static func rule(_ rule: Rule) -> String {
    guard !rule.predicates.isEmpty else { return rule.label.name }
    let conditions = rule.predicates.map { String(quoting: "\($0)") }.joined(separator: ", ")
    return "\(rule.label.name): [\(conditions)]"
  }
}

enum ParameterSpecification {
  private static let keys = ["unit", "default", "range", "meaning"]

  static func parse(_ node: YAMLNode?) throws -> [ParameterDefinition] {
    try node?.map().entries.map(definition) ?? []
  }

  private static func definition(_ entry: YAMLEntry) throws -> ParameterDefinition {
    let node = entry.value
    let key = ParameterKey(entry.key)
    try node.require(
      entry.key.first?.isLetter == true
        && entry.key.allSatisfy { $0 == "_" || $0.isASCIIWord && !$0.isUppercase },
      allowed: "lower-case letters, digits and underscores", remedy: "rename the parameter",
      found: "the name `\(entry.key)`")
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
    } catch let error where !(error is FieldError) { throw node.error(error) }
  }

  private static func custom(_ key: ParameterKey, _ node: YAMLNode) throws -> ParameterDefinition {
    let map = try node.map()
    try map.rejectUnknownKeys(known: keys)
    let unit = try map.required("unit").choice(
      MeasurementUnit.allCases.map { (word: $0.rawValue, value: $0) })
    let rangeNode = try map.required("range")
    let bounds = try rangeNode.list()
    try rangeNode.require(
      bounds.count == 2, allowed: "[smallest, largest]", remedy: "give two numbers")
    let (low, high) = (try bounds[0].double(), try bounds[1].double())
    try rangeNode.require(
      low < high,
      allowed: "a smallest number below the largest", remedy: "swap or widen the bounds",
      found: "[\(low), \(high)]")
    return try ParameterDefinition(
      key, unit: unit, default: map.required("default").double(), range: low...high,
      meaning: map.optional("meaning")?.string() ?? "custom parameter")
  }
}

extension DetectorDefinition {
  var customParameters: [ParameterDefinition] {
    parameters.filter { ParameterCatalogue.definition(of: $0.key) != $0 }
  }
}

extension ParameterDefinition {
  func withDefault(_ value: Double) throws -> ParameterDefinition {
    try ParameterDefinition(key, unit: unit, default: value, range: range, meaning: meaning)
  }
}
