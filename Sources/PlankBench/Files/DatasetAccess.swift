internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import PoseModel

/// Opens datasets for commands: errors of the reader become failures with an exit code.
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

  /// Opens a dataset, or one recording as a dataset of its own.
  ///
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

  /// Suggests the files of the same folder whose names are nearest to a missing one.
  private static func nearestFiles(_ path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard let name = parts.last else { return "" }
    let folder = (path.hasPrefix("/") ? "/" : "./") + parts.dropLast().joined(separator: "/")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return NearestNames.hint(String(name), among: names.sorted())
  }
}

/// The datasets of a command, from which its sequences come.
///
/// If there are several, each is a source. Their sequences and subjects carry the dataset's name,
/// so that two people called s01 stay two people. A tag can distinguish sources within a dataset.
struct DatasetCollection: Sendable {
  /// A dataset.
  struct Part: Sendable {
    let reader: DatasetReader
    /// The split; nil for the whole dataset.
    let split: String?
    /// Every sequence of the split.
    let entries: [SequenceEntry]

    /// The dataset's name, that of its folder if it has none.
    var name: String { reader.name }

    /// Takes the sequences of a split, or all of them.
    init(_ reader: DatasetReader, split: String?) throws {
      self.reader = reader
      self.split = split
      entries = try reader.sequences(split: split)
    }

    /// Name, split and hashes, for which all files are read.
    func identity(progress: @escaping ProgressReport) throws -> Evaluation.DatasetIdentity {
      try DatasetIdentities.identity(of: reader, split: split, progress: progress)
    }
  }

  /// A sequence of one of the datasets.
  struct Entry: Sendable {
    /// The sequence's name, unique in the collection.
    let name: String
    /// The files of its recording and its labels.
    let entry: SequenceEntry
    /// Its source; nil if all data is one source.
    let source: String?
    /// The position of its dataset.
    let part: Int
  }

  /// The datasets, in the order given.
  let parts: [Part]
  /// The tag that tells sources apart within a dataset; nil if each dataset is one source.
  let sourceTag: String?
  /// The sequences, dataset by dataset.
  let entries: [Entry]

  /// Whether no sequence has labels.
  var isUnlabeled: Bool { entries.allSatisfy { $0.entry.labelsPath == nil } }

  /// Collects datasets.
  ///
  /// - Throws: with the exit code `badData` for names that cannot tell datasets apart, and for a
  ///   labeled sequence without the tag that tells sources apart.
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

  /// Opens datasets.
  ///
  /// - Parameter paths: their folders or manifests, or recordings alone; at least one.
  /// - Throws: as the other initializer, and for datasets that do not exist.
  init(opening paths: [String], split: String? = nil, sourceTag: String? = nil) throws {
    var readers: [DatasetReader] = []
    for path in paths { readers.append(try DatasetAccess.openRecordings(path)) }
    if let work = try Self.work(readers, split: split) { Terminal.say(work) }
    try self.init(readers.map { try Part($0, split: split) }, sourceTag: sourceTag)
  }

  /// From this many bytes of recordings on, reading them is announced.
  private static let announcedBytes = 500e6

  /// What will be read, in words, if there is a lot of it; nil if reading takes little time.
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

  /// The path of a sequence's video, if its manifest names one that is there.
  ///
  /// - Throws: as `FileDescriptor.status`.
  func videoPath(of entry: Entry) throws -> String? {
    guard let video = entry.entry.videoPath else { return nil }
    let path = parts[entry.part].reader.path(of: video)
    return try FileDescriptor.isFile(path) ? path : nil
  }

  /// Reads a sequence; name and subject are unique in the collection.
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

  /// The dataset of a sequence.
  func reader(of entry: Entry) -> DatasetReader { parts[entry.part].reader }

  /// The names of all sequences, including other splits.
  var allNames: [String] {
    parts.flatMap { part in
      part.reader.manifest.sequences.map {
        Self.joined(parts.count > 1 ? part.name : nil, $0.name)
      }
    }
  }

  /// The place of a single dataset's manifest, or the names of several datasets.
  var place: String {
    parts.count == 1 ? parts[0].reader.manifestPath : name
  }

  private static func joined(_ dataset: String?, _ name: String) -> String {
    dataset.map { $0 + "/" + name } ?? name
  }

  /// Names become prefixes of sequences' names, and folders in which tables are written.
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
  /// The name of the data: that of the dataset, or those of all datasets.
  var name: String { parts.map(\.name).joined(separator: ", ") }

  /// The identity of the data: that of the dataset, or one that covers all datasets.
  ///
  /// - Complexity: O(bytes), whatever the split: about a twelfth of what it takes to evaluate the files.
  func identity(progress: @escaping ProgressReport) throws -> Evaluation.DatasetIdentity {
    try DatasetIdentities.identity(of: parts.map { try $0.identity(progress: progress) })
  }
}

/// Turns the hashes of a dataset's files into the identity in reports.
enum DatasetIdentities {
  /// The identity of a dataset; hashes cover all of it, whatever the split.
  static func identity(
    of reader: DatasetReader, split: String?, progress: @escaping ProgressReport
  ) throws -> Evaluation.DatasetIdentity {
    let hashes = try DatasetHashes(of: reader) { progress($0, $1, "files") }
    return Evaluation.DatasetIdentity(
      name: reader.name, hash: "\(hashes.hash)",
      posesHash: "\(hashes.poses)", labelsHash: "\(hashes.labels)",
      manifestHash: "\(hashes.manifest)", split: split)
  }

  /// The identity of datasets that are evaluated together; a single dataset keeps its own.
  ///
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
  /// The name in the manifest, or else the last part of the folder's path.
  fileprivate var name: String {
    manifest.name ?? folder.split(separator: "/").last.map(String.init) ?? "dataset"
  }
}
