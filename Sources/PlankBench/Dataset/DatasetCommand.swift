internal import ArgumentParser
internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports

struct DatasetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dataset", abstract: "Make, check, identify and show datasets.",
    subcommands: [
      DatasetUpdate.self, DatasetLintCommand.self, DatasetHash.self, DatasetShow.self,
    ])
}

struct DatasetLintCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Check every file of a dataset, and report what is wrong and how to fix it.",
    discussion: """
      The exit code is 65 if there are errors, and 0 if there are only warnings, or 65 with \
      --strict. Warnings cover duplicate recordings, frames that two recordings share, missing \
      subjects, bodies of impossible size or shape, an up direction that contradicts the labeled \
      planks, swapped sides, joints at the origin, times that are not in seconds, label times \
      beyond the recording, and more; each warning names the likely cause. Notes, for example \
      that all labels are `ignore`, never change the exit code.
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @OptionGroup var result: ResultOptions

  func outcome() async throws -> Outcome {
    let checks = try DatasetChecks(datasetAt: dataset)
    let progress = LongWork(["sequences", "sequences compared"]).report
    let checked = try await ConcurrentMap.run(checks.sequences, progress: progress) { entry in
      try checks.check(entry)
    }
    let findings = checks.findings(checked) { progress($0, checked.count, "sequences compared") }
    let isBad = findings.contains { $0.severity == .error || (strict && $0.severity == .warning) }
    let status: ExitStatus = isBad ? .badData : .success
    let report = LintReport(findings, isOK: !isBad)
    return try result.outcome(status: status, content: report, document: report.document)
  }
}

struct DatasetHash: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Print the hashes that identify a dataset: poses, labels, manifest, and all combined."
  )

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @OptionGroup var result: ResultOptions

  func outcome() throws -> Outcome {
    let reader = try DatasetAccess.open(dataset)
    let progress = LongWork(["files"]).report
    let identity = try DatasetIdentities.identity(of: reader, split: nil, progress: progress)
    let values = identity.hashes + [("name", identity.name)]
    return try result.outcome(
      content: Dictionary(values) { first, _ in first }, document: identity.hashDocument)
  }
}

struct DatasetUpdate: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "List a folder's recordings, labels and people in its dataset.yaml.",
    discussion: """
      Writes a dataset.yaml if there is none. The file lists every .poses.jsonl and .poses.jsonl.gz \
      file in the folder and its subfolders, the .labels.csv file beside each, and the subjects \
      from headers or --subject. Existing entries and comments are kept. In --subject, `*` stands \
      for any part of a sequence's name.

      Examples:
        planklab dataset update my-recordings --name living-room
        planklab dataset update my-data --subject "recordings/anna-*=anna"
      """)

  @Argument(help: "The folder with the recordings, or its dataset.yaml.")
  var dataset: String

  @Option(help: "The name of a new dataset (default: the folder's).")
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Name the person in sequences that have no subject; may be repeated.",
      valueName: "SEQUENCES=NAME"))
  var subject: [String] = []

  func outcome() throws -> Outcome {
    let people = try SubjectPattern.patterns(subject)
    let file = dataset + "/" + DatasetManifest.fileName
    if let created = try created(file, people) { return created }
    let reader = try DatasetAccess.open(dataset)
    try require(
      name == nil, .usage,
      "--name: is only for a new dataset; change `name` in \(reader.manifestPath)")
    let folder = reader.folder.isEmpty ? "." : reader.folder
    let lock = FolderLock(folder)
    defer { withExtendedLifetime(lock) {} }
    // Another update may have added to the manifest since it was opened.
    let text = try InputText.read(reader.manifestPath)
    let manifest = try DatasetManifest(bytes: Array(text.utf8), file: reader.manifestPath)
    let found = try RecordingFolder.entries(in: folder, people)
    let known = Set(manifest.sequences.map(\.posesPath))
    let added = found.filter { !known.contains($0.posesPath) }
    let changes = try Self.changes(of: text, at: reader.manifestPath, found: found, added: added)
    try OutputFile.edit(changes.text, at: reader.manifestPath, insteadOf: text)
    return Outcome(
      "wrote \(reader.manifestPath): \(NumberText.count(added.count, "new sequence")), \(changes.labeled) more with "
        + "labels, \(changes.named) more with a subject\n",
      remarks: added.map { "added \($0.posesPath)" } + [next])
  }

  private var next: String { "next: planklab dataset lint \(ShellWord.quoted(dataset))" }

  private func created(_ file: String, _ people: [SubjectPattern]) throws -> Outcome? {
    guard try FileDescriptor.isFolder(dataset) else { return nil }
    let lock = FolderLock(dataset)
    defer { withExtendedLifetime(lock) {} }
    guard try !OutputFile.exists(file) else { return nil }
    let entries = try RecordingFolder.entries(in: dataset, people)
    try require(
      !entries.isEmpty, .noInput,
      "\(dataset): contains no .poses.jsonl or .poses.jsonl.gz file; record or import some")
    let manifest = DatasetManifest(
      name: name ?? OutputFile.place(of: dataset).split(separator: "/").last.map(String.init),
      sequences: entries)
    try OutputFile.write(DatasetManifestWriter.text(of: manifest), to: file)
    var remarks: [String] = []
    if entries.contains(where: { $0.labelsPath == nil }) {
      remarks.append(
        "note: recordings without labels are not scored; make labels with `planklab label`")
    }
    if entries.contains(where: { $0.subject == nil }) {
      remarks.append(
        "note: name the people with --subject, since intervals are computed per person")
    }
    return .sentence(
      "wrote \(file): \(NumberText.count(entries.count, "sequence")), "
        + "\(entries.count { $0.labelsPath != nil }) with labels, "
        + "\(entries.count { $0.subject != nil }) with a subject", remarks: remarks + [next])
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
  static func entries(in folder: String, _ people: [SubjectPattern]) throws -> [SequenceEntry] {
    let paths = try InputFiles.paths(below: folder).sorted()
    let all = Set(paths)
    var entries: [SequenceEntry] = []
    for path in paths where DatasetAccess.isRecordingName(path) {
      if let name = RawName.quoted(path, in: folder) {
        throw WorkflowFailure(
          .badData,
          "\(folder): the name of a recording is not UTF-8, which a manifest needs; rename it: mv "
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

/// The person recorded in the sequences whose names match a pattern: `recordings/anna-*=anna`.
struct SubjectPattern {
  let subject: String
  private let parts: [Substring]

  static func patterns(_ texts: [String]) throws -> [SubjectPattern] {
    try texts.map { text in
      let equals = text.lastIndex(of: "=") ?? text.startIndex
      let subject = text[equals...].dropFirst()
      try require(
        equals > text.startIndex && !subject.isEmpty, .usage,
        "--subject \(text): give SEQUENCES=NAME, for example \"recordings/anna-*=anna\"")
      return SubjectPattern(
        subject: String(subject),
        parts: text[..<equals].split(separator: "*", omittingEmptySubsequences: false))
    }
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
