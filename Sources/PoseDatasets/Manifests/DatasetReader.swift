package import PoseModel

/// A dataset: its manifest, and its sequences one at a time.
package struct DatasetReader: Sendable {
  /// The path of the manifest.
  package let manifestPath: String
  /// The content of the manifest, with the labels that are found beside recordings by name.
  package let manifest: DatasetManifest
  /// What people do in the recordings; nil if nothing is beside the manifest that says so.
  package let activities: ActivitiesReader.File?

  /// Opens a dataset.
  ///
  /// - Parameter path: the folder with a `dataset.yaml` in it, or the manifest itself.
  /// - Throws: `DatasetError`; its `isMissingInput` distinguishes a missing dataset from a bad one.
  package init(path: String) throws {
    let dataset = try DatasetReader(withoutActivitiesAt: path)
    self.init(
      manifestPath: dataset.manifestPath, manifest: dataset.manifest,
      activities: try ActivitiesReader.read(
        folder: dataset.folder, of: dataset.manifest.sequences))
  }

  /// Opens a dataset without looking at what is beside its manifest.
  ///
  /// - Throws: as the other initializer.
  init(withoutActivitiesAt path: String) throws {
    activities = nil
    manifestPath =
      try FileDescriptor.isFolder(path)
      ? DatasetPath.join(path, DatasetManifest.fileName) : path
    let bytes = try FileBytes.contents(of: manifestPath)
    var manifest: DatasetManifest
    do {
      manifest = try DatasetManifest(bytes: bytes, file: manifestPath)
    } catch let error as FieldError {
      throw DatasetError.invalidManifest(error)
    }
    let folder = DatasetPath.split(manifestPath).folder
    for index in manifest.sequences.indices where manifest.sequences[index].labelsPath == nil {
      let name = manifest.sequences[index].labelsName
      if try FileDescriptor.isFile(DatasetPath.join(folder, name)) {
        manifest.sequences[index].labelsPath = name
      }
    }
    self.manifest = manifest
  }

  /// Treats one recording as a dataset, with the labels that are found beside it by name.
  ///
  /// The recording takes the place of the missing manifest.
  ///
  /// - Throws: `DatasetError.unreadableFile` where the system does not tell whether there are labels.
  package init(recording path: String) throws {
    manifestPath = path
    let (folder, file) = DatasetPath.split(path)
    var entry = SequenceEntry(posesPath: file)
    if try FileDescriptor.isFile(DatasetPath.join(folder, entry.labelsName)) {
      entry.labelsPath = entry.labelsName
    }
    manifest = DatasetManifest(name: entry.name, sequences: [entry])
    activities = nil
  }

  /// The dataset with only one of its sequences.
  package func only(_ entry: SequenceEntry) -> DatasetReader {
    var manifest = manifest
    manifest.sequences = [entry]
    return DatasetReader(manifestPath: manifestPath, manifest: manifest, activities: activities)
  }

  /// The dataset with the activities of all of its sequences.
  func with(_ activities: ActivitiesReader.File?) -> DatasetReader {
    DatasetReader(manifestPath: manifestPath, manifest: manifest, activities: activities)
  }

  private init(
    manifestPath: String, manifest: DatasetManifest, activities: ActivitiesReader.File?
  ) {
    self.manifestPath = manifestPath
    self.manifest = manifest
    self.activities = activities
  }

  /// The dataset's folder; empty for the current one.
  package var folder: String { DatasetPath.split(manifestPath).folder }

  /// The splits of the sequences, in the order of the manifest.
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
  package func sequences(split: String? = nil) throws -> [SequenceEntry] {
    guard let split else { return manifest.sequences }
    guard splits.contains(split) else {
      throw DatasetError.unknownSplit(file: manifestPath, found: split, known: splits)
    }
    return manifest.sequences.filter { $0.split == split }
  }

  /// The path of a file of the dataset, as it can be opened.
  package func path(of relativePath: String) -> String {
    DatasetPath.join(folder, relativePath)
  }

  /// The path of the onsets beside a sequence's labels, inside the dataset's folder; nil if there
  /// are none.
  ///
  /// - Throws: `DatasetError.unreadableFile` where the system does not tell.
  package func onsetsPath(of entry: SequenceEntry) throws -> String? {
    guard let labelsPath = entry.labelsPath else { return nil }
    let onsetsPath = OnsetsReader.path(besideLabelsAt: labelsPath)
    return try FileDescriptor.isFile(path(of: onsetsPath)) ? onsetsPath : nil
  }

  /// Loads one sequence: its recording, its labels and its activities.
  package func load(_ entry: SequenceEntry) throws -> DatasetSequence {
    let file = try RecordingReader.read(path: path(of: entry.posesPath))
    var labels: LabelTrack?
    if let labelsPath = entry.labelsPath {
      var track = try LabelsReader.read(path: path(of: labelsPath)).track
      if let onsetsPath = try onsetsPath(of: entry) {
        track = try OnsetsReader.read(path: path(of: onsetsPath), of: track)
      }
      labels = track
    }
    return DatasetSequence(
      name: entry.name, recording: file.recording, labels: labels,
      subject: entry.subject ?? file.recording.header.subject, split: entry.split,
      startsMid: entry.startsMid, calibration: entry.calibration, tags: entry.tags,
      activities: activities?.tracks[entry.name], posesWithoutMatrix: file.posesWithoutMatrix)
  }
}

/// One sequence of a dataset, loaded.
package struct DatasetSequence: Sendable {
  /// The sequence's name: the recording's path without `.poses.jsonl` or `.poses.jsonl.gz`.
  package let name: String
  /// The recording, unmirrored if it was mirrored.
  package let recording: Recording
  /// The labels; nil for an unlabeled recording.
  package let labels: LabelTrack?
  /// Who was recorded: the manifest's subject, or else the header's.
  package let subject: String?
  /// The split that the sequence belongs to.
  package let split: String?
  /// Whether the recording starts inside a hold.
  package let startsMid: Bool
  /// The seconds in which somebody confirmed the position of the body; nil if nobody did.
  package let calibration: ConfirmedHold?
  /// Further properties, such as the distance of the camera.
  package let tags: [String: String]
  /// What the person does, besides the labels; nil if nobody says so.
  package let activities: ActivityTrack?
  /// Frames in pelvis axes with a pose but no camera matrix, which therefore count as missing.
  package let posesWithoutMatrix: Int

  /// Makes a sequence.
  package init(
    name: String, recording: Recording, labels: LabelTrack?, subject: String? = nil,
    split: String? = nil, startsMid: Bool = false, calibration: ConfirmedHold? = nil,
    tags: [String: String] = [:], activities: ActivityTrack? = nil, posesWithoutMatrix: Int = 0
  ) {
    self.name = name
    self.recording = recording
    self.labels = labels
    self.subject = subject
    self.split = split
    self.startsMid = startsMid
    self.calibration = calibration
    self.tags = tags
    self.activities = activities
    self.posesWithoutMatrix = posesWithoutMatrix
  }

  /// The truth of every frame; without labels, every frame is unlabeled.
  package func truth() -> FrameTruth {
    labels?.truth(at: recording.times) ?? FrameTruth(count: recording.frameCount)
  }
}

/// Paths of files inside a dataset's folder.
enum DatasetPath {
  /// A path without empty and `.` parts and with `..` resolved by name.
  ///
  /// - Returns: nil for a path that is absolute, empty, or leaves the folder.
  static func normalized(_ path: String) -> String? {
    guard !path.hasPrefix("/") else { return nil }
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      switch part {
      case ".": continue
      case "..":
        guard parts.popLast() != nil else { return nil }
      default: parts.append(part)
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "/")
  }

  /// A path inside a folder; the folder may be empty for the current one.
  static func join(_ folder: String, _ path: String) -> String {
    if folder.isEmpty { return path }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  /// The folder and the name of a file; the folder is empty if the path has none.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }
}
