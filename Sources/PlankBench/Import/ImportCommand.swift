internal import ArgumentParser
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import PoseRecording
internal import Reports

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a dataset from poses that another program wrote.",
    subcommands: [
      ImportFiles.self, ImportMaps.self,
      ImportVision3D.self, ImportVision2D.self, ImportDeepMimic.self, ImportAMASS.self,
    ],
    defaultSubcommand: ImportFiles.self)
}

struct ImportOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The dataset folder to make; it must not exist yet.", valueName: "DIR"))
  var output: String

  @Option(help: "The dataset's name (default: the folder's).")
  var name: String?

  @Option(help: "A description of the dataset for its manifest.")
  var description: String?

  @Option(help: "The license of the data for its manifest.")
  var license: String?

  @Option(help: "The person in the recordings, if there is only one.")
  var subject: String?

  /// Positions are written to 0.01 mm, which is finer than any source.
  private static let decimals = 5
  private static let mostNotes = 8

  func dataset<Source: PoseSource>(
    of files: [String], read source: Source
  ) async throws -> Outcome where Source.Input == NamedText {
    let progress = LongWork(["files", "sequences"]).report
    let groups = Source.readsFilesApart ? files.map { [$0] } : [files]
    let parts = try await ConcurrentMap.run(groups, of: "files", progress: progress) { group in
      try source.sequences(
        from: group.map { NamedText(name: $0, text: try InputText.read($0)) })
    }
    let sequences = parts.flatMap(\.self)
    try ImportedSequence.requireUniqueNames(sequences)
    return try await dataset(of: sequences, progress: progress)
  }

  static func sequences<Source: PoseSource>(
    of files: [String], read source: Source
  ) throws -> [ImportedSequence] where Source.Input == NamedBytes {
    try source.sequences(
      from: files.map { NamedBytes(name: $0, bytes: try FileBytes.unpackedContents(of: $0)) })
  }

  func dataset(
    of sequences: [ImportedSequence], progress: @escaping ProgressReport = LongWork().report
  ) async throws -> Outcome {
    try await StagedFolder(destination: output).committing { folder in
      try await write(sequences, to: folder, progress: progress)
      return Self.outcome(sequences, folder.destination)
    }
  }

  func write(
    _ sequences: [ImportedSequence], to folder: StagedFolder, copiesVideos: Bool = false,
    progress: @escaping ProgressReport
  ) async throws {
    let entries = try await ConcurrentMap.run(sequences, progress: progress) {
      (sequence) throws -> SequenceEntry in
      var entry = try Self.write(sequence, to: folder)
      if let video = sequence.video {
        entry.videoPath = try Self.place(video, sequence.name, in: folder, isCopy: copiesVideos)
      }
      return entry
    }
    let manifest = DatasetManifest(
      name: name ?? URL(filePath: folder.destination).lastPathComponent,
      description: description, license: license, sequences: entries)
    try OutputFile.write(
      DatasetManifestWriter.text(of: manifest), to: folder.path(of: DatasetManifest.fileName))
  }

  private static func place(
    _ video: String, _ name: String, in folder: StagedFolder, isCopy: Bool
  ) throws -> String {
    let ending = URL(filePath: video).pathExtension.lowercased()
    let path = "videos/\(name)." + (movieEndings.contains(ending) ? ending : "movie")
    let source = try OutputFile.knownPlace(of: video)
    let target = try folder.path(of: path)
    do {
      if isCopy {
        try FileManager.default.copyItem(atPath: source, toPath: target)
      } else {
        try FileManager.default.createSymbolicLink(atPath: target, withDestinationPath: source)
      }
    } catch {
      throw WorkflowFailure(
        .cannotCreate,
        "\(folder.destination)/\(path): the movie cannot be \(isCopy ? "copied" : "linked") there; "
          + "check that the disk has space and supports links")
    }
    return path
  }

  private static let movieEndings: Set = [
    "mov", "mp4", "m4v", "webm", "mkv", "avi", "mpg", "mpeg", "3gp",
  ]

  private static func write(
    _ sequence: ImportedSequence, to folder: StagedFolder
  ) throws -> SequenceEntry {
    let base = "recordings/" + sequence.name
    let isLabeled = !sequence.labels.segments.isEmpty
    let entry = SequenceEntry(
      posesPath: base + ".poses.jsonl", labelsPath: isLabeled ? base + ".labels.csv" : nil,
      subject: sequence.recording.header.subject, startsMid: sequence.startsMid,
      tags: sequence.tags)
    let path = try folder.path(of: entry.posesPath)
    do {
      try PoseRecordingWriter.write(sequence.recording, to: path, decimals: decimals)
    } catch {
      switch error {
      case .fileExists, .cannotCreate, .writeFailed, .closed:
        throw WorkflowFailure(.cannotCreate, "\(path): \(error)")
      default:
        // The mistake is in the source, not in the output's path: no recording can have such
        // numbers.
        throw WorkflowFailure(.badData, "sequence `\(sequence.name)`: \(error); check its file")
      }
    }
    if let labelsPath = entry.labelsPath {
      try OutputFile.write(
        LabelsWriter.text(of: sequence.labels), to: folder.path(of: labelsPath))
    }
    return entry
  }

  private static func outcome(_ sequences: [ImportedSequence], _ folder: String) -> Outcome {
    let frames = sequences.reduce(0) { $0 + $1.recording.frameCount }
    var notes: [String: Int] = [:]
    for note in sequences.flatMap(\.notes) { notes[note, default: 0] += 1 }
    var remarks = notes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(mostNotes)
      .map { "note (\(NumberText.count($0.value, "sequence"))): \($0.key)" }
    if notes.count > mostNotes {
      remarks.append("\(NumberText.count(notes.count - mostNotes, "more note")) left out")
    }
    return Outcome(
      "wrote \(folder): \(NumberText.count(sequences.count, "sequence")), "
        + "\(NumberText.count(frames, "frame"))\n",
      remarks: remarks + next(sequences, ShellWord.quoted(folder)))
  }

  private static func next(_ sequences: [ImportedSequence], _ folder: String) -> [String] {
    guard sequences.contains(where: { $0.labels.segments.isEmpty }) else {
      return ["next: planklab dataset lint \(folder)"]
    }
    return [
      "next: planklab label \(folder)",
      "or, if you have labels: planklab label import TABLE --dataset \(folder)",
    ]
  }
}
