internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Tuning

struct GridSpecification {
  private let map: YAMLMap
  private let flags: ExperimentOptions
  private let optionAxes: [AxisText]
  private let folder: String
  let detectors: [DetectorDefinition]
  private let start: Thresholds?

  init(
    map: YAMLMap, flags: inout ExperimentOptions, optionAxes: [AxisText], folder: String
  ) throws {
    let named = try Self.detectors(map, flags, folder)
    if let first = named.first { try flags.takeShipped(of: first) }
    start = try flags.parameters.map(ThresholdsFile.read)
    let standard = try start?.definition ?? Self.definition(BenchDetector.standard)
    detectors = named.isEmpty ? [standard] : named
    if let start, start.definition != detectors[0] {
      throw WorkflowFailure(
        .usage,
        "--parameters \(flags.parameters ?? ""): has parameters for \(start.definition.name), but "
          + "the experiment starts from \(detectors[0].name); remove one of the two")
    }
    self.map = map
    self.flags = flags
    self.optionAxes = optionAxes
    self.folder = folder
  }

  func grid(
    _ relations: [GoalSpecification.Relation], isCalibrated: Bool
  ) throws -> GridDefinition {
    let definitions = isCalibrated ? detectors.map(\.calibrated) : detectors
    let axes = try self.axes(definitions)
    let varied = axes.map(\.key)
    let detectors = try definitions.flatMap {
      try debounced($0, base($0, definitions, varied: varied))
    }
    let constraints = try relations.map { try constraint($0, definitions) }
    let smoothings = try smoothings()
    do {
      return try GridDefinition(
        detectors, smoothings: smoothings, axes: axes, constraints: constraints)
    } catch { throw (map.optional("axes") ?? map.node).error(error) }
  }

  private static func detectors(
    _ map: YAMLMap, _ flags: ExperimentOptions, _ folder: String
  ) throws -> [DetectorDefinition] {
    guard let node = named("detector", flags.detectors, map) else { return [] }
    let definitions = try read(node) { name in
      let isRelative = BenchDetector.isFile(name) && flags.detectors.isEmpty
      return try definition(isRelative ? Experiment.path(name, in: folder) : name)
    }
    guard Set(definitions.map(\.name)).count == definitions.count else {
      throw node.error(
        allowed: "each detector once", remedy: "remove or rename one",
        found: "two detectors with the same name")
    }
    return definitions
  }

  private static func definition(_ name: String) throws -> DetectorDefinition {
    try BenchDetector(AnswerSettings(detector: name)).plain(named: name).definition
  }

  func definition(_ key: String, _ detectors: [DetectorDefinition]) -> ParameterDefinition? {
    detectors.lazy.flatMap(\.parameters).first { $0.key.rawValue == key }
  }

  private func definition(
    _ key: String, _ detectors: [DetectorDefinition], at node: YAMLNode, option: String? = nil
  ) throws -> ParameterDefinition {
    if let definition = definition(key, detectors) { return definition }
    let failure = node.unknown(
      "parameter", key, among: detectors.flatMap(\.parameters).map(\.key.rawValue).distinct,
      remedy: "give a parameter that a detector of the experiment uses")
    throw option.map(failure.onCommandLine) ?? failure
  }

  func axes(_ detectors: [DetectorDefinition]) throws -> [ParameterAxis] {
    let fixed = flags.assignments.map { String($0.prefix { $0 != "=" }) }
    var rest = optionAxes
    var axes: [ParameterAxis] = []
    for entry in try map.optional("axes")?.map().entries ?? [] {
      let definition = try definition(entry.key, detectors, at: entry.value)
      if let index = rest.lastIndex(where: { $0.key == entry.key }) {
        axes.append(try axis(rest[index], definition, detectors, nil))
        rest.removeAll { $0.key == entry.key }
      } else if !fixed.contains(entry.key) {
        axes.append(try axis(AxisSpecification.parse(entry), definition, detectors, entry.value))
      }
    }
    for text in rest {
      let definition = try definition(
        text.key, detectors, at: map.node, option: "--axis \(text.key)")
      axes.append(try axis(text, definition, detectors, nil))
    }
    return axes
  }

  private func axis(
    _ text: AxisText, _ definition: ParameterDefinition, _ detectors: [DetectorDefinition],
    _ node: YAMLNode?
  ) throws -> ParameterAxis {
    do {
      let axis = try text.axis(definition)
      try axis.validate(definition)
      if case .quantiles = axis.values, !detectors.contains(where: { $0.compares(axis.key) }) {
        throw TuningError.noMeasurement(axis.key)
      }
      return axis
    } catch {
      throw node?.error(error)
        ?? FieldError(file: "--axis \(text.key)", line: nil, problem: "\(error)")
    }
  }

  func constraint(
    _ relation: GoalSpecification.Relation, _ detectors: [DetectorDefinition]
  ) throws -> AxisConstraint {
    let left = try definition(relation.left, detectors, at: relation.node)
    let right = try definition(relation.right, detectors, at: relation.node)
    try relation.node.require(
      left.unit == right.unit,
      allowed: "parameters of one unit", remedy: "compare parameters of the same unit",
      found: "\(left.unit.rawValue) compared with \(right.unit.rawValue)")
    var margin = 0.0
    if let text = relation.margin {
      do { margin = try right.number(text) } catch { throw relation.node.error(error) }
    }
    return AxisConstraint(left.key, relation.comparison, right.key, margin: margin)
  }

  /// The command line replaces values of the file, which replace those of the experiment's
  /// thresholds or of the detector.
  func base(
    _ detector: DetectorDefinition, _ all: [DetectorDefinition], varied: [ParameterKey]
  ) throws -> ParameterValues {
    var values = detector.defaults
    if let start, detector.name == start.definition.name { values = start.parameters }
    for entry in try map.optional("parameters")?.map().entries ?? [] {
      _ = try definition(entry.key, all, at: entry.value)
      guard !varied.contains(ParameterKey(entry.key)) else {
        throw entry.value.error(
          allowed: "parameters that no axis varies", remedy: "remove the value or the axis",
          found: "a value for `\(entry.key)`, which is an axis")
      }
      guard values[ParameterKey(entry.key)] != nil else { continue }
      let text = try entry.value.string()
      do { try values.set("\(entry.key)=\(text)") } catch { throw entry.value.error(error) }
    }
    for assignment in flags.assignments {
      let key = assignment.prefix { $0 != "=" }
      if definition(String(key), all) != nil, values[ParameterKey(String(key))] == nil { continue }
      do {
        try values.set(assignment)
      } catch {
        throw FieldError(file: "--set \(assignment)", line: nil, problem: "\(error)")
      }
    }
    return values
  }

  func smoothings() throws -> [SmoothingChoice] {
    guard let node = Self.named("smoothing", flags.smoothing, map) else {
      return [start?.smoothing ?? .none]
    }
    let choices = try Self.read(node) { try SmoothingChoice(text: $0) }
    try node.require(
      Set(choices).count == choices.count,
      allowed: "each smoothing once", remedy: "remove one", found: "a smoothing twice")
    return choices
  }

  private static func named(_ key: String, _ texts: [String], _ map: YAMLMap) -> YAMLNode? {
    guard !texts.isEmpty else { return map.optional(key) }
    return YAMLNode(texts: texts, file: "--\(key)")
  }

  func debounced(
    _ definition: DetectorDefinition, _ base: ParameterValues
  ) throws -> [DetectorVariant] {
    guard let node = Self.named("debounce", flags.debounce, map) else {
      let own = start?.definition.name == definition.name ? start?.debounce : nil
      return [DetectorVariant(definition, base: base, debounce: own ?? .parameters)]
    }
    return try Self.read(node) { text in
      let strategy = try DebounceStrategy(text: text, parameters: definition.parameters)
      _ = try BatchDetector(definition, parameters: base, debounce: strategy)
      return DetectorVariant(definition, base: base, debounce: strategy)
    }
  }

  private static func read<Value>(
    _ node: YAMLNode, _ read: (String) throws -> Value
  ) throws -> [Value] {
    try node.strings().map { element in
      let text = try element.string()
      do {
        return try read(text)
      } catch {
        let failure = element.error(error)
        throw element.file.hasPrefix("--")
          ? failure.onCommandLine("\(element.file) \(text)") : failure
      }
    }
  }
}

extension DetectorDefinition {
  fileprivate func compares(_ key: ParameterKey) -> Bool {
    (plank.parameterKeys + form.parameterKeys).contains(key)
  }
}

enum AxisSpecification {
  static func parse(_ entry: YAMLEntry) throws -> AxisText {
    let node = entry.value
    switch node.content {
    case .scalar: return AxisText(key: entry.key, values: .list([try node.string()]))
    case .sequence(let elements):
      let texts = try elements.map { try $0.string() }
      try node.require(
        !texts.isEmpty, allowed: "at least one value", remedy: "list values, or remove the axis",
        found: "an empty list")
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

/// An axis as text, whose numbers may have a unit of the parameter.
///
/// `sag=0:0.08:0.005` goes from 0 to 8 cm in steps of 5 mm, `plank_frames=1,3,5` lists values, and
/// `elbow_split=quantiles:24` takes quantiles of the measured values.
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
}

extension AxisText {
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

  func axis(_ definition: ParameterDefinition) throws -> ParameterAxis {
    switch values {
    case .range(let from, let to, let step):
      return ParameterAxis(
        definition.key,
        .range(
          from: try number(from, definition), to: try number(to, definition),
          step: try number(step, definition)))
    case .list(let texts):
      return ParameterAxis(definition.key, .list(try texts.map { try number($0, definition) }))
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
    do { return try definition.number(text) } catch { throw Problem(description: "\(error)") }
  }
}
