internal import ParameterTuning
internal import PlankDetection
internal import PoseModel

/// A detector as a user names it: a built-in name or a file, with parameters set.
struct DetectorChoice: Hashable, Sendable {
  /// The detector where none is named.
  static let standard = "gravity"

  /// A built-in name, or the path of a YAML file; nil for that of the thresholds, else `standard`.
  var given: String?
  /// A thresholds file that names detector and parameters; nil for none.
  var thresholds: String?
  /// Assignments such as `sag=3cm`, in order.
  var assignments: [String]
  /// Where all of it was written.
  var source: ChoiceSource

  /// Makes a choice.
  init(
    name: String? = nil, thresholds: String? = nil, assignments: [String] = [],
    source: ChoiceSource = .options
  ) {
    self.source = source
    given = name
    self.thresholds = thresholds
    self.assignments = assignments
  }

  /// What names the detector: the word, else the thresholds file.
  var name: String { given ?? thresholds ?? Self.standard }

  /// Finds the detector and sets its parameters, for commands that neither smooth nor debounce by
  /// anything else than the parameters.
  ///
  /// - Throws: `WorkflowFailure`: `usage` for a name that is neither built in nor a file's, for an
  ///   assignment with a mistake, for a parameter set twice and for thresholds that ask for more,
  ///   `noInput` for a missing file, `badData` for a bad one and for mistakes in a file's choice.
  func resolve() throws(WorkflowFailure) -> (DetectorDefinition, ParameterValues) {
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

/// Smoothing and debounce as a user names them.
struct SteadyingChoice: Hashable, Sendable {
  /// A smoothing strategy in text form; nil for none.
  var smoothing: String?
  /// A debounce strategy in text form; nil for the detector's own parameters.
  var debounce: String?
  /// Where both were written.
  var source: ChoiceSource

  /// Makes a choice.
  init(
    smoothing: String? = nil, debounce: String? = nil, source: ChoiceSource = .options
  ) {
    self.source = source
    self.smoothing = smoothing
    self.debounce = debounce
  }

  /// Whether anything is named.
  var isGiven: Bool { smoothing != nil || debounce != nil }

  /// Reads both and puts them into a detector.
  ///
  /// - Throws: `WorkflowFailure` (`usage`, in a file `badData`) for texts with a mistake and
  ///   strategies that do not fit the detector.
  func steady(
    _ definition: DetectorDefinition, _ parameters: ParameterValues
  ) throws(WorkflowFailure) -> SteadyDetector {
    let choice: SmoothingChoice
    do {
      choice = try smoothing.map(SmoothingChoice.init(text:)) ?? .none
    } catch {
      throw source.failure(
        option: "--smoothing", text: smoothing, fields: ["smoothing"],
        "\(error); `planklab smoothers` lists all")
    }
    let strategy: DebounceStrategy
    do {
      strategy =
        try debounce.map { text throws(StrategyTextError) in
          try DebounceStrategy(text: text, parameters: parameters.definitions)
        } ?? .parameters
    } catch {
      throw source.failure(
        option: "--debounce", text: debounce, fields: ["debounce"],
        "\(error); `planklab smoothers` lists all")
    }
    do {
      var causal = SmoothingStrategy.none
      if case .causal(let chain) = choice { causal = chain }
      let detector = try BatchDetector(
        definition, parameters: parameters, smoothing: causal, debounce: strategy)
      return SteadyDetector(detector: detector, smoothing: choice)
    } catch {
      throw source.failure(option: nil, fields: ["debounce", "smoothing", "set"], "\(error)")
    }
  }
}

/// A detector with smoothing that may look ahead.
struct SteadyDetector: Sendable {
  /// The detector; it smooths by itself where that is causal.
  let detector: BatchDetector
  /// The smoothing.
  let smoothing: SmoothingChoice

  /// Whether joints and measurements stay as they are.
  var isUnsmoothed: Bool { smoothing.isNone }

  /// Smoothing in text form, every number written.
  var smoothingText: String { smoothing.text }

  /// Debounce in text form, every number written.
  var debounceText: String {
    detector.debounce.text(parameters: detector.parameters.definitions)
  }

  /// Measures a recording, smoothed.
  func measure(_ recording: Recording, also extra: MeasurementSet = []) -> MeasurementColumns {
    smoothing.measure(recording, detector, also: extra)
  }

  /// What must be said of the smoothing; nil where an app could run it.
  var caution: String? {
    smoothing.isCausal
      ? nil
      : "The smoothing \(smoothingText) looks ahead: no app can answer so; it bounds what "
        + "smoothing could do."
  }
}

extension BatchDetector {
  /// Compiles a detector with parameters of its own.
  init(
    compiling definition: DetectorDefinition, _ parameters: ParameterValues
  ) throws(WorkflowFailure) {
    do {
      try self.init(definition, parameters: parameters)
    } catch {
      throw WorkflowFailure(.usage, "\(error)")
    }
  }
}
