/// People's comments, order and unknown keys stay as they are.
///
/// The result is read again and compared with what should be in it: an unknown layout is refused,
/// never damaged.
package struct ManifestEdit {
  package private(set) var text: String
  package let file: String
  private var manifest: DatasetManifest

  package init(text: String, file: String) throws {
    self.text = text
    self.file = file
    manifest = try DatasetManifest(bytes: Array(text.utf8), file: file)
  }

  /// Gives `values`, by the sequence's name, to sequences that have none; existing ones stay.
  ///
  /// Returns the names of the sequences that were changed.
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
    guard let read, withoutLines(read.sequences) == withoutLines(expected) else {
      throw refusal
    }
    self.text = text
    manifest = read
  }

  private var refusal: FieldError {
    FieldError(
      file: file, line: manifest.sequences.first?.line, field: "sequences",
      found: "a layout that cannot be added to",
      allowed: "`sequences` last in the file, each one as `- poses: ...` on a line",
      remedy: "lay the sequences out like this, or edit the file by hand")
  }
}
