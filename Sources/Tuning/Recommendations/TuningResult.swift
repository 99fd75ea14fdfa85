package import Evaluation
package import PlankDetection

/// A recommendation for a dataset, with all its evidence.
package struct TuningResult: Codable, Hashable, Sendable {
  /// The experiment's question, if it states one.
  package let question: String?
  /// How many labeled sequences were used.
  package let sequences: Int
  /// How many frames they have.
  package let frames: Int
  /// The sequences that have too few determined frames to be evidence.
  package let noEvidence: PerStream<[String]>
  /// Every parameter of the recommended detector.
  package let parameters: [ParameterFact]
  /// One recommendation per tuned stream, in the order of the objectives.
  package private(set) var streams: [StreamRecommendation]
  /// The engine that evaluated the cells, in words.
  package let engine: String
  /// What was held out, in words.
  package let validation: String
  /// Further remarks.
  package let notes: [String]
  /// What to type to get the result again; nil in results that were saved before it was kept.
  package let commands: ResultCommands?

  private enum CodingKeys: String, CodingKey {
    case question, sequences, frames, parameters, streams, engine, validation, notes, commands
    case noEvidence = "no_evidence"
  }

  /// Makes a result.
  package init(
    question: String?, sequences: Int, frames: Int, noEvidence: PerStream<[String]>,
    parameters: [ParameterFact], streams: [StreamRecommendation], engine: String,
    validation: String, notes: [String], commands: ResultCommands? = nil
  ) {
    self.question = question
    self.sequences = sequences
    self.frames = frames
    self.noEvidence = noEvidence
    self.parameters = parameters
    self.streams = streams
    self.engine = engine
    self.validation = validation
    self.notes = notes
    self.commands = commands
  }
}

extension TuningResult {
  /// The result without what only figures draw: the evidence that a thresholds file keeps.
  package var withoutViews: TuningResult {
    var result = self
    for index in result.streams.indices { result.streams[index].views = ObjectiveViews() }
    return result
  }
}

/// A parameter with a value.
package struct ParameterFact: Codable, Hashable, Sendable {
  /// The parameter.
  package let key: ParameterKey
  /// The value, in `unit`.
  package let value: Double
  /// The unit.
  package let unit: MeasurementUnit
  /// The detector's default.
  package let defaultValue: Double

  private enum CodingKeys: String, CodingKey {
    case value, unit
    case key = "parameter"
    case defaultValue = "default"
  }

  /// States a value.
  package init(_ definition: ParameterDefinition, _ value: Double) {
    key = definition.key
    self.value = value
    unit = definition.unit
    defaultValue = definition.defaultValue
  }

  private init(_ fact: ParameterFact, value: Double) {
    key = fact.key
    self.value = value
    unit = fact.unit
    defaultValue = fact.defaultValue
  }

  /// The parameter with the detector's default as its value.
  package var atDefault: ParameterFact { ParameterFact(self, value: defaultValue) }

  /// Whether the value differs from the default.
  package var isChanged: Bool { value != defaultValue }
}

extension ParameterValues {
  /// The facts of some parameters, in output order; by default of all.
  package func facts(_ keys: [ParameterKey]? = nil) -> [ParameterFact] {
    entries.filter { entry in keys?.contains(entry.definition.key) ?? true }
      .map { ParameterFact($0.definition, $0.value) }
  }
}
