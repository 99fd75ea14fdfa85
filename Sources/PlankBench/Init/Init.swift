internal import ArgumentParser
internal import PoseDatasets
internal import Reports

struct Init: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set up a repository: a folder for recordings, a gate, a workflow and defaults.",
    discussion: """
      Creates planklab/recordings, planklab/gate.yaml, .github/workflows/planklab.yml, a \
      planklab.yaml with default settings for all commands in this repository, and lines in \
      .gitattributes that keep git from changing recordings. Recordings that are already in the \
      folder become a dataset; `planklab dataset update` adds later ones to it. Existing files are \
      never replaced, so you can run the command again.

      Examples:
        planklab init
        planklab init --dataset my-planks --dry-run
        planklab init MyApp --owner my-company
      """)

  @Argument(help: "The root of the repository.", completion: .folder)
  var folder = "."

  @Option(
    help: ArgumentHelp(
      "The folder of recordings in the repository (default: planklab/recordings).",
      valueName: "DIR"), completion: .folder)
  var dataset: String?

  @Option(
    help: ArgumentHelp(
      "Name the person in recordings whose header does not name anyone; may be repeated.",
      valueName: "SEQUENCES=NAME"))
  var subject: [String] = []

  @Option(
    help: ArgumentHelp(
      "The owner of the PlankLab repository whose action the workflow uses.",
      valueName: "NAME"))
  var owner: String?

  @Flag(help: "Show what would be created without creating anything.")
  var dryRun = false

  func validate() throws {
    guard let owner else { return }
    guard !owner.isEmpty, owner.allSatisfy({ $0.isASCIIWord || $0 == "-" }) else {
      throw ValidationError("--owner \(owner): give the name of an account, such as my-company")
    }
  }

  func outcome() throws -> Outcome {
    try require(
      FileDescriptor.isFolder(folder), .noInput,
      "\(folder): no such folder; give the root of the repository")
    let data = try InitialDataset(in: folder, at: dataset, people: SubjectPattern.patterns(subject))
    let files = InitialFile.all(data, owner: owner)
    let lines = try files.map { file in
      let state = try file.state(in: folder)
      if !dryRun { try file.write(in: folder, state) }
      return file.line(state, isDryRun: dryRun)
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
        : "note: \(folder) is not the root of a git repository; GitHub reads workflows only at the root",
      owner == nil && !dryRun
        ? "note: replace OWNER in \(InitialFile.workflow) with the owner of the PlankLab "
          + "repository; next time, give --owner" : nil,
      data.unnamed > 0
        ? "note: \(NumberText.count(data.unnamed, "recording")) without a subject; name the people "
          + "with `planklab dataset update --subject`, since uncertainty is computed per "
          + "person" : nil,
      data.notListed > 0
        ? "note: \(NumberText.count(data.notListed, "recording")) not in "
          + "\(data.path)/\(DatasetManifest.fileName); add them with `planklab dataset update "
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
      try require(
        FileDescriptor.isFolder(given), .noInput,
        "\(given): no such folder; make it, or leave out --dataset")
      path = try OutputFile.relativePath(of: given, toFolderOf: root + "/" + DefaultsFile.fileName)
      try require(
        path != "." && path != ".." && !path.hasPrefix("../"), .usage,
        "--dataset \(given): is not a folder inside \(root); copy the recordings into the "
          + "repository, since CI sees nothing else")
    } else {
      path = Self.usualPath
    }
    entries = try RecordingFolder.entries(in: folder, people)
    let file = folder + "/" + DatasetManifest.fileName
    manifest = try FileDescriptor.exists(file) ? DatasetAccess.open(folder).manifest : nil
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

struct InitialFile: Hashable, Sendable {
  enum State: Hashable, Sendable {
    case new
    case kept
    case extended([String])
  }

  let path: String
  let purpose: String
  let text: String
  var takesLines = false

  static let workflow = ".github/workflows/planklab.yml"

  static func all(_ data: InitialDataset, owner: String?) -> [InitialFile] {
    let folder = data.path + "/"
    let dataset = data.newManifest.map { text in
      InitialFile(
        path: folder + DatasetManifest.fileName, purpose: "lists the recordings", text: text)
    }
    let hint = InitialFile(
      path: folder + "README.md", purpose: "says where recordings go", text: recordingsText)
    return [
      InitialFile(
        path: DefaultsFile.fileName, purpose: "default settings for commands",
        text: defaultsText(data.path)), dataset ?? hint,
      InitialFile(
        path: "planklab/gate.yaml", purpose: "what stops a pull request", text: gateText(data)),
      InitialFile(path: workflow, purpose: "runs the gate on GitHub", text: workflowText(owner)),
      InitialFile(
        path: ".gitattributes", purpose: "keeps git from changing recordings",
        text: attributesText, takesLines: true),
    ]
  }

  func state(in root: String) throws -> State {
    let place = root + "/" + path
    guard try OutputFile.exists(place) else { return .new }
    guard takesLines else { return .kept }
    let known = Set(try InputText.read(place).split(whereSeparator: \.isNewline).map(String.init))
    let missing = text.split(separator: "\n").map(String.init).filter { !known.contains($0) }
    return missing.isEmpty ? .kept : .extended(missing)
  }

  func write(in root: String, _ state: State) throws {
    let place = root + "/" + path
    switch state {
    case .kept: break
    case .new:
      let folder = String(place[..<(place.lastIndex(of: "/") ?? place.endIndex)])
      try require(
        OutputFile.makeFolder(folder) == 0, .cannotCreate,
        "\(folder): cannot be made; a file may have that name, or the folder above may not be "
          + "written")
      try OutputFile.write(text, to: place)
    case .extended(let lines):
      let old = try InputText.read(place)
      let gap = old.isEmpty || old.last?.isNewline == true ? "" : "\n"
      let text = old + gap + lines.joined(separator: "\n") + "\n"
      try OutputFile.edit(text, at: place, insteadOf: old)
    }
  }

  func line(_ state: State, isDryRun: Bool) -> String {
    switch state {
    case .kept: "kept \(path)"
    case .new: "\(isDryRun ? "would make" : "made") \(path): \(purpose)"
    case .extended(let lines):
      "\(isDryRun ? "would add" : "added") \(NumberText.count(lines.count, "line")) to \(path): "
        + purpose
    }
  }

  private static func defaultsText(_ dataset: String) -> String {
    """
    # The default settings of `planklab` commands in this repository. Options override them, \
    and so do
    # gates and experiments; --no-defaults ignores this file. Use the same settings as the app.
    dataset: \(DatasetManifestWriter.scalar(dataset))
    detector: \(BenchDetector.standard)   # or instead `parameters: thresholds.json`, which `planklab tune` writes
    # smoothing: one-euro:minCutoff=1Hz,beta=0.5@joints
    # debounce: dwell:enter=0.3s,switch=0.3s,exit=0.5s

    """
  }

  private static func gateText(_ data: InitialDataset) -> String {
    let folder = "planklab/"
    let path =
      data.path.hasPrefix(folder) ? String(data.path.dropFirst(folder.count)) : "../" + data.path
    return """
      # The gate fails a pull request that breaks a rule. Paths are relative to this file; \
      planklab.yaml names the detector.
      dataset: \(DatasetManifestWriter.scalar(path))
      baseline: baseline.json           # `planklab baseline update --reason TEXT` writes it
      rules:
        - metric: plank.f1_macro
          margin: 0.02                  # fail if the metric is worse by more than this, with 95 % confidence
          largest_drop: 0.10            # fail if the metric is worse by more than this, whatever the uncertainty
          inconclusive: warn            # or pass, or fail
        - metric: plank.flickers_per_minute
          largest_drop: 2
        - metric: form.f1_macro
          when_labeled: true            # judged once a form is labeled
          margin: 0.02
          largest_drop: 0.10
          inconclusive: warn

      """
  }

  private static func workflowText(_ owner: String?) -> String {
    let text = PageFile.text("planklab.yml")
    return owner.map { text.replacing("OWNER/planklab", with: "\($0)/planklab") } ?? text
  }

  private static let recordingsText = """
    # Recordings

    Put recordings from the app here, one `.poses.jsonl` file per session; folders are allowed. Then run
    `planklab init` again to list them in `dataset.yaml`, and `planklab label --prefill` to make a page \
    for
    labeling them. To add later recordings, run `planklab dataset update` on this folder.

    """

  /// Recordings and labels are hashed, so git must not change their line endings.
  private static let attributesText = """
    *.poses.jsonl -text
    *.poses.jsonl.gz -text
    *.labels.csv -text
    dataset.yaml -text

    """
}
