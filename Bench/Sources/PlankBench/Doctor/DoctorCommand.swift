internal import ArgumentParser
internal import Essentials
internal import Parallelism
internal import PoseDatasets
@_spi(Bench) internal import PoseModel

/// `planklab doctor`.
struct DoctorCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say what files of poses hold, what is wrong with them, and how to import them.",
    discussion: """
      Reads JSON, JSON lines, CSV and NumPy arrays of any shape. It names the joints, the units, the \
      axes, the clock and missing joints, says how sure it is and by what, and prints the command \
      that imports the file. What the data cannot show, it says; it changes nothing.

      With --write-map it writes the map that `planklab import table` reads; look through it, and \
      correct what is unsure.

      Examples:
        planklab doctor dump.json
        planklab doctor dump.json --write-map dump.map.yaml
        planklab doctor dumps/
      """)

  @Argument(help: "Files, or folders whose files are looked at.", completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp("Write the map that reads the first file.", valueName: "MAP.yaml"))
  var writeMap: String?

  @Option(
    help: ArgumentHelp("The size of the images, for points of images.", valueName: "WIDTHxHEIGHT"),
    transform: {
      guard let size = ImageSize($0) else { throw ValidationError("give a size such as 1080x1920") }
      return size
    })
  var imageSize: ImageSize?

  @OptionGroup var result: ResultOptions

  func outcome() async throws -> Outcome {
    if let writeMap { try OutputFile.checkReport(writeMap) }
    let paths = try Self.paths(of: files)
    let progress = LongWork(["files"]).report
    let imageSize = imageSize
    let diagnoses = try await ConcurrentMap.run(paths, of: "files", progress: progress) { path in
      PoseDoctor.diagnose(
        NamedBytes(name: path, bytes: try FileBytes.unpackedContents(of: path)),
        imageSize: imageSize)
    }
    var remarks: [String] = []
    if let writeMap {
      guard let map = diagnoses.first(where: { $0.map != nil })?.map else {
        throw WorkflowFailure(
          .badData, "\(paths.first ?? ""): no map can be written; run doctor without --write-map")
      }
      try OutputFile.writeReport(map.yaml, to: writeMap)
      remarks.append("wrote \(writeMap)")
    }
    let isGood = diagnoses.allSatisfy(\.isImportable)
    let report = DoctorReport(diagnoses, mapPath: writeMap)
    return try result.outcome(
      remarks: remarks, status: isGood ? .success : .badData, content: report,
      document: report.document)
  }

  /// The files, with those of folders in the order of their names.
  private static func paths(of files: [String]) throws -> [String] {
    var paths: [String] = []
    for file in files {
      var isFolder = false
      guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
        throw DatasetError.missingFile(path: file)
      }
      guard isFolder else {
        paths.append(file)
        continue
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: file).sorted()
      let inside = names.filter { !$0.hasPrefix(".") }.map {
        file + (file.hasSuffix("/") ? "" : "/") + $0
      }
      .filter { OutputFile.isRegular($0) }
      guard !inside.isEmpty else {
        throw WorkflowFailure(
          .noInput, "\(file): the folder has no files; name a folder with dumps")
      }
      paths += inside
    }
    return paths
  }
}

/// The diagnoses of files, for programs and for people.
struct DoctorReport: Encodable {
  private let diagnoses: [PoseDiagnosis]
  private let mapPath: String?

  private enum CodingKeys: String, CodingKey { case diagnoses = "files" }

  /// Takes diagnoses.
  ///
  /// - Parameter mapPath: where the map was written; nil if it was not.
  init(_ diagnoses: [PoseDiagnosis], mapPath: String?) {
    self.diagnoses = diagnoses
    self.mapPath = mapPath
  }

  /// One file at length; of several, a line each, then those that differ at length.
  var document: Document {
    var document = Document()
    guard diagnoses.count > 1 else {
      for diagnosis in diagnoses { append(diagnosis, to: &document) }
      return document
    }
    var table = Table([.words("file"), .words("holds"), .words("import")])
    for diagnosis in diagnoses {
      table.row([
        StyledText(diagnosis.file, .strong),
        StyledText(Self.short(diagnosis)),
        diagnosis.isImportable ? StyledText("yes", .good) : StyledText("not as it is", .bad),
      ])
    }
    document.table(table)
    var seen: Set<String> = []
    for diagnosis in diagnoses where seen.insert(Self.kind(of: diagnosis)).inserted {
      document.heading(diagnosis.file)
      append(diagnosis, to: &document)
    }
    return document
  }

  /// What files that are read alike share.
  private static func kind(of diagnosis: PoseDiagnosis) -> String {
    diagnosis.map?.yaml ?? diagnosis.form + diagnosis.problems.map(\.found).joined()
  }

  private static func short(_ diagnosis: PoseDiagnosis) -> String {
    let joints = diagnosis.conclusions.first { $0.topic == "joints" }?.finding
    return joints ?? diagnosis.problems.first?.found ?? diagnosis.form
  }

  private func append(_ diagnosis: PoseDiagnosis, to document: inout Document) {
    document.paragraph(StyledText(sentence(diagnosis), .strong))
    document.list(
      diagnosis.conclusions.map { one in
        var text = "\(one.topic): \(one.finding) (\(one.certainty.rawValue)): \(one.evidence)"
        if !one.alternatives.isEmpty {
          text += "; otherwise " + one.alternatives.joined(separator: ", ")
        }
        return StyledText(text, one.certainty == .unsure ? .warning : .plain)
      })
    if !diagnosis.problems.isEmpty { document.paragraph("What is wrong, or cannot be seen:") }
    document.list(
      diagnosis.problems.map { problem in
        let text = problem.found + (problem.remedy.isEmpty ? "" : "; " + problem.remedy)
        return StyledText(text, problem.isBlocking ? .bad : .warning)
      })
    let commands = commands(of: diagnosis)
    if !commands.isEmpty {
      document.paragraph("Import it with:")
      document.code(commands)
    }
  }

  private func sentence(_ diagnosis: PoseDiagnosis) -> String {
    var text = "\(diagnosis.file): \(diagnosis.form)"
    if let frames = diagnosis.frames { text += ", \(NumberText.count(frames, "frame"))" }
    if let seconds = diagnosis.seconds { text += ", \(NumberText.fixed(seconds, 1)) s" }
    return text + (diagnosis.isImportable ? "" : ". It cannot be imported as it is.")
  }

  /// The commands that import a file, as a shell reads them.
  func commands(of diagnosis: PoseDiagnosis) -> [String] {
    let file = ShellWord.quoted(diagnosis.file)
    let stem = Self.stem(of: diagnosis.file)
    let rest = diagnosis.options.map { " " + ShellWord.quoted($0) }.joined()
    guard diagnosis.isImportable else { return [] }
    switch diagnosis.reader {
    case .recording: return ["planklab label \(file)"]
    case .command(let name): return ["planklab import \(name) \(file) --output \(stem)"]
    case .table(let map):
      if let ready = map.readyName {
        return ["planklab import table \(file) --map \(ready)\(rest) --output \(stem)"]
      }
      let path = mapPath.map(ShellWord.quoted) ?? "\(stem).map.yaml"
      let first = mapPath == nil ? ["planklab doctor \(file) --write-map \(path)"] : []
      return first + ["planklab import table \(file) --map \(path)\(rest) --output \(stem)"]
    case .nothing: return []
    }
  }

  private static func stem(of file: String) -> String {
    ShellWord.quoted(NamedBytes(name: file, bytes: []).stem)
  }
}
