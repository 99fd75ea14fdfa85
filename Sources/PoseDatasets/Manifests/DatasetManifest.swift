/// What a `dataset.yaml` says.
package struct DatasetManifest: Hashable, Sendable {
  /// The file name of a manifest inside its folder.
  package static let fileName = "dataset.yaml"

  /// The dataset's name, where given.
  package var name: String?
  /// What the dataset is, where given.
  package var description: String?
  /// The license of the data, where given.
  package var license: String?
  /// The sequences in the order of the file; at least one in a manifest that was read.
  package var sequences: [SequenceEntry]
  /// Keys that no reader knows.
  package internal(set) var unknownKeys: [UnknownKey] = []

  /// Makes a manifest.
  package init(
    name: String? = nil, description: String? = nil, license: String? = nil,
    sequences: [SequenceEntry]
  ) {
    self.name = name
    self.description = description
    self.license = license
    self.sequences = sequences
  }

  /// A key of a manifest that no reader knows.
  package struct UnknownKey: Hashable, Sendable {
    /// Where the key stands, such as `sequences[2].lables`.
    package let field: String
    /// Its line, from 1.
    package let line: Int
    /// The keys that are known there.
    package let known: [String]
  }
}

/// One sequence as a manifest names it.
package struct SequenceEntry: Hashable, Sendable {
  /// The path of the recording inside the dataset's folder, with `/`.
  package var posesPath: String
  /// The path of the labels inside the dataset's folder; nil for an unlabeled recording.
  package var labelsPath: String?
  /// Who was recorded, where the manifest says so.
  package var subject: String?
  /// The split that the sequence belongs to.
  package var split: String?
  /// Whether the recording begins inside a hold.
  package var startsMid: Bool
  /// Further properties, such as the distance of the camera.
  package var tags: [String: String]
  /// The line of the entry, from 1; 0 where the entry was not read.
  package internal(set) var line = 0

  /// Makes an entry.
  package init(
    posesPath: String, labelsPath: String? = nil, subject: String? = nil, split: String? = nil,
    startsMid: Bool = false, tags: [String: String] = [:]
  ) {
    self.posesPath = posesPath
    self.labelsPath = labelsPath
    self.subject = subject
    self.split = split
    self.startsMid = startsMid
    self.tags = tags
  }

  /// The sequence's name: the recording's path without `.poses.jsonl` or `.poses.jsonl.gz`.
  package var name: String {
    for suffix in [".poses.jsonl", ".poses.jsonl.gz"] where posesPath.hasSuffix(suffix) {
      return String(posesPath.dropLast(suffix.count))
    }
    return posesPath
  }
}
