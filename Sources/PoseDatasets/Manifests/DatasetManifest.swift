package import PoseModel

package struct DatasetManifest: Hashable, Sendable {
  package static let fileName = "dataset.yaml"

  package var name: String?
  package var description: String?
  package var license: String?
  package var sequences: [SequenceEntry]
  package internal(set) var unknownKeys: [UnknownKey] = []

  package init(
    name: String? = nil, description: String? = nil, license: String? = nil,
    sequences: [SequenceEntry]
  ) {
    self.name = name
    self.description = description
    self.license = license
    self.sequences = sequences
  }

  package struct UnknownKey: Hashable, Sendable {
    package let field: String
    package let line: Int
    package let known: [String]
  }
}

package struct SequenceEntry: Hashable, Sendable {
  package var posesPath: String
  package var labelsPath: String?
  package var videoPath: String?
  package var subject: String?
  package var split: String?
  package var startsMid: Bool
  package var calibration: ConfirmedHold?
  package var tags: [String: String]
  package internal(set) var line = 0

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

  package var labelsName: String { name + ".labels.csv" }

  package var name: String {
    for suffix in [".poses.jsonl", ".poses.jsonl.gz"] where posesPath.hasSuffix(suffix) {
      return String(posesPath.dropLast(suffix.count))
    }
    return posesPath
  }
}

extension DatasetManifest {
  private static let keys = ["name", "description", "license", "sequences"]

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
        found: "the recording `\(entry.name)`, which is already on line \(earlier)")
    }
  }
}

extension SequenceEntry {
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

  private static let otherKinds = [".yaml", ".yml", ".md", ".html", ".sqlite"]

  private static func path(_ node: YAMLNode, not endings: [String], kind: String) throws -> String {
    let text = try node.string()
    guard !text.unicodeScalars.contains("\0") else {
      throw node.error(
        allowed: "a path without a NUL character", remedy: "remove it from the file's name")
    }
    guard let path = DatasetPath.normalized(text) else {
      throw node.error(
        allowed: "a path inside the dataset's folder",
        remedy: "move the file into the folder, and give its path relative to the folder")
    }
    guard !endings.contains(where: path.hasSuffix) else {
      throw node.error(allowed: kind, remedy: "name a file of that kind, or rename it")
    }
    return path
  }
}

extension ConfirmedHold {
  fileprivate static let keys = ["start", "end", "angle_deg"]

  fileprivate init(_ node: YAMLNode) throws {
    let map = try node.map()
    let start = try map.required("start").double()
    let end = try map.required("end").double()
    let angle = map.optional("angle_deg")
    guard Self.allows(Seconds(end - start)) else {
      throw node.error(
        allowed: "an `end` that is 1 to 10 s after `start`",
        remedy: "confirm a hold of that length", found: "\(start) to \(end) s")
    }
    let degrees = try angle?.double()
    if let angle, let degrees, !Self.angles.contains(Degrees(degrees)) {
      throw angle.error(
        allowed: "0 to 360 degrees", remedy: "write 180 for a straight body, more for high hips")
    }
    self.init(start: Seconds(start), end: Seconds(end), angle: degrees.map { Degrees($0) })
  }

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

package enum DatasetManifestWriter {
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

  package static func scalar(_ text: String) -> String {
    let plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-".utf8
    let reserved = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
    let startsPlain = text.utf8.first.map { byte in (0x41...0x5A).contains(byte & ~0x20) }
    let isRelative = text == "." || text.hasPrefix("./") || text.hasPrefix("../")
    if startsPlain == true || isRelative, text.utf8.allSatisfy({ plainBytes.contains($0) }),
      !reserved.contains(text.lowercased())
    {
      return text
    }
    return String(quoting: text)
  }
}

/// Edits a manifest and keeps comments, order and unknown keys.
///
/// The result is parsed again and compared with what it should contain, so an unknown layout is
/// refused, not damaged.
package struct ManifestEdit {
  package private(set) var text: String
  package let file: String
  private var manifest: DatasetManifest

  package init(text: String, file: String) throws {
    self.text = text
    self.file = file
    manifest = try DatasetManifest(bytes: Array(text.utf8), file: file)
  }

  package mutating func setMissing(_ key: Key, _ values: [String: String]) throws -> [String] {
    var lines = self.lines
    var expected = manifest.sequences
    var changed: [String] = []
    for (index, entry) in manifest.sequences.enumerated().reversed() {
      guard let value = values[entry.name], entry[keyPath: key.path] == nil else { continue }
      expected[index][keyPath: key.path] = value
      changed.insert(entry.name, at: 0)
      let line = entry.line - 1
      guard lines.indices.contains(line) else { throw refusal }
      let content = lines[line].prefix { !$0.isNewline }
      let lineEnd = lines[line].suffix(from: content.endIndex)
      let member = "\(key.rawValue): \(DatasetManifestWriter.scalar(value))"
      if content.hasSuffix("}") {
        lines[line] = content.dropLast() + ", \(member)}" + lineEnd
      } else {
        lines[line] = content + (lineEnd.isEmpty ? lineBreak[...] : lineEnd)
        lines.insert(Self.indent(of: content) + "  " + member + lineEnd, at: line + 1)
      }
    }
    try accept(lines.joined(), expected)
    return changed
  }

  package mutating func append(_ entries: [SequenceEntry]) throws {
    guard !entries.isEmpty, let last = manifest.sequences.last else { return }
    let lines = self.lines
    guard lines.indices.contains(last.line - 1) else { throw refusal }
    let indent = Self.indent(of: lines[last.line - 1])
    let added = entries.map { entry in
      DatasetManifestWriter.lines(of: entry).split(separator: "\n")
        .map { indent + $0.dropFirst(2) + lineBreak }.joined()
    }
    let end = text.last?.isNewline == true ? "" : lineBreak
    try accept(text + end + added.joined(), manifest.sequences + entries)
  }

  package enum Key: String {
    case labels
    case subject

    fileprivate var path: WritableKeyPath<SequenceEntry, String?> {
      switch self {
      case .labels: \.labelsPath
      case .subject: \.subject
      }
    }
  }

  private var lines: [Substring] {
    var lines: [Substring] = []
    var rest = text[...]
    while let end = rest.firstIndex(where: \.isNewline) {
      lines.append(rest[...end])
      rest = rest[rest.index(after: end)...]
    }
    return lines + [rest]
  }

  private var lineBreak: String { text.first(where: \.isNewline).map(String.init) ?? "\n" }

  private static func indent(of line: Substring) -> Substring { line.prefix { $0 == " " } }

  private mutating func accept(_ text: String, _ expected: [SequenceEntry]) throws {
    let read = try? DatasetManifest(bytes: Array(text.utf8), file: file)
    func withoutLines(_ entries: [SequenceEntry]) -> [SequenceEntry] {
      entries.map { entry in
        var entry = entry
        entry.line = 0
        return entry
      }
    }
    guard let read, withoutLines(read.sequences) == withoutLines(expected) else { throw refusal }
    self.text = text
    manifest = read
  }

  private var refusal: FieldError {
    FieldError(
      file: file, line: manifest.sequences.first?.line, field: "sequences",
      found: "a layout that cannot be extended",
      allowed: "`sequences` last in the file, each one as `- poses: ...` on a line",
      remedy: "change the layout to this, or edit the file by hand")
  }
}
