package import YAMLDocuments

extension DatasetManifest {
  /// The keys of a manifest.
  private static let keys = ["name", "description", "license", "sequences"]

  /// Reads a manifest from bytes.
  ///
  /// Keys that no one knows are kept in `unknownKeys`.
  ///
  /// - Parameter file: how errors name it.
  /// - Throws: `YAMLError` with file, line and remedy.
  package init(bytes: [UInt8], file: String) throws(YAMLError) {
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
    }
    try Self.rejectRepeats(entries, nodes: nodes)
    self.init(
      name: try map.optional("name")?.string(),
      description: try map.optional("description")?.string(),
      license: try map.optional("license")?.string(), sequences: entries)
    unknownKeys = unknown
  }

  private static func rejectRepeats(
    _ entries: [SequenceEntry], nodes: [YAMLNode]
  ) throws(YAMLError) {
    var lines: [String: Int] = [:]
    for (entry, node) in zip(entries, nodes) {
      guard let earlier = lines.updateValue(entry.line, forKey: entry.name) else { continue }
      throw node.error(
        allowed: "each recording once", remedy: "remove one of the two entries",
        found: "the recording `\(entry.name)`, which line \(earlier) names already")
    }
  }
}

extension SequenceEntry {
  /// The keys of an entry.
  fileprivate static let keys = ["poses", "labels", "subject", "split", "starts", "tags"]

  fileprivate init(_ map: YAMLMap) throws(YAMLError) {
    self.init(posesPath: try Self.path(map.required("poses")))
    labelsPath = try map.optional("labels").map(Self.path)
    subject = try map.optional("subject")?.string()
    split = try map.optional("split")?.string()
    startsMid = try map.optional("starts")?.choice([("mid", true)]) ?? false
    for entry in try map.optional("tags")?.map().entries ?? [] where !entry.value.isNull {
      tags[entry.key] = try entry.value.string()
    }
    line = map.node.line
  }

  private static func path(_ node: YAMLNode) throws(YAMLError) -> String {
    let text = try node.string()
    guard !text.unicodeScalars.contains("\0") else {
      throw node.error(
        allowed: "a path, which holds no NUL character", remedy: "write the file's name without it")
    }
    guard let path = DatasetPath.normalized(text) else {
      throw node.error(
        allowed: "a path inside the dataset's folder",
        remedy: "move the file into the folder and name it from there")
    }
    return path
  }
}

extension YAMLMap {
  fileprivate func unknownKeys(known: [String]) -> [DatasetManifest.UnknownKey] {
    unknownEntries(known: known).map { entry in
      DatasetManifest.UnknownKey(field: entry.value.field, line: entry.line, known: known)
    }
  }
}
