internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import PoseRecording

enum DatasetAccess {
  /// Opens a dataset.
  ///
  /// - Throws: with the exit code `usage` for the path of a recording, `noInput` for a path that
  ///   does not exist, `badData` for a manifest with a mistake.
  static func open(_ path: String) throws -> DatasetReader {
    guard !path.hasSuffix(".poses.jsonl"), !path.hasSuffix(".poses.jsonl.gz") else {
      throw WorkflowFailure(
        .usage, "\(path): is a recording; give the folder of its dataset, or its dataset.yaml")
    }
    return try DatasetReader(path: path)
  }

  /// A recording comes with its entry in the nearest manifest above it, if there is one.
  static func openRecordings(_ path: String) throws -> DatasetReader {
    guard !path.hasSuffix(".labels.csv") else {
      throw WorkflowFailure(
        .usage, "\(path): is a file of labels; give the recording beside it, a .poses.jsonl")
    }
    guard let recording = try RecordingPath(path) else { return try open(path) }
    return try recording.reader()
  }
}

extension WorkflowFailure {
  /// A failure to read; an unknown split is a mistake on the command line.
  init(_ error: DatasetError) {
    switch error {
    case .unknownSplit: self.init(.usage, "\(error)")
    case .missingFile(let path) where path.hasSuffix("/" + DatasetManifest.fileName):
      let folder = ShellWord.quoted(String(path.dropLast(DatasetManifest.fileName.count + 1)))
      self.init(
        .noInput,
        "\(path): \(error.message); for recordings, `planklab dataset init \(folder)` makes it; files "
          + "of other programs are imported with `planklab import \(folder) --output DIR`")
    case .invalidRecording(let file, 1?, let problem) where problem.isOfAnotherFormat:
      self.init(
        .badData,
        "\(file): is no recording (line 1: \(problem.message)); a file of another program is imported "
          + "with `planklab import \(ShellWord.quoted(file)) --output DIR`")
    case .missingFile(let path):
      self.init(.noInput, "\(path): \(error.message); \(Self.nearestFiles(path))\(error.remedy)")
    default: self.init(error.isMissingInput ? .noInput : .badData, "\(error)")
    }
  }

  /// A failure to find a recording, which may be one that reports name without its dataset.
  init(missingRecording path: String) {
    self.init(
      .noInput,
      "\(path): there is no such file; \(Self.nearestFiles(path))give the path of a recording, or "
        + "its dataset and then its name: DATASET \(path)")
  }

  private static func nearestFiles(_ path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard let name = parts.last else { return "" }
    let folder = (path.hasPrefix("/") ? "/" : "./") + parts.dropLast().joined(separator: "/")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return NearestNames.hint(String(name), among: names.sorted())
  }
}

/// Each of several datasets is a source.
///
/// Sequences and subjects carry its name, so that two people called s01 stay two people. A tag can
/// distinguish sources within a dataset.
struct DatasetCollection: Sendable {
  struct Part: Sendable {
    let reader: DatasetReader
    let split: String?
    let entries: [SequenceEntry]

    var name: String { reader.name }

    init(_ reader: DatasetReader, split: String?) throws {
      self.reader = reader
      self.split = split
      entries = try reader.sequences(split: split)
    }

    func identity(progress: @escaping ProgressReport) throws -> Evaluation.DatasetIdentity {
      try DatasetIdentities.identity(of: reader, split: split, progress: progress)
    }
  }

  struct Entry: Sendable {
    let name: String
    let entry: SequenceEntry
    let source: String?
    let part: Int
  }

  let parts: [Part]
  /// The tag that tells sources apart within a dataset; nil if each dataset is one source.
  let sourceTag: String?
  let entries: [Entry]

  var isUnlabeled: Bool { entries.allSatisfy { $0.entry.labelsPath == nil } }

  /// - Throws: for names that cannot tell datasets apart, and for a labeled sequence without the
  /// tag that tells sources apart.
  init(_ parts: [Part], sourceTag: String? = nil) throws {
    if parts.count > 1 { try Self.checkNames(parts.map(\.name)) }
    var entries: [Entry] = []
    for (index, part) in parts.enumerated() {
      let dataset = parts.count > 1 ? part.name : nil
      for entry in part.entries {
        entries.append(
          Entry(
            name: Self.joined(dataset, entry.name), entry: entry,
            source: try Self.source(of: entry, in: part, dataset, sourceTag), part: index))
      }
    }
    self.parts = parts
    self.sourceTag = sourceTag
    self.entries = entries
  }

  init(opening paths: [String], split: String? = nil, sourceTag: String? = nil) throws {
    var readers: [DatasetReader] = []
    for path in paths { readers.append(try DatasetAccess.openRecordings(path)) }
    if let work = try Self.work(readers, split: split) { Terminal.say(work) }
    try self.init(readers.map { try Part($0, split: split) }, sourceTag: sourceTag)
  }

  private static let announcedBytes = 500e6

  static func work(_ readers: [DatasetReader], split: String?) throws -> String? {
    var (count, bytes) = (0, 0.0)
    for reader in readers {
      for entry in try reader.sequences(split: split) {
        var status = stat()
        guard stat(reader.path(of: entry.posesPath), &status) == 0 else { continue }
        count += 1
        bytes += Double(status.st_size)
      }
    }
    guard bytes >= announcedBytes else { return nil }
    return "reading \(NumberText.count(count, "sequence")), \(SizeText.bytes(bytes)) of recordings"
  }

  /// Nil unless the manifest names a video that is there.
  func videoPath(of entry: Entry) throws -> String? {
    guard let video = entry.entry.videoPath else { return nil }
    let path = parts[entry.part].reader.path(of: video)
    return try FileDescriptor.isFile(path) ? path : nil
  }

  func load(_ entry: Entry) throws -> DatasetSequence {
    let part = parts[entry.part]
    let sequence = try part.reader.load(entry.entry)
    guard parts.count > 1 else { return sequence }
    return DatasetSequence(
      name: entry.name, recording: sequence.recording, labels: sequence.labels,
      subject: sequence.subject.map { Self.joined(part.name, $0) },
      split: sequence.split, startsMid: sequence.startsMid, calibration: sequence.calibration,
      tags: sequence.tags, activities: sequence.activities,
      posesWithoutMatrix: sequence.posesWithoutMatrix)
  }

  func reader(of entry: Entry) -> DatasetReader { parts[entry.part].reader }

  /// The names of all sequences, including other splits.
  var allNames: [String] {
    parts.flatMap { part in
      part.reader.manifest.sequences.map {
        Self.joined(parts.count > 1 ? part.name : nil, $0.name)
      }
    }
  }

  var place: String {
    parts.count == 1 ? parts[0].reader.manifestPath : name
  }

  private static func joined(_ dataset: String?, _ name: String) -> String {
    dataset.map { $0 + "/" + name } ?? name
  }

  private static func checkNames(_ names: [String]) throws {
    var seen: Set<String> = []
    for name in names {
      guard seen.insert(name).inserted else {
        throw WorkflowFailure(
          .badData,
          "two datasets are called \(name); give each dataset once, or rename one in its manifest")
      }
      guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
        throw WorkflowFailure(
          .badData,
          "a dataset is called `\(name)`, which cannot be a prefix of its sequences' names; "
            + "rename it in its manifest, without a slash")
      }
    }
  }

  private static func source(
    of entry: SequenceEntry, in part: Part, _ dataset: String?, _ tag: String?
  ) throws -> String? {
    guard let tag else { return dataset }
    guard let value = entry.tags[tag] else {
      if entry.labelsPath == nil { return dataset }  // not scored
      throw WorkflowFailure(
        .badData,
        "\(part.name): \(entry.posesPath) has no tag `\(tag)`, which tells sources apart; "
          + "add it to the manifest, or leave out the tag")
    }
    return joined(dataset, value)
  }
}

extension DatasetCollection {
  var name: String { parts.map(\.name).joined(separator: ", ") }

  /// O(bytes), whatever the split: about a twelfth of what it takes to evaluate the files.
  func identity(progress: @escaping ProgressReport) throws -> Evaluation.DatasetIdentity {
    try DatasetIdentities.identity(of: parts.map { try $0.identity(progress: progress) })
  }
}

enum DatasetIdentities {
  static func identity(
    of reader: DatasetReader, split: String?, progress: @escaping ProgressReport
  ) throws -> Evaluation.DatasetIdentity {
    let hashes = try DatasetHashes(of: reader) { progress($0, $1, "files") }
    return Evaluation.DatasetIdentity(
      name: reader.name, hash: "\(hashes.hash)",
      posesHash: "\(hashes.poses)", labelsHash: "\(hashes.labels)",
      manifestHash: "\(hashes.manifest)", split: split)
  }

  /// For several datasets, every hash is SHA-256(0x03, that hash of each dataset in hexadecimal
  /// digits); the datasets are sorted by name, so that their order does not matter.
  static func identity(
    of parts: [Evaluation.DatasetIdentity]
  ) throws -> Evaluation.DatasetIdentity {
    guard parts.count != 1 else { return parts[0] }
    func combined(_ hash: KeyPath<Evaluation.DatasetIdentity, String>) throws -> String {
      let sorted = parts.sorted { $0.name < $1.name }.map { $0[keyPath: hash] }
      return "\(try SHA256Digest(of: [0x03] + Array(sorted.joined().utf8)))"
    }
    return Evaluation.DatasetIdentity(
      name: parts.map(\.name).joined(separator: ", "), hash: try combined(\.hash),
      posesHash: try combined(\.posesHash), labelsHash: try combined(\.labelsHash),
      manifestHash: try combined(\.manifestHash), split: parts[0].split, parts: parts)
  }
}

extension DatasetReader {
  fileprivate var name: String {
    manifest.name ?? folder.split(separator: "/").last.map(String.init) ?? "dataset"
  }
}

extension RecordingProblem {
  /// Whether a first line with it is no header of ours.
  fileprivate var isOfAnotherFormat: Bool {
    switch self {
    case .notJSON, .notAnObject, .missingField("format"): true
    default: false
    }
  }
}
