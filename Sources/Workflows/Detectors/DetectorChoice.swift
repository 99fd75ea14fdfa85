package import PlankDetection
internal import Smoothing
internal import Specifications

/// A detector as a user names it: a built-in name or a file, with parameters set.
package struct DetectorChoice: Hashable, Sendable {
  /// The detector where none is named.
  package static let standard = "gravity"

  /// A built-in name, or the path of a YAML file; nil for that of the thresholds, else `standard`.
  package var given: String?
  /// A thresholds file that names detector and parameters; nil for none.
  package var thresholds: String?
  /// Assignments such as `sag=3cm`, in order.
  package var assignments: [String]
  /// Where all of it was written.
  package var source: ChoiceSource

  /// Makes a choice.
  package init(
    name: String? = nil, thresholds: String? = nil, assignments: [String] = [],
    source: ChoiceSource = .options
  ) {
    self.source = source
    given = name
    self.thresholds = thresholds
    self.assignments = assignments
  }

  /// What names the detector: the word, else the thresholds file.
  package var name: String { given ?? thresholds ?? Self.standard }

  /// Finds the detector and sets its parameters, for commands that neither smooth nor debounce by
  /// anything else than the parameters.
  ///
  /// - Throws: `WorkflowFailure`: `usage` for a name that is neither built in nor a file's, for an
  ///   assignment with a mistake, for a parameter set twice and for thresholds that ask for more,
  ///   `noInput` for a missing file, `badData` for a bad one and for mistakes in a file's choice.
  package func resolve() throws(WorkflowFailure) -> (DetectorDefinition, ParameterValues) {
    let start = try start()
    guard start.smoothing.isNone, start.debounce == .parameters else {
      throw WorkflowFailure(
        .usage,
        "\(name): holds smoothing \(start.smoothing.text) and debounce \(start.debounceText), which "
          + "this command does not apply; use evaluate, measure or replay")
    }
    return (start.definition, try values(start))
  }

  /// Finds the detector with its smoothing and debounce: what is named, else the thresholds'.
  ///
  /// - Throws: as `resolve()`, and `usage` for strategies with a mistake.
  func resolve(_ steadying: SteadyingChoice) throws(WorkflowFailure) -> SteadyDetector {
    let start = try start()
    let whole = SteadyingChoice(
      smoothing: steadying.smoothing ?? start.smoothing.text,
      debounce: steadying.debounce ?? start.debounceText, source: steadying.source)
    return try whole.steady(start.definition, values(start))
  }

  private func values(_ start: Thresholds) throws(WorkflowFailure) -> ParameterValues {
    try Assignments.checkRepeats(assignments, option: "--set", source: source)
    var values = start.parameters
    for (index, assignment) in assignments.enumerated() {
      do {
        try values.set(assignment)
      } catch {
        throw source.failure(
          option: "--set", text: assignment, fields: ["set[\(index)]"], "\(error)")
      }
    }
    return values
  }

  private func start() throws(WorkflowFailure) -> Thresholds {
    guard let thresholds else {
      let definition = try definition(given ?? Self.standard)
      return Thresholds(
        definition: definition, parameters: definition.defaults, smoothing: .none,
        debounce: .parameters)
    }
    let file = try ThresholdsFile.read(thresholds)
    if let given, try definition(given) != file.definition {
      throw source.failure(
        option: "--detector", text: given, fields: ["detector"],
        "\(thresholds) holds parameters of \(file.definition.name); leave one of the two out")
    }
    return file
  }

  private func definition(
    _ name: String
  ) throws(WorkflowFailure) -> DetectorDefinition {
    if let builtIn = DetectorDefinition.builtIn(named: name) { return builtIn }
    let isFile = name.hasSuffix(".yaml") || name.hasSuffix(".yml") || name.contains("/")
    guard isFile else {
      let names = DetectorDefinition.builtIn.map(\.name).joined(separator: ", ")
      throw source.failure(
        option: nil, fields: ["detector"],
        "no detector `\(name)`; built in are \(names); a detector file ends in .yaml")
    }
    let text = try InputText.read(name)
    do {
      return try DetectorSpecification.parse(text, file: name)
    } catch {
      throw WorkflowFailure(.badData, "\(error)")
    }
  }
}
