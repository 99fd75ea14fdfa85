package import PoseModel

/// The content of a `dataset.yaml`.
package struct DatasetManifest: Hashable, Sendable {
  /// The file name of a manifest inside its folder.
  package static let fileName = "dataset.yaml"

  /// The dataset's name, if given.
  package var name: String?
  /// A description of the dataset, if given.
  package var description: String?
  /// The license of the data, if given.
  package var license: String?
  /// The sequences in the order of the file; at least one in a manifest that was read.
  package var sequences: [SequenceEntry]
  /// Unknown keys.
  package internal(set) var unknownKeys: [UnknownKey] = []

  /// Makes a manifest.
  package init(
    name: String? = nil, description: String? = nil, license: String? = nil,
    sequences: [SequenceEntry]
  ) {
    self.name = name
    self.description = description
    self.license = license
    self.sequences = sequences
  }

  /// An unknown key of a manifest.
  package struct UnknownKey: Hashable, Sendable {
    /// The place of the key, such as `sequences[2].lables`.
    package let field: String
    /// Its line, from 1.
    package let line: Int
    /// The known keys at that place.
    package let known: [String]
  }
}

/// One sequence of a manifest.
package struct SequenceEntry: Hashable, Sendable {
  /// The path of the recording inside the dataset's folder, with `/`.
  package var posesPath: String
  /// The path of the labels inside the dataset's folder; nil for an unlabeled recording.
  package var labelsPath: String?
  /// The path of a video of the recording inside the dataset's folder, if there is one.
  package var videoPath: String?
  /// Who was recorded, if the manifest says so.
  package var subject: String?
  /// The split that the sequence belongs to.
  package var split: String?
  /// Whether the recording starts inside a hold.
  package var startsMid: Bool
  /// The seconds in which somebody confirmed the position of the body, if anybody did.
  package var calibration: ConfirmedHold?
  /// Further properties, such as the distance of the camera.
  package var tags: [String: String]
  /// The line of the entry, from 1; 0 if the entry was not read from a file.
  package internal(set) var line = 0

  /// Makes an entry.
  package init(
    posesPath: String, labelsPath: String? = nil, videoPath: String? = nil,
    subject: String? = nil, split: String? = nil, startsMid: Bool = false,
    calibration: ConfirmedHold? = nil, tags: [String: String] = [:]
  ) {
    self.posesPath = posesPath
    self.labelsPath = labelsPath
    self.videoPath = videoPath
    self.subject = subject
    self.split = split
    self.startsMid = startsMid
    self.calibration = calibration
    self.tags = tags
  }

  /// The place of the sequence's labels unless the manifest gives another: beside it, by name.
  package var labelsName: String { name + ".labels.csv" }

  /// The sequence's name: the recording's path without `.poses.jsonl` or `.poses.jsonl.gz`.
  package var name: String {
    for suffix in [".poses.jsonl", ".poses.jsonl.gz"] where posesPath.hasSuffix(suffix) {
      return String(posesPath.dropLast(suffix.count))
    }
    return posesPath
  }
}

extension DatasetManifest {
  /// The keys of a manifest.
  private static let keys = ["name", "description", "license", "sequences"]

  /// Reads a manifest from bytes.
  ///
  /// Unknown keys are collected in `unknownKeys`.
  ///
  /// - Parameter file: its name in errors.
  /// - Throws: `FieldError` with file, line and remedy.
  package init(bytes: [UInt8], file: String) throws {
    let map = try YAMLDocument(bytes: bytes, file: file).root.map()
    let list = try map.required("sequences")
    let nodes = try list.list()
    guard !nodes.isEmpty else {
      throw list.error(
        allowed: "at least one sequence", remedy: "add `- poses: ...`", found: "an empty list")
    }
    var entries: [SequenceEntry] = []
    var unknown = map.unknownKeys(known: Self.keys)
    for node in nodes {
      let entryMap = try node.map()
      entries.append(try SequenceEntry(entryMap))
      unknown += entryMap.unknownKeys(known: SequenceEntry.keys)
      unknown +=
        try entryMap.optional("calibration")?.map().unknownKeys(known: ConfirmedHold.keys) ?? []
    }
    try Self.rejectRepeats(entries, nodes: nodes)
    self.init(
      name: try map.optional("name")?.string(),
      description: try map.optional("description")?.string(),
      license: try map.optional("license")?.string(), sequences: entries)
    unknownKeys = unknown
  }

  private static func rejectRepeats(_ entries: [SequenceEntry], nodes: [YAMLNode]) throws {
    var lines: [String: Int] = [:]
    for (entry, node) in zip(entries, nodes) {
      guard let earlier = lines.updateValue(entry.line, forKey: entry.name) else { continue }
      throw node.error(
        allowed: "each recording once", remedy: "remove one of the two entries",
        found: "the recording `\(entry.name)`, which line \(earlier) already names")
    }
  }
}

extension SequenceEntry {
  /// The keys of an entry.
  fileprivate static let keys = [
    "poses", "labels", "video", "subject", "split", "starts", "calibration", "tags",
  ]

  fileprivate init(_ map: YAMLMap) throws {
    self.init(
      posesPath: try Self.path(
        map.required("poses"), not: Self.otherKinds + [".csv"],
        kind: "a recording, whose name ends in .poses.jsonl or .poses.jsonl.gz"))
    if let node = map.optional("labels") {
      labelsPath = try Self.path(
        node, not: Self.otherKinds + [".jsonl", ".gz", ".json"],
        kind: "labels, whose name ends in .labels.csv")
    }
    if let node = map.optional("video") {
      videoPath = try Self.path(
        node, not: Self.otherKinds + [".jsonl", ".gz", ".json", ".csv"], kind: "a video")
    }
    subject = try map.optional("subject")?.string()
    split = try map.optional("split")?.string()
    startsMid = try map.optional("starts")?.choice([("mid", true)]) ?? false
    if let node = map.optional("calibration") { calibration = try ConfirmedHold(node) }
    for entry in try map.optional("tags")?.map().entries ?? [] where !entry.value.isNull {
      tags[entry.key] = try entry.value.string()
    }
    line = map.node.line
  }

  /// Suffixes of files that are neither recordings nor labels.
  private static let otherKinds = [".yaml", ".yml", ".md", ".html", ".sqlite"]

  /// The path of a file, whose name must not be that of another kind of file.
  private static func path(_ node: YAMLNode, not endings: [String], kind: String) throws -> String {
    let text = try node.string()
    guard !text.unicodeScalars.contains("\0") else {
      throw node.error(
        allowed: "a path without a NUL character", remedy: "write the file's name without it")
    }
    guard let path = DatasetPath.normalized(text) else {
      throw node.error(
        allowed: "a path inside the dataset's folder",
        remedy: "move the file into the folder and give its path from there")
    }
    guard !endings.contains(where: path.hasSuffix) else {
      throw node.error(allowed: kind, remedy: "name a file of that kind, or rename it")
    }
    return path
  }
}

extension ConfirmedHold {
  /// The keys of a hold.
  fileprivate static let keys = ["start", "end", "angle_deg"]

  fileprivate init(_ node: YAMLNode) throws {
    let map = try node.map()
    let start = try map.required("start").double()
    let end = try map.required("end").double()
    let angle = map.optional("angle_deg")
    guard Self.allows(Seconds(end - start)) else {
      throw node.error(
        allowed: "an `end` that is 1 to 10 s after `start`",
        remedy: "confirm a hold of such a length", found: "\(start) to \(end) s")
    }
    let degrees = try angle?.double()
    if let angle, let degrees, !Self.angles.contains(Degrees(degrees)) {
      throw angle.error(
        allowed: "0 to 360 degrees", remedy: "write 180 for a straight body, more for high hips")
    }
    self.init(start: Seconds(start), end: Seconds(end), angle: degrees.map { Degrees($0) })
  }

  /// The hold as a manifest has it.
  fileprivate var text: String {
    let ends = "start: \(start.value), end: \(end.value)"
    return "{" + ends + (angle.map { ", angle_deg: \($0.value)" } ?? "") + "}"
  }
}

extension YAMLMap {
  fileprivate func unknownKeys(known: [String]) -> [DatasetManifest.UnknownKey] {
    unknownEntries(known: known).map { entry in
      DatasetManifest.UnknownKey(field: entry.value.field, line: entry.line, known: known)
    }
  }
}

/// Writes `dataset.yaml` files as `DatasetManifest` reads them.
package enum DatasetManifestWriter {
  /// The text of a manifest; unknown fields are left out, tags are sorted.
  package static func text(of manifest: DatasetManifest) -> String {
    var text = ""
    for (key, value) in [
      ("name", manifest.name), ("description", manifest.description),
      ("license", manifest.license),
    ] {
      if let value { text += "\(key): \(scalar(value))\n" }
    }
    text += manifest.sequences.isEmpty ? "sequences: []\n" : "sequences:\n"
    for entry in manifest.sequences { text += lines(of: entry) }
    return text
  }

  static func lines(of entry: SequenceEntry) -> String {
    var text = "  - poses: \(scalar(entry.posesPath))\n"
    for (key, value) in [
      ("labels", entry.labelsPath), ("video", entry.videoPath), ("subject", entry.subject),
      ("split", entry.split),
      ("starts", entry.startsMid ? "mid" : nil),
    ] {
      if let value { text += "    \(key): \(scalar(value))\n" }
    }
    if let calibration = entry.calibration { text += "    calibration: \(calibration.text)\n" }
    guard !entry.tags.isEmpty else { return text }
    let tags = entry.tags.sorted { $0.key < $1.key }
    let pairs = tags.map { "\(scalar($0.key)): \(scalar($0.value))" }
    return text + "    tags: {\(pairs.joined(separator: ", "))}\n"
  }

  /// A text as YAML: plain if nothing could be mistaken, otherwise in double quotes.
  package static func scalar(_ text: String) -> String {
    let plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-".utf8
    let reserved = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
    let startsPlain = text.utf8.first.map { byte in
      (0x41...0x5A).contains(byte & ~0x20)
    }
    let isRelative = text == "." || text.hasPrefix("./") || text.hasPrefix("../")
    if startsPlain == true || isRelative, text.utf8.allSatisfy({ plainBytes.contains($0) }),
      !reserved.contains(text.lowercased())
    {
      return text
    }
    var quoted = ""
    quoted.appendQuoted(text)
    return quoted
  }
}
