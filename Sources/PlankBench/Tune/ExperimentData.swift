internal import Evaluation
internal import FoundationEssentials
internal import ParameterTuning
internal import PoseDatasets
internal import PoseModel

/// The datasets of an experiment: where its sequences come from.
///
/// Of several datasets each is a source. Their sequences and subjects carry the dataset's name, so
/// that two people called s01 stay two people.
struct ExperimentData: Sendable {
  /// A dataset.
  struct Part: Sendable {
    let reader: DatasetReader
    /// Name, hashes and split.
    let identity: Evaluation.DatasetIdentity
    /// Every sequence of the split.
    let entries: [SequenceEntry]
  }

  /// A labeled sequence of one of the datasets.
  struct Entry: Sendable {
    fileprivate let part: Int
    fileprivate let entry: SequenceEntry
  }

  /// The datasets, in the order of the experiment.
  let parts: [Part]
  /// The tag that tells sources apart within a dataset; nil where each dataset is one.
  let sourceTag: String?

  /// Opens the datasets of an experiment.
  ///
  /// - Throws: `WorkflowFailure` with the place in the experiment's file for what is not there.
  init(_ experiment: Experiment) throws(WorkflowFailure) {
    let parts = try experiment.datasets.map { (path) throws(WorkflowFailure) in
      try Self.part(path, experiment)
    }
    var names: Set<String> = []
    for part in parts where !names.insert(part.identity.name).inserted {
      throw WorkflowFailure(
        .badData,
        experiment.places.message(
          ["dataset"],
          "two datasets are called \(part.identity.name); name each dataset once, and rename one in "
            + "its manifest"))
    }
    self.parts = parts
    sourceTag = experiment.sourceTag
  }

  private static func part(
    _ path: String, _ experiment: Experiment
  ) throws(WorkflowFailure) -> Part {
    guard !experiment.flags.datasets.isEmpty || FileManager.default.fileExists(atPath: path) else {
      throw WorkflowFailure(
        .noInput,
        experiment.places.message(
          ["dataset"],
          "\(path): no such dataset; write its path as seen from the folder of this file"))
    }
    let reader = try DatasetAccess.open(path)
    let entries: [SequenceEntry]
    do {
      entries = try reader.sequences(split: experiment.split)
    } catch {
      guard experiment.flags.split == nil, case .unknownSplit = error else {
        throw WorkflowFailure(error)
      }
      throw WorkflowFailure(.badData, experiment.places.message(["split"], "\(error)"))
    }
    let identity = try DatasetAccess.failing { () throws(DatasetError) in
      try DatasetIdentities.identity(of: reader, split: experiment.split)
    }
    return Part(reader: reader, identity: identity, entries: entries)
  }

  /// The sequences that have labels, dataset by dataset.
  var labeled: [Entry] {
    parts.indices.flatMap { part in
      parts[part].entries.filter { $0.labelsPath != nil }.map { Entry(part: part, entry: $0) }
    }
  }

  /// How many sequences have no labels.
  var unlabeledCount: Int { parts.reduce(0) { $0 + $1.entries.count } - labeled.count }

  /// Reads a sequence.
  func load(_ entry: Entry) throws(WorkflowFailure) -> DatasetSequence {
    try DatasetAccess.load(entry.entry, from: parts[entry.part].reader)
  }

  /// A sequence as tuning takes it.
  ///
  /// - Parameter sequence: what was loaded, or the same with its frames made worse.
  /// - Throws: `WorkflowFailure` for a sequence without the tag that tells sources apart.
  func tuning(
    _ sequence: DatasetSequence, _ entry: Entry
  ) throws(WorkflowFailure) -> TuningSequence {
    let prefix = parts.count > 1 ? parts[entry.part].identity.name + "/" : ""
    return TuningSequence(
      name: prefix + sequence.name, subject: sequence.subject.map { prefix + $0 },
      source: try source(of: entry), recording: sequence.recording, truth: sequence.truth(),
      startsMid: sequence.startsMid)
  }

  private func source(of entry: Entry) throws(WorkflowFailure) -> String? {
    let dataset = parts.count > 1 ? parts[entry.part].identity.name : nil
    guard let sourceTag else { return dataset }
    guard let value = entry.entry.tags[sourceTag] else {
      throw WorkflowFailure(
        .badData,
        "\(parts[entry.part].identity.name): \(entry.entry.posesPath) has no tag `\(sourceTag)`, which "
          + "tells sources apart; add it to the manifest, or remove source_tag")
    }
    return [dataset, value].compactMap(\.self).joined(separator: "/")
  }
}
