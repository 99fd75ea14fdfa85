package import Evaluation
@_spi(Bench) package import PlankDetection
package import PoseModel

/// A recommendation for a dataset, with all its evidence.
package struct TuningResult: Sendable {
  /// The provenance of the data.
  package struct Data: Hashable, Sendable {
    /// Name, hashes and split of every dataset.
    package let identities: [Evaluation.DatasetIdentity]
    /// How many labeled sequences were used.
    package let sequences: Int
    /// How many frames they have.
    package let frames: Int
    /// The names of the datasets.
    package var name: String { identities.map(\.name).joined(separator: ", ") }

    /// The sequences that have too few determined frames to be evidence, by stream.
    package let noEvidence: [AnswerStream: [String]]

    /// States what the data were.
    package init(
      identities: [Evaluation.DatasetIdentity], sequences: Int, frames: Int,
      noEvidence: [AnswerStream: [String]]
    ) {
      self.identities = identities
      self.sequences = sequences
      self.frames = frames
      self.noEvidence = noEvidence
    }
  }

  /// The experiment's question, if it states one.
  package let question: String?
  /// The data.
  package let data: Data
  /// Every parameter of the recommended detector.
  package let parameters: [ParameterFact]
  /// One recommendation per tuned stream, in the order of the objectives.
  package let streams: [StreamRecommendation]
  /// The engine that evaluated the cells, in words.
  package let engine: String
  /// What was held out, in words.
  package let validation: String
  /// Further remarks.
  package let notes: [String]
  /// The provenance of the result.
  package let provenance: [(key: String, value: String)]

  /// Makes a result.
  package init(
    question: String?, data: Data, parameters: [ParameterFact], streams: [StreamRecommendation],
    engine: String, validation: String, notes: [String],
    provenance: [(key: String, value: String)]
  ) {
    self.question = question
    self.data = data
    self.parameters = parameters
    self.streams = streams
    self.engine = engine
    self.validation = validation
    self.notes = notes
    self.provenance = provenance
  }
}

/// A parameter with a value, in plain words for reports.
package struct ParameterFact: Hashable, Sendable {
  /// The name.
  package let key: String
  /// The value, in `unit`.
  package let value: Double
  /// The unit; `-` for pure numbers.
  package let unit: String
  /// The detector's default.
  package let defaultValue: Double

  /// States a value.
  package init(_ definition: ParameterDefinition, _ value: Double) {
    key = definition.key.rawValue
    self.value = value
    unit = definition.unit.rawValue
    defaultValue = definition.defaultValue
  }
}

extension ParameterValues {
  /// The facts of some parameters, in output order; by default of all.
  package func facts(_ keys: [ParameterKey]? = nil) -> [ParameterFact] {
    entries.filter { entry in keys?.contains(entry.definition.key) ?? true }
      .map { ParameterFact($0.definition, $0.value) }
  }
}
