internal import ParameterTuning
internal import PlankDetection
internal import YAMLDocuments

extension GridSpecification {
  /// The axes: the file's in their order, the command line's in their place or after them.
  func axes(_ detectors: [DetectorDefinition]) throws(YAMLError) -> [ParameterAxis] {
    let fixed = overrides.assignments.map { String($0.prefix { $0 != "=" }) }
    var rest = overrides.axes
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
  ) throws(YAMLError) -> ParameterAxis {
    do {
      let axis = try text.axis(definition)
      try axis.validate(definition)
      if case .quantiles = axis.values, !detectors.contains(where: { $0.compares(axis.key) }) {
        throw TuningError.noMeasurement(axis.key)
      }
      return axis
    } catch {
      let allowed = "values of \(definition.key.rawValue)"
      if let node { throw node.error(allowed: allowed, remedy: "\(error)") }
      throw YAMLError(
        file: "--axis \(text.key)", line: nil, found: "values that cannot be used",
        allowed: allowed, remedy: "\(error)")
    }
  }

  /// A relation between two parameters of one unit.
  func constraint(
    _ relation: GoalSpecification.Relation, _ detectors: [DetectorDefinition]
  ) throws(YAMLError) -> AxisConstraint {
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
  /// Whether a rule compares a measurement with a parameter.
  fileprivate func compares(_ key: ParameterKey) -> Bool {
    (plank.parameterKeys + form.parameterKeys).contains(key)
  }
}

extension YAMLError {
  /// The error without a line: it is in an option of the command line.
  fileprivate func onCommandLine(_ option: String) -> YAMLError {
    YAMLError(file: option, line: nil, found: found, allowed: allowed, remedy: remedy)
  }
}
