package import PlankDetection
internal import Specifications

/// A detector as a user names it: a built-in name or a file, with parameters set.
package struct DetectorChoice: Hashable, Sendable {
  /// A built-in name, or the path of a YAML file.
  package var name: String
  /// Assignments such as `sag=3cm`, in order.
  package var assignments: [String]

  /// Makes a choice.
  package init(name: String = "gravity", assignments: [String] = []) {
    self.name = name
    self.assignments = assignments
  }

  /// Finds the detector and sets its parameters.
  ///
  /// - Throws: `WorkflowFailure`: `usage` for a name that is neither built in nor a file's and for
  ///   an assignment with a mistake, `noInput` for a missing file, `badData` for a bad one.
  package func resolve() throws(WorkflowFailure) -> (DetectorDefinition, ParameterValues) {
    let definition = try definition()
    var values = definition.defaults
    for assignment in assignments {
      do {
        try values.set(assignment)
      } catch {
        throw WorkflowFailure(.usage, "--set \(assignment): \(error)")
      }
    }
    return (definition, values)
  }

  private func definition() throws(WorkflowFailure) -> DetectorDefinition {
    if let builtIn = DetectorDefinition.builtIn(named: name) { return builtIn }
    let isFile = name.hasSuffix(".yaml") || name.hasSuffix(".yml") || name.contains("/")
    guard isFile else {
      let names = DetectorDefinition.builtIn.map(\.name).joined(separator: ", ")
      throw WorkflowFailure(
        .usage, "no detector `\(name)`; built in are \(names); a detector file ends in .yaml")
    }
    let text = try InputText.read(name)
    do {
      return try DetectorSpecification.parse(text, file: name)
    } catch {
      throw WorkflowFailure(.badData, "\(error)")
    }
  }
}
