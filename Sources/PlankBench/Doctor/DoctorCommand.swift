internal import ArgumentParser
internal import Platform
internal import PoseDatasets
internal import PoseModel

struct DoctorCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say what files of poses hold, what is wrong with them, and how to import them.",
    discussion: """
      Reads JSON, JSON lines, CSV and NumPy arrays of any shape. It names the joints, the units, the \
      axes, the clock and missing joints, says how sure it is and by what, and prints the command \
      that imports the file. What the data cannot show, it says; it changes nothing.

      `planklab import` finds out the same by itself. With --write-map, what was found becomes a map \
      that you correct where it is unsure and give to `planklab import --map`.

      Examples:
        planklab doctor dump.json
        planklab doctor dump.json --write-map dump.map.yaml
        planklab doctor dumps/

      If the files of a folder are one frame each, as OpenPose writes them, they are taken for one \
      recording.
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
    let work = LongWork(["files", "recordings"])
    let examination = DoctorExamination(imageSize: imageSize, progress: work.report)
    let diagnoses = try await examination.recordings(of: files).map(\.diagnosis)
    var remarks: [String] = []
    if let writeMap {
      guard let map = diagnoses.first(where: { $0.map != nil })?.map else {
        throw WorkflowFailure(
          .badData, "\(files.first ?? ""): no map can be written; run doctor without --write-map")
      }
      try OutputFile.writeReport(map.yaml, to: writeMap)
      remarks.append("wrote \(writeMap)")
    }
    let isGood = diagnoses.allSatisfy(\.isImportable)
    let report = DoctorReport(diagnoses: diagnoses, mapPath: writeMap, imageSize: imageSize)
    return try result.outcome(
      remarks: remarks, status: isGood ? .success : .badData, content: report,
      document: report.document)
  }
}

/// How files become diagnoses: one each, or one for all files of a folder that are a frame each.
struct DoctorExamination: Sendable {
  let imageSize: ImageSize?
  let progress: ProgressReport

  /// Larger files are no single frame, in bytes.
  private static let largestFrame = 1 << 18

  private enum Finding: Sendable {
    case whole(PoseDiagnosis)
    /// A file that may be one frame of a recording.
    case frame(ExaminedFile)
  }

  /// The files of one recording, and what they hold.
  struct Recording: Sendable {
    let diagnosis: PoseDiagnosis
    let paths: [String]
    let isInFolder: Bool
  }

  func recordings(of files: [String]) async throws -> [Recording] {
    let places = try files.map { (name: $0, paths: try InputFiles.paths(of: [$0])) }
    let paths = places.flatMap { place in
      place.paths.map { (path: $0, isInFolder: place.paths != [place.name]) }
    }
    var findings = try await ConcurrentMap.run(paths, of: "files", progress: progress) {
      try finding($0.path, isInFolder: $0.isInFolder)
    }[...]
    var recordings: [Recording] = []
    for place in places {
      recordings += await together(
        findings.prefix(place.paths.count), of: place.name, with: place.paths)
      findings = findings.dropFirst(place.paths.count)
    }
    return recordings
  }

  private func finding(_ path: String, isInFolder: Bool) throws -> Finding {
    let mayBeFrame = isInFolder && InputFiles.size(of: path) <= Self.largestFrame
    let file = ExaminedFile(
      NamedBytes(name: path, bytes: try FileBytes.unpackedContents(of: path)))
    if mayBeFrame, file.mayBeFrame { return .frame(file) }
    return .whole(PoseDoctor.diagnose([file], called: path, imageSize: imageSize))
  }

  private func together(
    _ findings: some Sequence<Finding>, of place: String, with paths: [String]
  ) async -> [Recording] {
    let isInFolder = paths != [place]
    var frames: [ExaminedFile] = []
    var recordings: [Recording] = []
    for finding in findings {
      switch finding {
      case .whole(let diagnosis):
        recordings.append(
          Recording(diagnosis: diagnosis, paths: [diagnosis.file], isInFolder: isInFolder))
      case .frame(let file): frames.append(file)
      }
    }
    let groups = FrameFiles.groups(frames).flatMap {
      group -> [(name: String, files: [ExaminedFile])] in
      if group.count > 1, let name = Self.name(of: group.map(\.name), among: paths, in: place) {
        return [(name, group)]
      }
      return group.map { ($0.name, [$0]) }
    }
    recordings += await ConcurrentMap.run(groups, of: "recordings", progress: progress) {
      Recording(
        diagnosis: PoseDoctor.diagnose($0.files, called: $0.name, imageSize: imageSize),
        paths: $0.files.map(\.name), isInFolder: isInFolder)
    }
    return recordings.sorted { $0.diagnosis.file < $1.diagnosis.file }
  }

  private static func name(of group: [String], among paths: [String], in folder: String) -> String?
  {
    let folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    if group.count == paths.count { return folder }
    let endings = group.map { $0.dropFirst(folder.count + 1).reversed() }
    let count = endings.dropFirst().reduce(endings[0].count) { count, ending in
      min(count, zip(endings[0], ending).prefix { $0 == $1 }.count)
    }
    let ending = String(group[0].suffix(count))
    let isPlain = ending.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0))
    }
    guard isPlain else { return nil }
    if paths.count(where: { $0.hasSuffix(ending) }) == group.count {
      return folder + pattern + ending
    }
    let start = group.dropFirst().reduce(group[0].count) { count, name in
      min(count, zip(group[0], name).prefix { $0 == $1 }.count)
    }
    let plain = String(group[0].prefix(start).reversed().drop { $0.isNumber }.reversed())
    guard plain.count > folder.count + 1,
      paths.count(where: { $0.hasPrefix(plain) && $0.hasSuffix(ending) }) == group.count
    else { return nil }
    return plain + "*" + ending
  }

  static let pattern = "/*"
}

struct DoctorReport: Encodable {
  let diagnoses: [PoseDiagnosis]
  let mapPath: String?
  let imageSize: ImageSize?

  private enum CodingKeys: String, CodingKey { case diagnoses = "files" }

  var document: Document {
    var document = Document()
    guard diagnoses.count > 1 else {
      for diagnosis in diagnoses { append(diagnosis, to: &document) }
      return document
    }
    var kinds: [(first: PoseDiagnosis, count: Int)] = []
    var places: [String: Int] = [:]
    for diagnosis in diagnoses {
      if let place = places[Self.kind(of: diagnosis)] {
        kinds[place].count += 1
      } else {
        places[Self.kind(of: diagnosis)] = kinds.count
        kinds.append((diagnosis, 1))
      }
    }
    var table = Table([.words("file"), .words("holds"), .words("import")])
    for (diagnosis, count) in kinds {
      let rest = count == 1 ? "" : " and \(NumberText.count(count - 1, "file")) like it"
      table.row([
        StyledText(diagnosis.file + rest, .strong),
        StyledText(Self.short(diagnosis)),
        diagnosis.isImportable ? StyledText("yes", .good) : StyledText("not as it is", .bad),
      ])
    }
    document.table(table)
    for (diagnosis, _) in kinds where diagnosis.isImportable || diagnosis.frames != nil {
      document.heading(diagnosis.file)
      append(diagnosis, to: &document)
    }
    return document
  }

  private static func kind(of diagnosis: PoseDiagnosis) -> String {
    diagnosis.map?.yaml ?? diagnosis.form + diagnosis.problems.map(\.found).joined()
  }

  private static func short(_ diagnosis: PoseDiagnosis) -> String {
    let joints = diagnosis.conclusions.first { $0.topic == "joints" }?.finding
    guard diagnosis.frames == nil, let problem = diagnosis.problems.first else {
      return joints ?? diagnosis.form
    }
    return problem.found + (problem.remedy.isEmpty ? "" : "; " + problem.remedy)
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

  func commands(of diagnosis: PoseDiagnosis) -> [String] {
    guard diagnosis.isImportable else { return [] }
    let (file, stem) = Self.words(for: diagnosis)
    var words = ["planklab", "import", file]
    if diagnosis.map != nil {
      if let mapPath { words += ["--map", ShellWord.quoted(mapPath)] }
      if let imageSize, diagnosis.map?.needsImageSize ?? false {
        words += ["--image-size", "\(imageSize.width)x\(imageSize.height)"]
      }
      if diagnosis.needsRate { words += ["--rate", "30"] }
    }
    return [(words + ["--output", stem]).joined(separator: " ")]
  }

  private static func words(for diagnosis: PoseDiagnosis) -> (file: String, stem: String) {
    let file = diagnosis.file
    guard diagnosis.map?.layout.isFramePerFile ?? false else {
      return (ShellWord.quoted(file), stem(of: file))
    }
    // Import leaves the other files of the folder out.
    let folder =
      file.contains("*") ? String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]) : file
    return (ShellWord.quoted(folder), stem(of: folder) + "-dataset")
  }

  private static func stem(of file: String) -> String {
    let stem = NamedBytes(name: file, bytes: []).stem.drop { $0 == "-" }
    return ShellWord.quoted(stem.isEmpty ? "poses" : String(stem))
  }
}
