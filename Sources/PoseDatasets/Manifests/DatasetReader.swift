package import PoseModel
package import PoseRecording

package struct DatasetReader: Sendable {
  package let manifestPath: String
  package private(set) var manifest: DatasetManifest
  package private(set) var activities: ActivitiesReader.File?

  /// Opens a dataset: `path` is a folder with `dataset.yaml`, or the manifest itself.
  ///
  /// A `DatasetError` has `isMissingInput` if there is no dataset, but not if the dataset is bad.
  package init(path: String) throws {
    try self.init(withoutActivitiesAt: path)
    activities = try ActivitiesReader.read(folder: folder, of: manifest.sequences)
  }

  init(withoutActivitiesAt path: String) throws {
    manifestPath =
      try FileDescriptor.isFolder(path) ? DatasetPath.join(path, DatasetManifest.fileName) : path
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

  package init(recording path: String) throws {
    manifestPath = path
    let (folder, file) = DatasetPath.split(path)
    var entry = SequenceEntry(posesPath: file)
    if try FileDescriptor.isFile(DatasetPath.join(folder, entry.labelsName)) {
      entry.labelsPath = entry.labelsName
    }
    manifest = DatasetManifest(name: entry.name, sequences: [entry])
  }

  package func only(_ entry: SequenceEntry) -> DatasetReader {
    var dataset = self
    dataset.manifest.sequences = [entry]
    return dataset
  }

  func with(_ activities: ActivitiesReader.File?) -> DatasetReader {
    var dataset = self
    dataset.activities = activities
    return dataset
  }

  package var folder: String { DatasetPath.split(manifestPath).folder }

  package var splits: [String] { manifest.sequences.compactMap(\.split).distinct }

  package func sequences(split: String? = nil) throws -> [SequenceEntry] {
    guard let split else { return manifest.sequences }
    guard splits.contains(split) else {
      throw DatasetError.unknownSplit(file: manifestPath, found: split, known: splits)
    }
    return manifest.sequences.filter { $0.split == split }
  }

  package func path(of relativePath: String) -> String { DatasetPath.join(folder, relativePath) }

  package func onsetsPath(of entry: SequenceEntry) throws -> String? {
    guard let labelsPath = entry.labelsPath else { return nil }
    let onsetsPath = OnsetsReader.path(besideLabelsAt: labelsPath)
    return try FileDescriptor.isFile(path(of: onsetsPath)) ? onsetsPath : nil
  }

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

package struct DatasetSequence: Sendable {
  package let name: String
  package let recording: Recording
  package let labels: LabelTrack?
  package let subject: String?
  package let split: String?
  package let startsMid: Bool
  package let calibration: ConfirmedHold?
  package let tags: [String: String]
  package let activities: ActivityTrack?
  package let posesWithoutMatrix: Int

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

  package func truth() -> FrameTruth {
    labels?.truth(at: recording.times) ?? FrameTruth(count: recording.frameCount)
  }
}

enum DatasetPath {
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

  static func join(_ folder: String, _ path: String) -> String {
    if folder.isEmpty { return path }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }
}

package enum DatasetError: Error, Hashable, Sendable {
  case missingFile(path: String)
  case directoryForFile(path: String)
  case notAFile(path: String)
  case unreadableFile(path: String, code: Int32)
  case invalidText(file: String, line: Int?, problem: TextProblem)
  case invalidRecording(file: String, line: Int?, problem: RecordingProblem)
  case invalidLabels(file: String, line: Int?, problem: LabelsProblem)
  case invalidManifest(FieldError)
  case unknownSplit(file: String, found: String, known: [String])
  case hashingFailed

  package var isMissingInput: Bool {
    switch self {
    case .missingFile, .directoryForFile, .notAFile, .unreadableFile: true
    default: false
    }
  }

  private var parts: (file: String, line: Int?, message: String, remedy: String) {
    switch self {
    case .missingFile(let path): (path, nil, "there is no such file", "check the path")
    case .directoryForFile(let path):
      (path, nil, "found a folder; allowed: a file", "give a file inside the folder")
    case .notAFile(let path):
      (
        path, nil, "found a pipe or a device; allowed: a file",
        "save its output to a file and give that file"
      )
    case .unreadableFile(let path, let code):
      (
        path, nil, "cannot be opened (\(FileDescriptor.message(of: code)))",
        FileDescriptor.remedy(forLimit: code) ?? "check its permissions"
      )
    case .invalidText(let file, let line, let problem):
      (file, line, problem.message, problem.remedy)
    case .invalidRecording(let file, let line, let problem):
      (file, line, problem.message, problem.remedy)
    case .invalidLabels(let file, let line, let problem):
      (file, line, problem.message, problem.remedy)
    case .invalidManifest(let error): (error.file, error.line, error.message, error.remedy)
    case .unknownSplit(let file, let found, let known):
      (
        file, nil,
        "found the split `\(found)`; allowed: "
          + (known.isEmpty ? "none, because no sequence names one" : known.joined(separator: ", ")),
        NearestNames.hint(found, among: known) + "choose one of the splits, or remove the option"
      )
    case .hashingFailed:
      (
        "libcrypto", nil, "SHA-256 could not be computed",
        "check that the library is installed and supports SHA-256"
      )
    }
  }

  package var file: String { parts.file }
  package var line: Int? { parts.line }
}

extension DatasetError: CustomStringConvertible {
  package var message: String { parts.message }
  package var remedy: String { parts.remedy }

  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(message); \(remedy)"
  }
}
