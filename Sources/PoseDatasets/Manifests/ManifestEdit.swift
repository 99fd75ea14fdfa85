/// Adds to a manifest's text, so that people's comments, order and unknown keys stay as they are.
///
/// The result is read again and compared with what should be in it: a text with an unknown layout
/// is refused, never damaged.
package struct ManifestEdit {
  /// The text with all additions.
  package private(set) var text: String
  /// The manifest's name in errors.
  package let file: String
  /// The content of the text.
  private var manifest: DatasetManifest

  /// Starts with an existing manifest.
  package init(text: String, file: String) throws {
    self.text = text
    self.file = file
    manifest = try DatasetManifest(bytes: Array(text.utf8), file: file)
  }

  /// Gives labels or a subject to sequences that have none; existing ones stay.
  ///
  /// - Parameter values: paths of labels or names of people by the sequence's name.
  /// - Returns: the names of the sequences that were changed.
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

  /// Adds sequences after the last one.
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

  /// What can be given to a sequence that lacks it.
  package enum Key: String {
    /// The path of its labels.
    case labels
    /// Who was recorded.
    case subject

    fileprivate var path: WritableKeyPath<SequenceEntry, String?> {
      switch self {
      case .labels: \.labelsPath
      case .subject: \.subject
      }
    }
  }

  /// The lines with their breaks: LF, CRLF, CR and the separators of Unicode, as YAML counts them.
  private var lines: [Substring] {
    var lines: [Substring] = []
    var rest = text[...]
    while let end = rest.firstIndex(where: \.isNewline) {
      lines.append(rest[...end])
      rest = rest[rest.index(after: end)...]
    }
    return lines + [rest]
  }

  /// The break of the first line, with which lines are added.
  private var lineBreak: String { text.first(where: \.isNewline).map(String.init) ?? "\n" }

  /// The blanks before a line's dash.
  private static func indent(of line: Substring) -> Substring { line.prefix { $0 == " " } }

  /// Accepts a text if its content is as expected.
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

  /// The error of a text with an unknown layout.
  private var refusal: FieldError {
    FieldError(
      file: file, line: manifest.sequences.first?.line, field: "sequences",
      found: "a layout that cannot be added to",
      allowed: "`sequences` last in the file, each one as `- poses: ...` on a line",
      remedy: "lay the sequences out like this, or edit the file by hand")
  }
}
