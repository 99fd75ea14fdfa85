internal import ArgumentParser
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import PoseRecording
internal import PoseSynthesis
internal import Reports

struct Synthesize: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a dataset of labeled synthetic recordings from a script.",
    discussion: """
      A script describes a studio or a single session. A studio simulates people who do every \
      plank well and badly, and many other activities, seen from all sides and distances. The same \
      script always gives the same files. Noise presets are clean, article (white, as published), \
      phone (colored, with confusions and dropouts), harsh, vision3d (rigid bones with wrong \
      directions) and mediapipe (filtered over time). `--list` shows how to write scripts.

      Instead of simulating noise, --errors-from learns errors from recordings in which people \
      hold still for at least 1 s, for example from your phone; labels are not needed. It learns \
      how far each joint is off, how the error changes, which joints are missing and when frames \
      arrive, and replays these errors on the studio's bodies, without simulated sway. Use such a \
      studio to compare smoothers, debounce rules and frame rates, but choose thresholds on real \
      recordings. --write-bank saves the learned errors to a file that names no person and \
      contains no recording.

      Examples:
        planklab synthesize --preset phone --subjects 12 --seed 1 --output studio
        planklab synthesize datasets/studio/studio.yaml --output datasets/studio/generated
        planklab synthesize my-session.yaml --output desk
        planklab synthesize my-studio.yaml --errors-from my-phone --output studio
        planklab synthesize --errors-from my-phone --write-bank my-phone.errors.json
        planklab synthesize --list
      """)

  @Argument(help: "The script; leave it out if you use --preset.")
  var script: String?

  @Option(
    help: ArgumentHelp(
      "The noise preset: clean, article, phone, harsh, vision3d or mediapipe.", valueName: "NAME"))
  var preset: String?

  @Option(help: ArgumentHelp("The number of people (default: 12).", valueName: "N"))
  var subjects: Int?

  @Option(help: ArgumentHelp("The seed for all random choices (default: 1).", valueName: "S"))
  var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "The minimum number of frames (default: 300000); every task is recorded at least once.",
      valueName: "N"))
  var frames: Int?

  @Option(
    help: ArgumentHelp(
      "Learn the errors from recordings instead of simulating noise, clock and sway.",
      valueName: "DATASET|BANK"))
  var errorsFrom: String?

  @Option(
    help: ArgumentHelp("Write the errors learned by --errors-from to a file.", valueName: "FILE"))
  var writeBank: String?

  @Flag(help: "List the presets, the postures and all parameters of a script.")
  var list = false

  @Option(
    help: "The format of the list (text or markdown) or of the learned errors (also json).")
  var format: OutputFormat = .text

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder to make.", valueName: "DIR"))
  var output: String?

  /// Positions are written to 0.1 mm, which is finer than any camera sees.
  private static let decimals = 4

  /// Every session follows from the script alone, so equal scripts give equal bytes for any number
  /// of threads.
  func outcome() async throws -> Outcome {
    if list { return try listed() }
    try require(
      writeBank == nil || errorsFrom != nil, .usage,
      "--write-bank needs --errors-from with the recordings to learn from")
    try require(
      output != nil || writeBank != nil, .usage,
      errorsFrom == nil
        ? "give --output with the folder to make"
        : "give --output with the folder to make, or --write-bank with the file for what is "
          + "learned")
    guard let output else { return try await learned() }
    let script = try resolvedScript()
    guard let errorsFrom else { return try await made(script, in: output, []) }
    let found = try await ErrorSource.found(errorsFrom)
    if let writeBank { try ErrorBankFile.write(found.bank, to: writeBank) }
    return try await made(script.replacingErrors(by: found.bank), in: output, found.remarks)
  }

  private func listed() throws -> Outcome {
    try require(
      format != .json, .usage, "the list has no JSON format; use --format text or markdown")
    let formats = Formats(json: { "" }, document: { ScriptCatalogue.document }, name: "synthesis")
    return Outcome(try formats.text(in: format, usesColor: Terminal.usesColor))
  }

  private func learned() async throws -> Outcome {
    try require(
      script == nil && preset == nil && subjects == nil && seed == nil && frames == nil, .usage,
      "without --output, the command only learns; remove the script and its options, or give "
        + "--output")
    guard let errorsFrom, let writeBank else { return Outcome("") }
    let found = try await ErrorSource.found(errorsFrom)
    let bank = found.bank
    let formats = Formats(
      json: { JSONText.of(Versioned(bank.summary)) }, document: { bank.document }, name: "errors")
    let text = try formats.text(in: format, usesColor: Terminal.usesColor)
    try ErrorBankFile.write(bank, to: writeBank)
    return Outcome(
      text,
      remarks: found.remarks + [
        "wrote \(writeBank); next: planklab synthesize --preset clean --errors-from "
          + "\(ShellWord.quoted(writeBank)) --output studio"
      ])
  }

  private func made(
    _ script: SynthesisScript, in output: String, _ remarks: [String]
  ) async throws -> Outcome {
    let sessions = try Self.sessions(of: script)
    return try await StagedFolder(destination: output).committing { folder in
      let files = try await ConcurrentMap.run(sessions, progress: LongWork().report) { session in
        try Self.write(session, to: folder)
      }
      let manifest = DatasetManifest(
        name: script.name ?? URL(filePath: folder.destination).lastPathComponent,
        description: script.description ?? Self.description(of: script.content),
        license: script.license, sequences: files.map(\.entry))
      try OutputFile.write(
        DatasetManifestWriter.text(of: manifest), to: folder.path(of: DatasetManifest.fileName))
      return Self.outcome(files, folder.destination, remarks)
    }
  }

  private static func sessions(of script: SynthesisScript) throws -> [SessionScript] {
    switch script.content {
    case .session(let session): return [session]
    case .studio(let parameters): return try StudioPlan(parameters).scripts
    }
  }

  private static func write(
    _ session: SessionScript, to folder: StagedFolder
  ) throws -> (entry: SequenceEntry, frames: Int) {
    let sequence = try SessionSynthesizer(session).synthesized()
    let base = "recordings/" + sequence.name
    let entry = SequenceEntry(
      posesPath: base + ".poses.jsonl", labelsPath: base + ".labels.csv",
      subject: sequence.subject, startsMid: sequence.startsMid, tags: sequence.tags)
    let path = try folder.path(of: entry.posesPath)
    do {
      try PoseRecordingWriter.write(sequence.recording, to: path, decimals: decimals)
    } catch {
      throw WorkflowFailure(.cannotCreate, "\(path): \(error)")
    }
    try OutputFile.write(
      LabelsWriter.text(of: sequence.labels), to: folder.path(of: base + ".labels.csv"))
    if !sequence.labels.onsets.isEmpty {
      try OutputFile.write(
        OnsetsWriter.text(of: sequence.labels.onsets),
        to: folder.path(of: base + OnsetsReader.ending))
    }
    return (entry, sequence.recording.frameCount)
  }

  private static func description(of content: SynthesisScript.Content) -> String {
    switch content {
    case .studio(let studio):
      "Synthetic: studio of \(NumberText.people(studio.subjects)), noise \(studio.noiseName), "
        + "seed \(studio.seed); no real person"
    case .session(let session):
      "Synthetic: one session, \(session.errors.map { $0.title + ", " } ?? "")seed \(session.seed); "
        + "no real person"
    }
  }

  private static func outcome(
    _ files: [(entry: SequenceEntry, frames: Int)], _ folder: String, _ remarks: [String]
  ) -> Outcome {
    let frames = files.reduce(0) { $0 + $1.frames }
    let subjects = Set(files.compactMap(\.entry.subject)).count
    return Outcome(
      "wrote \(folder): \(NumberText.count(files.count, "sequence")), "
        + "\(NumberText.count(subjects, "subject")), \(NumberText.count(frames, "frame"))\n",
      remarks: remarks + ["next: planklab evaluate \(ShellWord.quoted(folder))"])
  }

  func resolvedScript() throws -> SynthesisScript {
    guard let script else {
      var parameters = StudioParameters(
        preset: preset == nil && errorsFrom != nil ? .clean : try noisePreset())
      try replace(&parameters)
      return SynthesisScript(content: .studio(parameters))
    }
    try require(
      preset == nil, .usage, "give either --preset or a script; a script can contain `preset`")
    var result = try Self.parsed(script)
    switch result.content {
    case .studio(var parameters):
      try replace(&parameters)
      result.content = .studio(parameters)
    case .session(var session):
      try require(
        subjects == nil && frames == nil, .usage,
        "\(script): is a single session; --subjects and --frames are only for studios, so remove "
          + "them")
      if let seed { session.seed = seed }
      result.content = .session(session)
    }
    return result
  }

  private static func parsed(_ path: String) throws -> SynthesisScript {
    let text = try InputText.read(path)
    return try SynthesisSpecification.parse(text, file: path)
  }

  private func noisePreset() throws -> NoisePreset {
    let presets = NoisePreset.allCases.map(\.rawValue)
    guard let preset else {
      let names = presets.joined(separator: ", ")
      throw WorkflowFailure(
        .usage, "give a script or --preset (\(names)); `planklab synthesize --list` shows both")
    }
    let noise = try require(
      NoisePreset(rawValue: preset), .usage,
      "no preset `\(preset)`; " + NearestNames.choice(preset, of: "presets", presets))
    return noise
  }

  private func replace(_ parameters: inout StudioParameters) throws {
    if let subjects { parameters.subjects = subjects }
    if let seed { parameters.seed = seed }
    if let frames {
      parameters.frames = frames
      parameters.only = nil
    }
    do { try parameters.validate() } catch { throw WorkflowFailure(.usage, "\(error)") }
  }
}
