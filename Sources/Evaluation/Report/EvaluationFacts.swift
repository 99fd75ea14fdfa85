internal import PoseModel

package struct DatasetIdentity: Hashable, Sendable, Codable {
  package var name: String
  package var hash: String
  package var posesHash: String
  package var labelsHash: String
  package var manifestHash: String
  package var split: String?
  package var parts: [DatasetIdentity]

  private enum CodingKeys: String, CodingKey {
    case name, hash, split, parts
    case posesHash = "poses_hash"
    case labelsHash = "labels_hash"
    case manifestHash = "manifest_hash"
  }

  package init(
    name: String, hash: String, posesHash: String, labelsHash: String, manifestHash: String,
    split: String? = nil, parts: [DatasetIdentity] = []
  ) {
    self.name = name
    self.hash = hash
    self.posesHash = posesHash
    self.labelsHash = labelsHash
    self.manifestHash = manifestHash
    self.split = split
    self.parts = parts
  }
}

/// `scored`, `ignored` and `unlabeled` add up to `frames` (of the plank stream); `missing`,
/// `undetermined` and `held` are over all frames.
package struct DatasetFacts: Codable, Hashable, Sendable {
  package let sequenceCount: Int
  package let subjects: [String]
  package let sources: [String]
  package let counts: FrameCounts

  private enum CodingKeys: String, CodingKey {
    case sequenceCount = "sequences"
    case subjects, sources, counts
  }

  init(_ sequences: [SequenceScores]) {
    sequenceCount = sequences.count
    subjects = Set(sequences.compactMap(\.subject)).sorted()
    sources = Set(sequences.compactMap(\.source)).sorted()
    counts = sequences.reduce(into: FrameCounts()) { $0 += $1.plank.frames }
  }
}

package struct DetectorFacts: Codable, Hashable, Sendable {
  package struct Parameter: Codable, Hashable, Sendable {
    package let key: String
    package let value: Double
    package let unit: String
    package let defaultValue: Double

    private enum CodingKeys: String, CodingKey {
      case key = "parameter"
      case value, unit
      case defaultValue = "default"
    }

    package init(key: String, value: Double, unit: String, defaultValue: Double) {
      self.key = key
      self.value = value
      self.unit = unit
      self.defaultValue = defaultValue
    }
  }

  package var name: String
  package var description: String
  package var rules: PerStream<[String]>
  package var parameters: [Parameter]
  package var debounceKeys: [String]

  private enum CodingKeys: String, CodingKey {
    case name, description, rules, parameters
    case debounceKeys = "debounce_parameters"
  }

  package init(
    name: String, description: String,
    rules: PerStream<[String]> = PerStream(plank: [], form: []), parameters: [Parameter] = [],
    debounceKeys: [String] = []
  ) {
    self.name = name
    self.description = description
    self.rules = rules
    self.parameters = parameters
    self.debounceKeys = debounceKeys
  }
}
