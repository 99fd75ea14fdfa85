internal import ArgumentParser
internal import Platform
internal import PoseDatasets
internal import PoseModel

struct DatasetInit: BenchCommand {
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

  @Option(help: "The dataset's name (default: the folder's).")
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Who was recorded, if the header does not say; may be repeated.",
      valueName: "SEQUENCES=NAME"))
  var subject: [String] = []

  func outcome() throws -> Outcome {
    let people = try SubjectPattern.patterns(subject)
    let manifestPath = folder + "/" + DatasetManifest.fileName
    guard try !OutputFile.exists(manifestPath) else {
      throw WorkflowFailure(
        .cannotCreate,
        "\(manifestPath): exists; add to it with `planklab dataset update`, or remove it to start over"
      )
    }
    guard try FileDescriptor.isFolder(folder) else {
      throw WorkflowFailure(.noInput, "\(folder): no such folder; give the recordings' folder")
    }
    let entries = try RecordingFolder.entries(in: folder, people)
    guard !entries.isEmpty else {
      throw WorkflowFailure(
        .noInput, "\(folder): no .poses.jsonl or .poses.jsonl.gz file in it; record or import some")
    }
    let manifest = DatasetManifest(
      name: name ?? OutputFile.place(of: folder).split(separator: "/").last.map(String.init),
      sequences: entries)
    try OutputFile.write(DatasetManifestWriter.text(of: manifest), to: manifestPath)
    return .sentence(
      "wrote \(manifestPath): \(NumberText.count(entries.count, "sequence")), "
        + "\(entries.count { $0.labelsPath != nil }) with labels, "
        + "\(entries.count { $0.subject != nil }) with a subject",
      remarks: remarks(entries))
  }

  private func remarks(_ entries: [SequenceEntry]) -> [String] {
    var remarks: [String] = []
    if entries.contains(where: { $0.labelsPath == nil }) {
      remarks.append(
        "note: recordings without labels are not scored; make labels with `planklab label`")
    }
    if entries.contains(where: { $0.subject == nil }) {
      remarks.append(
        "note: say who was recorded with `planklab dataset update --subject`; intervals are per person"
      )
    }
    return remarks + ["next: planklab dataset lint \(ShellWord.quoted(folder))"]
  }
}
