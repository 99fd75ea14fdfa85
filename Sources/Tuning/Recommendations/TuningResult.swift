package import Evaluation
package import PlankDetection

package struct TuningResult: Codable, Hashable, Sendable {
  package let question: String?
  package let sequences: Int
  package let frames: Int
  package let noEvidence: PerStream<[String]>
  package let parameters: [ParameterFact]
  package private(set) var streams: [StreamRecommendation]
  package let engine: String
  package let validation: String
  package let notes: [String]
  package let commands: ResultCommands?

  private enum CodingKeys: String, CodingKey {
    case question, sequences, frames, parameters, streams, engine, validation, notes, commands
    case noEvidence = "no_evidence"
  }

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

package struct ParameterFact: Codable, Hashable, Sendable {
  package let key: ParameterKey
  package let value: Double
  package let unit: MeasurementUnit
  package let defaultValue: Double

  private enum CodingKeys: String, CodingKey {
    case value, unit
    case key = "parameter"
    case defaultValue = "default"
  }

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

  package var atDefault: ParameterFact { ParameterFact(self, value: defaultValue) }

  package var isChanged: Bool { value != defaultValue }
}

extension ParameterValues {
  package func facts(_ keys: [ParameterKey]? = nil) -> [ParameterFact] {
    entries.filter { entry in keys?.contains(entry.definition.key) ?? true }
      .map { ParameterFact($0.definition, $0.value) }
  }
}
