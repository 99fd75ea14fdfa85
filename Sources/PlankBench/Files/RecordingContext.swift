internal import ArgumentParser
internal import Evaluation
internal import Platform
internal import PoseDatasets

struct RecordingArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The recording (.poses.jsonl or .poses.jsonl.gz), or a dataset with the recording.",
      discussion: "Where planklab.yaml names a dataset, a recording of it is enough."),
    completion: .recording)
  var recording: String = ""

  @Argument(help: "The recording's name in the dataset, as printed by `evaluate`.")
  var sequence: String?

  func filled(_ defaults: inout DefaultsOption) throws -> RecordingArguments {
    var filled = self
    if recording.isEmpty {
      filled.recording = try defaults.dataset("")
    } else if sequence == nil, try isMissing, let dataset = defaults.file?.dataset,
      try FileDescriptor.exists(dataset)
    {
      let names = try DatasetAccess.openRecordings(dataset).manifest.sequences.map(\.name)
      guard names.contains(where: { $0 == recording || $0.hasSuffix("/" + recording) }) else {
        return self
      }
      filled.sequence = recording
      filled.recording = try defaults.dataset("")
    }
    return filled
  }

  func reader() throws -> DatasetReader {
    try checkPlace()
    return try RecordingContext.reader(recording, sequence: sequence)
  }

  func identity() throws -> Evaluation.DatasetIdentity {
    try DatasetIdentities.identity(of: reader(), split: nil) { _, _, _ in }
  }

  func context() throws -> RecordingContext {
    try checkPlace()
    return try RecordingContext(path: recording, sequence: sequence)
  }

  private var isMissing: Bool {
    get throws { try RecordingPath(recording) == nil && !FileDescriptor.exists(recording) }
  }

  private func checkPlace() throws {
    guard sequence == nil, try isMissing else { return }
    throw WorkflowFailure(missingRecording: recording)
  }
}

struct RecordingContext {
  let sequence: DatasetSequence
  var videoPath: String?

  init(sequence: DatasetSequence) { self.sequence = sequence }

  /// The nearest `dataset.yaml` above that lists the recording gives labels, subject and `starts`;
  /// without one, the `.labels.csv` of the same name beside it gives the labels.
  init(path: String, sequence name: String? = nil) throws {
    let reader = try Self.reader(path, sequence: name)
    let entries = reader.manifest.sequences
    guard entries.count == 1 else {
      let names = entries.prefix(5).map(\.name).joined(separator: ", ")
      throw WorkflowFailure(
        .usage, "\(path): is a dataset; add the name of one of its recordings, such as \(names)")
    }
    self.init(sequence: try reader.load(entries[0]))
    let video = entries[0].videoPath.map(reader.path)
    videoPath = try video.flatMap { try FileDescriptor.isFile($0) ? $0 : nil }
  }

  static func reader(_ path: String, sequence: String?) throws -> DatasetReader {
    let reader = try DatasetAccess.openRecordings(path)
    guard let sequence else { return reader }
    return reader.only(try DatasetShow.chosen(reader, sequence)[0])
  }
}

struct RecordingPath {
  private let path: String

  /// Nil if there is no recording: a folder, a manifest, or nothing.
  init?(_ path: String) throws {
    let isManifest = Self.manifestEndings.contains(where: path.hasSuffix)
    let candidates = [isManifest ? nil : path].compactMap(\.self) + Self.endings.map { path + $0 }
    guard let found = try candidates.first(where: FileDescriptor.isFile) else { return nil }
    self.path = found
  }

  func reader() throws -> DatasetReader {
    let target = try OutputFile.standardized(path)
    var folder = URL(filePath: target).deletingLastPathComponent()
    for _ in 0..<Self.mostFolders {
      let manifest = folder.appending(path: DatasetManifest.fileName).path
      if try FileDescriptor.exists(manifest) {
        let reader = try DatasetAccess.open(manifest)
        let entry = try reader.manifest.sequences.first {
          try OutputFile.standardized(reader.path(of: $0.posesPath)) == target
        }
        if let entry { return reader.only(entry) }
      }
      guard folder.path != "/" else { break }
      folder = folder.deletingLastPathComponent()
    }
    return try DatasetReader(recording: path)
  }

  private static let endings = [".poses.jsonl", ".poses.jsonl.gz"]
  private static let manifestEndings = [".yaml", ".yml"]

  private static let mostFolders = 8
}
