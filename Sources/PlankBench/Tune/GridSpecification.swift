internal import PlankDetection
internal import PoseDatasets
internal import Tuning

struct GridSpecification {
  let map: YAMLMap
  let flags: ExperimentOptions
  let optionAxes: [AxisText]
  /// The file's folder, to which its paths are relative; empty for the current one.
  let folder: String

  func grid(_ relations: [GoalSpecification.Relation]) throws -> GridDefinition {
    let definitions = try detectors()
    let axes = try self.axes(definitions)
    let varied = axes.map(\.key)
    var detectors: [DetectorVariant] = []
    for definition in definitions {
      let base = try base(definition, definitions, varied: varied)
      detectors += try debounced(definition, base)
    }
    var constraints: [AxisConstraint] = []
    for relation in relations { constraints.append(try constraint(relation, definitions)) }
    let smoothings = try smoothings()
    do {
      return try GridDefinition(
        detectors, smoothings: smoothings, axes: axes, constraints: constraints)
    } catch {
      throw (map.optional("axes") ?? map.node).error(error)
    }
  }

  private func detectors() throws -> [DetectorDefinition] {
    let standard = YAMLNode(texts: [BenchDetector.standard], file: map.node.file)
    let node = named("detector", flags.detectors) ?? standard
    var definitions: [DetectorDefinition] = []
    for element in try node.strings() {
      let name = try element.string()
      do {
        definitions.append(try definition(named: name, isOption: !flags.detectors.isEmpty))
      } catch {
        throw located(error, at: element)
      }
    }
    guard Set(definitions.map(\.name)).count == definitions.count else {
      throw node.error(
        allowed: "each detector once", remedy: "remove or rename one",
        found: "two detectors with one name")
    }
    return definitions
  }

  private func definition(named name: String, isOption: Bool) throws -> DetectorDefinition {
    let isBuiltIn = DetectorDefinition.builtIn(named: name) != nil
    let isRelative = BenchDetector.isFile(name) && !isBuiltIn && !isOption
    let path = isRelative ? Experiment.path(name, in: folder) : name
    return try BenchDetector(path).plain(named: path).definition
  }

  func definition(
    _ key: String, _ detectors: [DetectorDefinition]
  ) -> ParameterDefinition? {
    for detector in detectors {
      if let found = detector.parameters.first(where: { $0.key.rawValue == key }) { return found }
    }
    return nil
  }

  func unused(
    _ key: String, _ detectors: [DetectorDefinition], _ node: YAMLNode
  ) -> FieldError {
    var known: [String] = []
    for key in detectors.flatMap(\.parameters).map(\.key.rawValue) where !known.contains(key) {
      known.append(key)
    }
    return node.unknown(
      "parameter", key, among: known,
      remedy: "give a parameter that a detector of the experiment uses")
  }
}

extension GridSpecification {
  /// The axes: the file's in their order, with those of the command line in their place or after
  /// them.
  func axes(_ detectors: [DetectorDefinition]) throws -> [ParameterAxis] {
    let fixed = flags.assignments.map { String($0.prefix { $0 != "=" }) }
    var rest = optionAxes
    var axes: [ParameterAxis] = []
    for entry in try map.optional("axes")?.map().entries ?? [] {
      guard let definition = definition(entry.key, detectors) else {
        throw unused(entry.key, detectors, entry.value)
      }
      if let index = rest.lastIndex(where: { $0.key == entry.key }) {
        axes.append(try axis(rest[index], definition, detectors, nil))
        rest.removeAll { $0.key == entry.key }
      } else if !fixed.contains(entry.key) {
        axes.append(
          try axis(AxisSpecification.parse(entry), definition, detectors, entry.value))
      }
    }
    for text in rest {
      guard let definition = definition(text.key, detectors) else {
        throw unused(text.key, detectors, map.node).onCommandLine("--axis \(text.key)")
      }
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
    guard let left = definition(relation.left, detectors) else {
      throw unused(relation.left, detectors, relation.node)
    }
    guard let right = definition(relation.right, detectors) else {
      throw unused(relation.right, detectors, relation.node)
    }
    guard left.unit == right.unit else {
      throw relation.node.error(
        allowed: "parameters of one unit", remedy: "compare parameters of the same unit",
        found: "\(left.unit.rawValue) compared with \(right.unit.rawValue)")
    }
    var margin = 0.0
    if let text = relation.margin {
      do {
        margin = try right.number(text)
      } catch {
        throw relation.node.error(error)
      }
    }
    return AxisConstraint(left.key, relation.comparison, right.key, margin: margin)
  }
}

extension DetectorDefinition {
  fileprivate func compares(_ key: ParameterKey) -> Bool {
    (plank.parameterKeys + form.parameterKeys).contains(key)
  }
}

extension GridSpecification {
  /// The detector's own values, replaced by the file's, then by the command line's.
  func base(
    _ detector: DetectorDefinition, _ all: [DetectorDefinition], varied: [ParameterKey]
  ) throws -> ParameterValues {
    var values = detector.defaults
    for entry in try map.optional("parameters")?.map().entries ?? [] {
      guard definition(entry.key, all) != nil else { throw unused(entry.key, all, entry.value) }
      guard !varied.contains(ParameterKey(entry.key)) else {
        throw entry.value.error(
          allowed: "parameters that no axis varies", remedy: "remove the value or the axis",
          found: "a value for `\(entry.key)`, which is an axis")
      }
      guard values[ParameterKey(entry.key)] != nil else { continue }
      let text = try entry.value.string()
      do {
        try values.set("\(entry.key)=\(text)")
      } catch {
        throw entry.value.error(error)
      }
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
}

extension GridSpecification {
  func smoothings() throws -> [SmoothingChoice] {
    guard let node = named("smoothing", flags.smoothing) else { return [.none] }
    var choices: [SmoothingChoice] = []
    for element in try node.strings() {
      let text = try element.string()
      do {
        choices.append(try SmoothingChoice(text: text))
      } catch {
        throw located(error, at: element)
      }
    }
    guard Set(choices).count == choices.count else {
      throw node.error(
        allowed: "each smoothing once", remedy: "remove one", found: "a smoothing twice")
    }
    return choices
  }

  private func named(_ key: String, _ texts: [String]) -> YAMLNode? {
    guard !texts.isEmpty else { return map.optional(key) }
    return YAMLNode(texts: texts, file: "--\(key)")
  }

  func debounced(
    _ definition: DetectorDefinition, _ base: ParameterValues
  ) throws -> [DetectorVariant] {
    guard let node = named("debounce", flags.debounce) else {
      return [DetectorVariant(definition, base: base)]
    }
    var variants: [DetectorVariant] = []
    for element in try node.strings() {
      let text = try element.string()
      do {
        let strategy = try DebounceStrategy(text: text, parameters: definition.parameters)
        variants.append(
          DetectorVariant(definition, base: base, debounce: strategy))
        _ = try BatchDetector(definition, parameters: base, debounce: strategy)
      } catch {
        throw located(error, at: element)
      }
    }
    return variants
  }

  private func located(_ error: any Error, at node: YAMLNode) -> FieldError {
    node.file.hasPrefix("--")
      ? node.error(error).onCommandLine("\(node.file) \((try? node.string()) ?? "")")
      : node.error(error)
  }
}
