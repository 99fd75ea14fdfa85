internal import ParameterTuning
internal import PlankDetection
internal import YAMLDocuments

/// Reads what an experiment tries: detectors, smoothings, fixed values and axes.
struct GridSpecification {
  let map: YAMLMap
  let overrides: ExperimentOverrides
  private let context: ExperimentContext

  init(_ map: YAMLMap, _ overrides: ExperimentOverrides, _ context: ExperimentContext) {
    self.map = map
    self.overrides = overrides
    self.context = context
  }

  /// The definition of the grid with relations between its parameters.
  func grid(_ relations: [GoalSpecification.Relation]) throws(YAMLError) -> GridDefinition {
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
    do {
      return try GridDefinition(
        detectors, smoothings: try smoothings(), axes: axes, constraints: constraints)
    } catch let error as TuningError {
      throw (map.optional("axes") ?? map.node).error(error)
    } catch let error as YAMLError {
      throw error
    } catch {
      throw map.node.error(allowed: "a grid", remedy: "\(error)")
    }
  }

  private func detectors() throws(YAMLError) -> [DetectorDefinition] {
    guard let node = map.optional("detector") else { return [.gravity] }
    var definitions: [DetectorDefinition] = []
    for element in try node.strings() {
      let name = try element.string()
      do {
        definitions.append(try context.detector(name))
      } catch {
        throw element.error(allowed: "a detector's name or file", remedy: "\(error)")
      }
    }
    guard Set(definitions.map(\.name)).count == definitions.count else {
      throw node.error(
        allowed: "each detector once", remedy: "remove or rename one",
        found: "two detectors of one name")
    }
    return definitions
  }

  /// The definition of a parameter by the first detector that has it.
  func definition(
    _ key: String, _ detectors: [DetectorDefinition]
  ) -> ParameterDefinition? {
    for detector in detectors {
      if let found = detector.parameters.first(where: { $0.key.rawValue == key }) { return found }
    }
    return nil
  }

  /// The error for a parameter that no detector of the experiment uses.
  func unused(
    _ key: String, _ detectors: [DetectorDefinition], _ node: YAMLNode
  ) -> YAMLError {
    var known: [String] = []
    for key in detectors.flatMap(\.parameters).map(\.key.rawValue) where !known.contains(key) {
      known.append(key)
    }
    return node.error(
      allowed: known.joined(separator: ", "),
      remedy: "name a parameter that a detector of the experiment uses",
      found: "the parameter `\(key)`")
  }
}
