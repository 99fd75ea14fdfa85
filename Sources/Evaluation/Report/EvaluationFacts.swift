internal import PoseModel

/// The identity of an evaluation's data, as given by the caller.
package struct DatasetIdentity: Hashable, Sendable, Codable {
  /// The dataset's name.
  package var name: String
  /// The identity of the whole dataset, in hexadecimal.
  package var hash: String
  /// The identity of the recordings.
  package var posesHash: String
  /// The identity of the labels.
  package var labelsHash: String
  /// The identity of the manifest.
  package var manifestHash: String
  /// The split that was evaluated; nil for the whole dataset.
  package var split: String?
  /// The datasets that are evaluated together, in the order given; empty for a single one.
  package var parts: [DatasetIdentity]

  private enum CodingKeys: String, CodingKey {
    case name, hash, split, parts
    case posesHash = "poses_hash"
    case labelsHash = "labels_hash"
    case manifestHash = "manifest_hash"
  }

  /// Makes an identity.
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

/// The data of an evaluation, and how much of it was scored.
///
/// Counts are frames of the plank stream over all sequences: `scored`, `ignored` and `unlabeled`
/// add up to `frames`; `missing`, `undetermined` and `held` are over all frames.
package struct DatasetFacts: Codable, Hashable, Sendable {
  /// How many sequences were evaluated.
  package let sequenceCount: Int
  /// Who was recorded, in order of names; sequences without a subject add none.
  package let subjects: [String]
  /// The sources over which metrics are averaged, in order of names; empty for a single one.
  package let sources: [String]
  /// The number of frames of each kind.
  package let counts: FrameCounts

  private enum CodingKeys: String, CodingKey {
    case sequenceCount = "sequences"
    case subjects, sources, counts
  }

  /// Sums up the sequences.
  init(_ sequences: [SequenceScores]) {
    sequenceCount = sequences.count
    subjects = Set(sequences.compactMap(\.subject)).sorted()
    sources = Set(sequences.compactMap(\.source)).sorted()
    counts = sequences.reduce(into: FrameCounts()) { $0 += $1.plank.frames }
  }
}

/// The evaluated detector.
package struct DetectorFacts: Codable, Hashable, Sendable {
  /// A parameter with its value.
  package struct Parameter: Codable, Hashable, Sendable {
    /// The key on the command line, in YAML and in JSON.
    package let key: String
    /// The value, in `unit`.
    package let value: Double
    /// The unit; `-` for pure numbers.
    package let unit: String
    /// The detector's default.
    package let defaultValue: Double

    private enum CodingKeys: String, CodingKey {
      case key = "parameter"
      case value, unit
      case defaultValue = "default"
    }

    /// Makes a parameter.
    package init(key: String, value: Double, unit: String, defaultValue: Double) {
      self.key = key
      self.value = value
      self.unit = unit
      self.defaultValue = defaultValue
    }
  }

  /// The detector's name.
  package var name: String
  /// A description in one sentence.
  package var description: String
  /// The rules of each stream in order; empty if only answers are known.
  package var rules: PerStream<[String]>
  /// The parameters that the rules use.
  package var parameters: [Parameter]
  /// The keys of the parameters that debounce the answers; empty if a strategy does.
  package var debounceKeys: [String]

  private enum CodingKeys: String, CodingKey {
    case name, description, rules, parameters
    case debounceKeys = "debounce_parameters"
  }

  /// Makes the facts of a detector.
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
