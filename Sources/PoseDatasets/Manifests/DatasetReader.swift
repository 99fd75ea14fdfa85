import PoseModel

/// A dataset: its manifest, and its sequences one at a time.
package struct DatasetReader: Sendable {
  /// The path of the manifest.
  package let manifestPath: String
  /// What the manifest says.
  package let manifest: DatasetManifest

  /// Opens a dataset.
  ///
  /// - Parameter path: the folder with a `dataset.yaml` in it, or the manifest itself.
  /// - Throws: `DatasetError`; its `isMissingInput` tells a missing dataset from a bad one.
  package init(path: String) throws(DatasetError) {
    manifestPath =
      FileDescriptor.isDirectory(path)
      ? DatasetPath.join(path, DatasetManifest.fileName) : path
    let bytes = try FileBytes.contents(of: manifestPath)
    do {
      manifest = try DatasetManifest(bytes: bytes, file: manifestPath)
    } catch {
      throw .invalidManifest(error)
    }
  }

  /// The dataset's folder; empty for the current one.
  package var folder: String { DatasetPath.split(manifestPath).folder }

  /// The splits that sequences name, in the order of the manifest.
  package var splits: [String] {
    var splits: [String] = []
    for case let split? in manifest.sequences.map(\.split) where !splits.contains(split) {
      splits.append(split)
    }
    return splits
  }

  /// The sequences of a split, or all of them.
  ///
  /// - Throws: `DatasetError.unknownSplit`, which lists the known splits.
  package func sequences(split: String? = nil) throws(DatasetError) -> [SequenceEntry] {
    guard let split else { return manifest.sequences }
    guard splits.contains(split) else {
      throw .unknownSplit(file: manifestPath, found: split, known: splits)
    }
    return manifest.sequences.filter { $0.split == split }
  }

  /// The path of a file of the dataset, as it can be opened.
  package func path(of relativePath: String) -> String {
    DatasetPath.join(folder, relativePath)
  }

  /// Loads one sequence: its recording and its labels.
  package func load(_ entry: SequenceEntry) throws(DatasetError) -> DatasetSequence {
    let file = try RecordingReader.read(path: path(of: entry.posesPath))
    var labels: LabelTrack?
    if let labelsPath = entry.labelsPath {
      labels = try LabelsReader.read(path: path(of: labelsPath)).track
    }
    return DatasetSequence(
      name: entry.name, recording: file.recording, labels: labels,
      subject: entry.subject ?? file.recording.header.subject, split: entry.split,
      startsMid: entry.startsMid, tags: entry.tags, posesWithoutMatrix: file.posesWithoutMatrix)
  }
}
