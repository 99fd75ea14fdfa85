internal import FoundationEssentials
internal import PoseDatasets
internal import PoseModel

/// A recording named by its path, with what a dataset above it knows.
struct RecordingContext {
  /// The recording with its labels.
  let sequence: DatasetSequence
  /// The manifest that named it, where one does.
  let manifestPath: String?

  /// Loads a recording.
  ///
  /// The nearest `dataset.yaml` above it that names it gives labels, subject and `starts`; without
  /// one, the `.labels.csv` of the same name beside the recording gives the labels.
  init(path: String) throws(WorkflowFailure) {
    if let (reader, entry) = try Self.manifestEntry(of: path) {
      manifestPath = reader.manifestPath
      sequence = try DatasetAccess.load(entry, from: reader)
      return
    }
    manifestPath = nil
    let file = try DatasetAccess.failing { () throws(DatasetError) in
      try RecordingReader.read(path: path)
    }
    sequence = DatasetSequence(
      name: path, recording: file.recording, labels: try Self.labels(beside: path),
      subject: file.recording.header.subject, split: nil, startsMid: false, tags: [:],
      posesWithoutMatrix: file.posesWithoutMatrix)
  }

  private static func labels(beside path: String) throws(WorkflowFailure) -> LabelTrack? {
    for suffix in [".poses.jsonl.gz", ".poses.jsonl"] where path.hasSuffix(suffix) {
      let labels = path.dropLast(suffix.count) + ".labels.csv"
      guard FileManager.default.fileExists(atPath: String(labels)) else { continue }
      return try DatasetAccess.failing { () throws(DatasetError) in
        try LabelsReader.read(path: String(labels)).track
      }
    }
    return nil
  }

  private static func manifestEntry(
    of path: String
  ) throws(WorkflowFailure) -> (DatasetReader, SequenceEntry)? {
    let target = absolute(path)
    var folder = URL(filePath: target).deletingLastPathComponent()
    for _ in 0..<8 {
      let manifest = folder.appending(path: DatasetManifest.fileName).path
      if FileManager.default.fileExists(atPath: manifest) {
        let reader = try DatasetAccess.open(manifest)
        let entry = reader.manifest.sequences.first {
          absolute(reader.path(of: $0.posesPath)) == target
        }
        if let entry { return (reader, entry) }
      }
      guard folder.path != "/" else { return nil }
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }

  private static func absolute(_ path: String) -> String {
    URL(filePath: path).standardizedFileURL.path
  }
}
