internal import ArgumentParser
internal import FoundationEssentials
internal import PoseDatasets
internal import PoseModel

/// `planklab dataset init`.
struct DatasetInit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a dataset.yaml for the recordings in a folder.",
    discussion: """
      Finds every .poses.jsonl and .poses.jsonl.gz below the folder, the .labels.csv beside each, \
      and the subject in its header. An existing dataset.yaml is never overwritten.

      Example:
        planklab dataset init my-recordings --name living-room
      """)

  @Argument(help: "The folder with the recordings.")
  var folder: String

  @Option(help: "The dataset's name; the folder's unless given.")
  var name: String?

  func run() async throws {
    try await Terminal.run { try InitDataset.run(folder: folder, name: name) }
  }
}

/// Writes a `dataset.yaml` for the recordings in a folder.
enum InitDataset {
  private static let suffixes = [".poses.jsonl", ".poses.jsonl.gz"]

  /// Runs the command.
  static func run(folder: String, name: String?) throws(WorkflowFailure) -> Outcome {
    let manifestPath = folder + "/" + DatasetManifest.fileName
    guard !FileManager.default.fileExists(atPath: manifestPath) else {
      throw WorkflowFailure(
        .cannotCreate, "\(manifestPath): exists; edit it, or remove it to start over")
    }
    var isFolder = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder else {
      throw WorkflowFailure(.noInput, "\(folder): no such folder; give the recordings' folder")
    }
    let paths = ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).sorted()
    let recordings = paths.filter { path in suffixes.contains { path.hasSuffix($0) } }
    guard !recordings.isEmpty else {
      throw WorkflowFailure(
        .noInput, "\(folder): holds no .poses.jsonl or .poses.jsonl.gz file; record or import some")
    }
    var entries: [SequenceEntry] = []
    for path in recordings { entries.append(try entry(path, in: folder, all: Set(paths))) }
    let manifest = DatasetManifest(
      name: name ?? URL(filePath: folder).standardizedFileURL.lastPathComponent,
      sequences: entries)
    try OutputFile.write(DatasetManifestWriter.text(of: manifest), to: manifestPath)
    return Outcome(
      "wrote \(manifestPath): \(entries.count) sequences, "
        + "\(entries.count { $0.labelsPath != nil }) with labels, "
        + "\(entries.count { $0.subject != nil }) with a subject\n",
      remarks: remarks(entries, folder))
  }

  private static func entry(
    _ path: String, in folder: String, all paths: Set<String>
  ) throws(WorkflowFailure) -> SequenceEntry {
    let header = try DatasetAccess.failing { () throws(DatasetError) in
      try RecordingReader.read(path: folder + "/" + path).recording.header
    }
    var entry = SequenceEntry(posesPath: path, subject: header.subject)
    let labels = entry.name + ".labels.csv"
    if paths.contains(labels) { entry.labelsPath = labels }
    return entry
  }

  private static func remarks(_ entries: [SequenceEntry], _ folder: String) -> [String] {
    var remarks: [String] = []
    if entries.contains(where: { $0.labelsPath == nil }) {
      remarks.append("note: recordings without labels are not scored; see docs/contract.md, Labels")
    }
    if entries.contains(where: { $0.subject == nil }) {
      remarks.append("note: add `subject:` where it is missing; intervals are over people")
    }
    return remarks + ["next: planklab dataset lint \(ShellWord.quoted(folder))"]
  }
}
