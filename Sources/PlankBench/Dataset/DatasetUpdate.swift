internal import ArgumentParser
internal import Platform
internal import PoseDatasets
internal import PoseModel

struct DatasetUpdate: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Add new recordings, labels and subjects to a dataset.yaml.",
    discussion: """
      Adds every recording below the folder that is not in the manifest, the .labels.csv beside each \
      recording, and the subjects of headers or --subject. Existing entries and comments of the \
      manifest stay as they are. In --subject, `*` stands for any part of a sequence's name.

      Example:
        planklab dataset update my-data --subject "recordings/anna-*=anna"
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @Option(
    help: ArgumentHelp(
      "Who was recorded in sequences without a subject; may be repeated.",
      valueName: "SEQUENCES=NAME"))
  var subject: [String] = []

  func outcome() throws -> Outcome {
    let people = try SubjectPattern.patterns(subject)
    let reader = try DatasetAccess.open(dataset)
    let folder = reader.folder.isEmpty ? "." : reader.folder
    let lock = FolderLock(folder)
    defer { withExtendedLifetime(lock) {} }
    // Another update may have added to it since it was opened.
    let text = try InputText.read(reader.manifestPath)
    let manifest = try DatasetManifest(bytes: Array(text.utf8), file: reader.manifestPath)
    let found = try RecordingFolder.entries(in: folder, people)
    let known = Set(manifest.sequences.map(\.posesPath))
    let added = found.filter { !known.contains($0.posesPath) }
    let changes = try Self.changes(
      of: text, at: reader.manifestPath, found: found, added: added)
    try OutputFile.edit(changes.text, at: reader.manifestPath, insteadOf: text)
    return Outcome(
      "wrote \(reader.manifestPath): \(NumberText.count(added.count, "new sequence")), \(changes.labeled) more with "
        + "labels, \(changes.named) more with a subject\n",
      remarks: added.map { "added \($0.posesPath)" }
        + ["next: planklab dataset lint \(ShellWord.quoted(dataset))"])
  }

  private static func changes(
    of text: String, at path: String, found: [SequenceEntry], added: [SequenceEntry]
  ) throws -> (text: String, labeled: Int, named: Int) {
    var edit = try ManifestEdit(text: text, file: path)
    let labeled = try edit.setMissing(.labels, values(found, \.labelsPath))
    let named = try edit.setMissing(.subject, values(found, \.subject))
    try edit.append(added)
    return (edit.text, labeled.count, named.count)
  }

  private static func values(
    _ entries: [SequenceEntry], _ path: KeyPath<SequenceEntry, String?>
  ) -> [String: String] {
    var values: [String: String] = [:]
    for entry in entries { values[entry.name] = entry[keyPath: path] }
    return values
  }
}

enum RecordingFolder {
  private static let suffixes = [".poses.jsonl", ".poses.jsonl.gz"]

  /// One entry per recording; the subject comes from a pattern or the header.
  static func entries(in folder: String, _ people: [SubjectPattern]) throws -> [SequenceEntry] {
    let paths = try InputFiles.paths(below: folder).sorted()
    let all = Set(paths)
    var entries: [SequenceEntry] = []
    for path in paths where suffixes.contains(where: { path.hasSuffix($0) }) {
      if let name = RawName.quoted(path, in: folder) {
        throw WorkflowFailure(
          .badData,
          "\(folder): the name of a recording is not UTF-8, as a manifest has to be; rename it: mv "
            + "\(name) NAME.poses.jsonl")
      }
      let header = try RecordingReader.read(path: folder + "/" + path).recording.header
      var entry = SequenceEntry(posesPath: path)
      entry.subject = people.first { $0.matches(entry.name) }?.subject ?? header.subject
      if all.contains(entry.labelsName) { entry.labelsPath = entry.labelsName }
      entries.append(entry)
    }
    return entries
  }
}

/// Who was recorded in the sequences whose names match a pattern: `recordings/anna-*=anna`.
struct SubjectPattern {
  let subject: String
  private let parts: [Substring]

  /// - Throws: for a pattern without text on both sides of its last `=`.
  static func patterns(_ texts: [String]) throws -> [SubjectPattern] {
    var patterns: [SubjectPattern] = []
    for text in texts {
      let equals = text.lastIndex(of: "=") ?? text.startIndex
      let subject = text[equals...].dropFirst()
      guard equals > text.startIndex, !subject.isEmpty else {
        throw WorkflowFailure(
          .usage, "--subject \(text): give SEQUENCES=NAME, for example \"recordings/anna-*=anna\"")
      }
      patterns.append(
        SubjectPattern(
          subject: String(subject),
          parts: text[..<equals].split(separator: "*", omittingEmptySubsequences: false)))
    }
    return patterns
  }

  func matches(_ name: String) -> Bool {
    guard let first = parts.first, let last = parts.last, name.hasPrefix(first) else {
      return false
    }
    guard parts.count > 1 else { return name == first }
    var rest = name.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
