internal import ArgumentParser
internal import Platform
internal import PoseDatasets
internal import PoseModel

struct Init: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set up a repository: a place for recordings, a gate, the workflow, defaults.",
    discussion: """
      Makes planklab/recordings, planklab/gate.yaml, .github/workflows/planklab.yml, planklab.yaml \
      with the settings that every command takes in this repository, and lines in .gitattributes \
      that keep git from changing recordings. Recordings that are there already become a dataset. \
      What exists is never replaced, so the command can be run again after recordings were added.

      Examples:
        planklab init
        planklab init --dataset my-planks --dry-run
        planklab init MyApp --owner my-company
      """)

  @Argument(help: "The root of the repository.", completion: .folder)
  var folder = "."

  @Option(
    help: ArgumentHelp(
      "The folder with recordings, in the repository (default: planklab/recordings).",
      valueName: "DIR"), completion: .folder)
  var dataset: String?

  @Option(
    help: ArgumentHelp(
      "Who was recorded, if the header does not say; may be repeated.",
      valueName: "SEQUENCES=NAME"))
  var subject: [String] = []

  @Option(
    help: ArgumentHelp(
      "The owner of the PlankLab repository from which the workflow takes its action.",
      valueName: "NAME"))
  var owner: String?

  @Flag(help: "Say what would be made, and make nothing.")
  var dryRun = false

  func validate() throws {
    guard let owner else { return }
    let isName = owner.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D
    }
    guard isName, !owner.isEmpty else {
      throw ValidationError("--owner \(owner): give the name of an account, such as my-company")
    }
  }

  func outcome() throws -> Outcome {
    guard try FileDescriptor.isFolder(folder) else {
      throw WorkflowFailure(.noInput, "\(folder): no such folder; give the root of the repository")
    }
    let data = try InitialDataset(
      in: folder, at: dataset, people: SubjectPattern.patterns(subject))
    let files = InitialFile.all(data, owner: owner)
    var lines: [String] = []
    for file in files {
      let state = try file.state(in: folder)
      if !dryRun { try file.write(in: folder, state) }
      lines.append(file.line(state, isDryRun: dryRun))
    }
    let next = data.next(in: folder)
    return Outcome(
      (lines + ["", "next:"] + next.map { "  " + $0 }).joined(separator: "\n") + "\n",
      remarks: try remarks(data))
  }

  private func remarks(_ data: InitialDataset) throws -> [String] {
    let isRoot = try FileDescriptor.exists(folder + "/.git")
    return [
      isRoot
        ? nil
        : "note: \(folder) is not the root of a git repository; GitHub reads workflows only there",
      owner == nil && !dryRun
        ? "note: write the owner of PlankLab in place of OWNER in \(InitialFile.workflow), or give "
          + "--owner in the first place" : nil,
      data.unnamed > 0
        ? "note: \(NumberText.count(data.unnamed, "recording")) without a subject; say who was "
          + "recorded with `planklab dataset update --subject`: uncertainty is per person" : nil,
      data.notListed > 0
        ? "note: \(NumberText.count(data.notListed, "recording")) not in "
          + "\(data.path)/\(DatasetManifest.fileName); add with `planklab dataset update "
          + "\(ShellWord.quoted(data.path))`" : nil,
    ].compactMap(\.self)
  }
}

struct InitialDataset {
  static let usualPath = "planklab/recordings"

  let path: String
  private let entries: [SequenceEntry]
  private let manifest: DatasetManifest?

  init(in root: String, at given: String?, people: [SubjectPattern]) throws {
    let folder = given ?? root + "/" + Self.usualPath
    if let given {
      guard try FileDescriptor.isFolder(given) else {
        throw WorkflowFailure(
          .noInput, "\(given): no such folder; make it, or leave out --dataset")
      }
      path = try OutputFile.relativePath(of: given, toFolderOf: root + "/" + DefaultsFile.fileName)
      guard path != ".", path != "..", !path.hasPrefix("../") else {
        throw WorkflowFailure(
          .usage,
          "--dataset \(given): is not a folder inside of \(root); copy the recordings into the "
            + "repository, since CI sees nothing else")
      }
    } else {
      path = Self.usualPath
    }
    entries = try RecordingFolder.entries(in: folder, people)
    let file = folder + "/" + DatasetManifest.fileName
    manifest =
      try FileDescriptor.exists(file)
      ? DatasetAccess.open(folder).manifest : nil
  }

  private var sequences: [SequenceEntry] { manifest?.sequences ?? entries }

  var unnamed: Int { sequences.count { $0.subject == nil } }

  var notListed: Int {
    guard let manifest else { return 0 }
    let known = Set(manifest.sequences.map(\.posesPath))
    return entries.count { !known.contains($0.posesPath) }
  }

  var newManifest: String? {
    guard !entries.isEmpty else { return nil }
    return DatasetManifestWriter.text(
      of: DatasetManifest(
        name: path.split(separator: "/").last.map(String.init), sequences: entries))
  }

  func next(in root: String) -> [String] {
    let place = root == "." ? path : root + "/" + path
    let data = ShellWord.quoted(place)
    let enter = root == "." ? [] : ["cd \(ShellWord.quoted(root))"]
    if sequences.isEmpty {
      return [
        "cp /from/the/phone/*.poses.jsonl \(data)", "planklab init \(ShellWord.quoted(root))",
      ]
    }
    guard sequences.contains(where: { $0.labelsPath != nil }) else {
      return enter + [
        "planklab label --prefill --open   # save labels beside the recordings",
        "planklab dataset update \(ShellWord.quoted(path))", "planklab evaluate",
      ]
    }
    return enter + [
      "planklab evaluate", "git add . && git commit --message \"Add the plank gate\"",
      "planklab baseline update --reason \"first numbers\"",
    ]
  }
}
