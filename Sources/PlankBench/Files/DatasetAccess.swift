internal import Evaluation
internal import PoseDatasets

/// Opens datasets for workflows: errors of the reader become failures with an exit code.
enum DatasetAccess {
  /// Opens a dataset.
  static func open(_ path: String) throws(WorkflowFailure) -> DatasetReader {
    try failing { () throws(DatasetError) in try DatasetReader(path: path) }
  }

  /// Loads one sequence.
  static func load(
    _ entry: SequenceEntry, from reader: DatasetReader
  ) throws(WorkflowFailure) -> DatasetSequence {
    do {
      return try reader.load(entry)
    } catch {
      throw WorkflowFailure(error)
    }
  }

  /// Runs a reading step; missing input is `noInput`, everything else `badData`.
  static func failing<Result>(
    _ body: () throws(DatasetError) -> Result
  ) throws(WorkflowFailure) -> Result {
    do {
      return try body()
    } catch {
      throw WorkflowFailure(error)
    }
  }
}

extension WorkflowFailure {
  /// A failure to read; an unknown split is a mistake on the command line.
  init(_ error: DatasetError) {
    if case .unknownSplit = error {
      self.init(.usage, "\(error)")
    } else {
      self.init(error.isMissingInput ? .noInput : .badData, "\(error)")
    }
  }
}

/// Turns the hashes of a dataset's files into the identity that reports carry.
enum DatasetIdentities {
  /// The identity of a dataset; hashes cover all of it, whatever the split.
  static func identity(
    of reader: DatasetReader, split: String?
  ) throws(DatasetError) -> Evaluation.DatasetIdentity {
    let hashes = try DatasetHashes(of: reader)
    return Evaluation.DatasetIdentity(
      name: reader.manifest.name ?? reader.folderName, hash: "\(hashes.hash)",
      posesHash: "\(hashes.poses)", labelsHash: "\(hashes.labels)",
      manifestHash: "\(hashes.manifest)", split: split)
  }
}

extension DatasetReader {
  /// The last part of the folder's path, for datasets without a name.
  fileprivate var folderName: String {
    folder.split(separator: "/").last.map(String.init) ?? "dataset"
  }
}
