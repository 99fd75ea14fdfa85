internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

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
enum DetectorSpecification {
  private static let keys = ["name", "description", "axes", "parameters", "plank", "form"]

  /// Reads a detector.
  ///
  /// - Parameters:
  ///   - text: the YAML text.
  ///   - file: how errors name it.
  /// - Throws: `YAMLError` with file, line and remedy for every mistake.
  static func parse(_ text: String, file: String) throws(YAMLError) -> DetectorDefinition {
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

/// Reads the `parameters` of a detector file.
enum ParameterSpecification {
  private static let keys = ["unit", "default", "range", "meaning"]

  /// Reads definitions: new parameters as maps, other defaults for built-in ones as values.
  static func parse(_ node: YAMLNode?) throws(YAMLError) -> [ParameterDefinition] {
    guard let node else { return [] }
    var definitions: [ParameterDefinition] = []
    for entry in try node.map().entries { definitions.append(try definition(entry)) }
    return definitions
  }

  private static func definition(_ entry: YAMLEntry) throws(YAMLError) -> ParameterDefinition {
    let node = entry.value
    let key = ParameterKey(entry.key)
    guard PredicateText.isName(entry.key) else {
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
    } catch let error as YAMLError {
      throw error
    } catch let error as DetectorError {
      throw node.error(error)
    } catch {
      throw node.error(allowed: "a parameter", remedy: "\(error)")
    }
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
  /// The same parameter with another default.
  func withDefault(_ value: Double) throws(DetectorError) -> ParameterDefinition {
    try ParameterDefinition(key, unit: unit, default: value, range: range, meaning: meaning)
  }
}

/// The text form of a predicate: `measurement op parameter`, for example `shoulderRise < -side_rise`.
enum PredicateText {
  /// Why a text is no predicate.
  enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text does not have three words.
    case notThreeWords(String)
    /// The first word is no measurement.
    case unknownMeasurement(String)
    /// The second word is no comparison.
    case unknownComparison(String)
    /// The third word is no name of a parameter.
    case notAParameter(String)

    /// What was found, what is allowed and what to do.
    var description: String {
      switch self {
      case .notThreeWords(let text):
        "`\(text)` is not of the form `measurement op parameter`; write for example "
          + "`hipDeviation < -sag`"
      case .unknownMeasurement(let word):
        "`\(word)` is not a measurement; measurements are "
          + Measurement.allCases.map(\.name).joined(separator: ", ")
      case .unknownComparison(let word):
        "`\(word)` is not a comparison; comparisons are >, >=, < and <="
      case .notAParameter(let word):
        "`\(word)` is not the name of a parameter; a number must be given a name under "
          + "`parameters`, so that it can be tuned"
      }
    }
  }

  /// Reads a predicate.
  static func parse(_ text: String) throws(Problem) -> Predicate {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    guard words.count == 3 else { throw .notThreeWords(text) }
    guard let measurement = Measurement(name: words[0]) else {
      throw .unknownMeasurement(words[0])
    }
    guard let comparison = Comparison(rawValue: words[1]) else {
      throw .unknownComparison(words[1])
    }
    let isNegated = words[2].hasPrefix("-")
    let key = isNegated ? String(words[2].dropFirst()) : words[2]
    guard isName(key) else { throw .notAParameter(words[2]) }
    return Predicate(measurement, comparison, ParameterKey(key), negated: isNegated)
  }

  /// Whether a text can name a parameter: lower-case letters, digits and underscores.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first) else { return false }
    return text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
  }
}
