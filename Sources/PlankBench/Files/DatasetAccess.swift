internal import ArgumentParser
internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import PoseRecording
internal import Reports
internal import Statistics

enum DatasetAccess {
  static let recordingEndings = [".poses.jsonl", ".poses.jsonl.gz"]

  static func isRecordingName(_ path: String) -> Bool {
    recordingEndings.contains(where: path.hasSuffix)
  }

  static func open(_ path: String) throws -> DatasetReader {
    try require(
      !isRecordingName(path), .usage,
      "\(path): is a recording; give its dataset's folder or dataset.yaml")
    return try DatasetReader(path: path)
  }

  static func openRecordings(_ path: String) throws -> DatasetReader {
    try require(
      !path.hasSuffix(".labels.csv"), .usage,
      "\(path): is a label file; give the recording beside it, a .poses.jsonl file")
    guard let recording = try RecordingPath(path) else { return try open(path) }
    return try recording.reader()
  }
}

extension WorkflowFailure {
  init(_ error: DatasetError) {
    switch error {
    case .unknownSplit: self.init(.usage, "\(error)")
    case .missingFile(let path) where path.hasSuffix("/" + DatasetManifest.fileName):
      let folder = ShellWord.quoted(String(path.dropLast(DatasetManifest.fileName.count + 1)))
      self.init(
        .noInput,
        "\(path): \(error.message); for recordings, make one with `planklab dataset update "
          + "\(folder)`; for other programs' files, use `planklab import \(folder) --output DIR`")
    case .invalidRecording(let file, 1?, let problem) where problem.isOfAnotherFormat:
      self.init(
        .badData,
        "\(file): is not a recording (line 1: \(problem.message)); import another program's file "
          + "with `planklab import \(ShellWord.quoted(file)) --output DIR`")
    case .missingFile(let path):
      self.init(.noInput, "\(path): \(error.message); \(Self.nearestFiles(path))\(error.remedy)")
    default: self.init(error.isMissingInput ? .noInput : .badData, "\(error)")
    }
  }

  init(missingRecording path: String) {
    self.init(
      .noInput,
      "\(path): there is no such file; \(Self.nearestFiles(path))give the path of a recording, or "
        + "its dataset followed by its name: DATASET \(path)")
  }

  private static func nearestFiles(_ path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard let name = parts.last else { return "" }
    let folder = (path.hasPrefix("/") ? "/" : "./") + parts.dropLast().joined(separator: "/")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return NearestNames.hint(String(name), among: names.sorted())
  }
}

/// With several datasets, sequences and subjects carry the name of their dataset, so that two
/// people called s01 stay two people.
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
  let sourceTag: String?
  let entries: [Entry]

  var isUnlabeled: Bool { entries.allSatisfy { $0.entry.labelsPath == nil } }

  init(_ parts: [Part], sourceTag: String? = nil) throws {
    if parts.count > 1 { try Self.checkNames(parts.map(\.name)) }
    entries = try parts.enumerated().flatMap { index, part in
      let dataset = parts.count > 1 ? part.name : nil
      return try part.entries.map { entry in
        Entry(
          name: Self.joined(dataset, entry.name), entry: entry,
          source: try Self.source(of: entry, in: part, dataset, sourceTag), part: index)
      }
    }
    self.parts = parts
    self.sourceTag = sourceTag
  }

  init(opening paths: [String], split: String? = nil, sourceTag: String? = nil) throws {
    let readers = try paths.map(DatasetAccess.openRecordings)
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

  var allNames: [String] {
    parts.flatMap { part in
      part.reader.manifest.sequences.map { Self.joined(parts.count > 1 ? part.name : nil, $0.name) }
    }
  }

  var place: String { parts.count == 1 ? parts[0].reader.manifestPath : name }

  private static func joined(_ dataset: String?, _ name: String) -> String {
    dataset.map { $0 + "/" + name } ?? name
  }

  private static func checkNames(_ names: [String]) throws {
    var seen: Set<String> = []
    for name in names {
      try require(
        seen.insert(name).inserted, .badData,
        "two datasets are called \(name); give each dataset once, or rename one in its manifest")
      try require(
        !name.isEmpty && !name.contains("/") && name != "." && name != "..", .badData,
        "a dataset is called `\(name)`, which cannot be a prefix of its sequences' names; "
          + "rename it in its manifest, without a slash")
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
        "\(part.name): \(entry.posesPath) has no tag `\(tag)` to identify its source; add the tag to "
          + "the manifest, or remove --source-tag")
    }
    return joined(dataset, value)
  }

  var name: String { parts.map(\.name).joined(separator: ", ") }

  /// The split does not change the identity.
  ///
  /// Hashing takes about a twelfth of the time of an evaluation.
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

  /// Each hash is SHA-256(0x03, the same hash of each dataset in hexadecimal digits), with datasets
  /// sorted by name.
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
  fileprivate var isOfAnotherFormat: Bool {
    switch self {
    case .notJSON, .notAnObject, .missingField("format"): true
    default: false
    }
  }
}

struct RecordingArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A recording (.poses.jsonl or .poses.jsonl.gz), or a dataset that contains it.",
      discussion: "If planklab.yaml names a dataset, the name of a recording in it is enough."),
    completion: .recording)
  var recording: String = ""

  @Argument(help: "The recording's name in the dataset, as `evaluate` prints it.")
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
    return reader.only(try DatasetShow.entry(named: sequence, of: reader))
  }
}

struct RecordingPath {
  private let path: String

  init?(_ path: String) throws {
    let isManifest = Self.manifestEndings.contains(where: path.hasSuffix)
    let candidates =
      (isManifest ? [] : [path]) + DatasetAccess.recordingEndings.map { path + $0 }
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

  private static let manifestEndings = [".yaml", ".yml"]

  private static let mostFolders = 8
}

enum FrameDegradation: Hashable, Sendable {
  case halved
  case dropped(Double)
  /// Each time gets a normally distributed error with this standard deviation; frames keep their
  /// order.
  case jitteredClock(Seconds)
  case beginning(frames: Int)
  case atMost(Hertz)
  /// Each joint gets white noise as large as its own noise in this sequence's holds, if there are
  /// any.
  case noisier

  func applied(to sequence: DatasetSequence, _ stream: RandomStream) -> DatasetSequence {
    let recording = sequence.recording
    let noise = self == .noisier ? Self.jointNoise(of: sequence) : []
    let stride = recording.layout.stride
    var result = Recording(header: recording.header)
    var lastTime = -Double.infinity
    for frame in 0..<recording.frameCount {
      let recorded = recording.times[frame]
      guard let time = time(recorded, frame, recording.times[0], lastTime, stream) else { continue }
      var pose: [Float]?
      if recording.hasPose(at: frame) {
        let start = frame * stride
        pose = Array(recording.positions[start..<start + stride])
        for (place, deviation) in noise.enumerated() {
          pose?[place] += Float(stream.gaussian(standardDeviation: deviation))
        }
      }
      lastTime = time
      result.append(time: Seconds(time), pose: pose, extras: recording.extras(at: frame))
    }
    return DatasetSequence(
      name: sequence.name, recording: result, labels: sequence.labels,
      subject: sequence.subject, startsMid: sequence.startsMid, tags: sequence.tags,
      activities: sequence.activities)
  }

  private func time(
    _ time: Double, _ frame: Int, _ first: Double, _ last: Double, _ stream: RandomStream
  ) -> Double? {
    switch self {
    case .noisier: return time
    case .beginning(let frames): return frame < frames ? time : nil
    case .halved: return frame.isMultiple(of: 2) ? time : nil
    case .dropped(let share): return stream.bernoulli(share) ? nil : time
    case .jitteredClock(let deviation):
      return max(last + 0.001, time + stream.gaussian(standardDeviation: deviation.value))
    case .atMost(let rate):
      // Slots start a quarter of a slot early, so that a clock with smaller jitter loses no slot.
      func slot(_ time: Double) -> Double { ((time - first) * rate.value + 0.25).rounded(.down) }
      return slot(time) > slot(last) ? time : nil
    }
  }

  /// In meters, one value for every number in a frame; 0 if unknown.
  private static func jointNoise(of sequence: DatasetSequence) -> [Double] {
    let recording = sequence.recording
    let joints = JointSeries(recording)
    let holds = HoldSegments.find(in: sequence.truth())
    return recording.layout.joints.flatMap { joint in
      let noise = joints.noise(of: joint, on: holds, times: recording.times) ?? 0
      return Array(repeating: noise, count: recording.layout.dimension)
    }
  }
}
