internal import Platform
internal import PoseDatasets

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
        path: DefaultsFile.fileName, purpose: "what commands use in this repository",
        text: defaultsText(data.path)), dataset ?? hint,
      InitialFile(
        path: "planklab/gate.yaml", purpose: "what stops a pull request", text: gateText(data)),
      InitialFile(
        path: workflow, purpose: "runs the gate on GitHub", text: workflowText(owner)),
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
      guard OutputFile.makeFolder(folder) == 0 else {
        throw WorkflowFailure(
          .cannotCreate,
          "\(folder): cannot be made; a file may have that name, or the folder above may not be "
            + "written")
      }
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
}

extension InitialFile {
  private static func defaultsText(_ dataset: String) -> String {
    """
    # What `planklab` commands use in this repository where nothing else says. Options replace it, and so do
    # gates and experiments; --no-defaults ignores it. Use here what the app uses.
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
      # A pull request that breaks a rule fails. Paths are relative to this file; planklab.yaml names the detector.
      dataset: \(DatasetManifestWriter.scalar(path))
      baseline: baseline.json           # `planklab baseline update --reason TEXT` writes it
      rules:
        - metric: plank.f1_macro
          margin: 0.02                  # fail if it is worse by more than this, with 95 % confidence
          largest_drop: 0.10            # fail if it is worse by more than this, whatever the uncertainty
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

    Put recordings of the app here, one `.poses.jsonl` per session, in folders if you like. Then run
    `planklab init` again, which lists them in `dataset.yaml`, and `planklab label --prefill` for a page on
    which to label them. `planklab dataset update planklab/recordings` adds later ones.

    """

  /// Recordings and labels are hashed: git must not change their line ends.
  private static let attributesText = """
    *.poses.jsonl -text
    *.poses.jsonl.gz -text
    *.labels.csv -text
    dataset.yaml -text

    """
}
