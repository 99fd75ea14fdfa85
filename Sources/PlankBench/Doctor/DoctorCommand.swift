internal import ArgumentParser
internal import Foundation
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports

struct DoctorCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Report what pose files contain, what is wrong with them, and how to import them.",
    discussion: """
      Reads JSON, JSON lines, CSV and NumPy arrays with any layout. The command identifies joints, \
      units, axes, clock and missing joints, says how certain it is and why, and prints the command \
      that imports the file. It also says what the data cannot show. It never changes a file that \
      it reads.

      `planklab import` uses the same analysis. --write-map saves the findings as a map: correct \
      what is uncertain, and pass the map to `planklab import --map`.

      Examples:
        planklab doctor dump.json
        planklab doctor dump.json --write-map dump.map.yaml
        planklab doctor dumps/

      A folder of files with one frame each, such as those that OpenPose writes, counts as one \
      recording.
      """)

  @Argument(help: "Files, or folders of files.", completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "Write a map with the findings about the first recording.", valueName: "MAP.yaml"))
  var writeMap: String?

  @Option(
    help: ArgumentHelp("The size of the images, for image points.", valueName: "WIDTHxHEIGHT"),
    transform: ImageSize.argument)
  var imageSize: ImageSize?

  @OptionGroup var result: ResultOptions

  func outcome() async throws -> Outcome {
    if let writeMap { try OutputFile.checkReport(writeMap) }
    let work = LongWork(["files", "recordings"])
    let examination = DoctorExamination(imageSize: imageSize, progress: work.report)
    let recordings = try await examination.recordings(of: files)
    var remarks: [String] = []
    if let writeMap {
      guard let map = recordings.lazy.compactMap(\.diagnosis.map).first else {
        throw WorkflowFailure(
          .badData, "\(files.first ?? ""): no map can be written; run doctor without --write-map")
      }
      try OutputFile.writeReport(map.yaml, to: writeMap)
      remarks.append("wrote \(writeMap)")
    }
    let isGood = DoctorExamination.withPoses(recordings).recordings
      .allSatisfy(\.diagnosis.isImportable)
    let report = DoctorReport(recordings: recordings, mapPath: writeMap, imageSize: imageSize)
    return try result.outcome(
      remarks: remarks, status: isGood ? .success : .badData, content: report,
      document: report.document)
  }
}

struct DoctorExamination: Sendable {
  typealias Use = @Sendable (PoseDiagnosis) throws -> [ImportedSequence]?

  let imageSize: ImageSize?
  let progress: ProgressReport
  var use: Use = { _ in nil }

  /// In bytes; a larger file cannot be a single frame.
  private static let largestFrame = 1 << 18

  struct Recording: Sendable {
    let diagnosis: PoseDiagnosis
    let paths: [String]
    let folder: String?
    var used: [ImportedSequence]?
  }

  private struct Place {
    let folder: String?
    var paths: [String]
  }

  private enum Finding: Sendable {
    case whole(PoseDiagnosis, used: [ImportedSequence]?)
    case frame(ExaminedFile)
  }

  func recordings(of files: [String]) async throws -> [Recording] {
    var places: [Place] = []
    for file in files {
      let paths = try InputFiles.paths(of: [file])
      if paths != [file] {
        places.append(Place(folder: file, paths: paths))
      } else if let last = places.last, last.folder == nil {
        places[places.count - 1].paths += paths
      } else {
        places.append(Place(folder: nil, paths: paths))
      }
    }
    let paths = places.flatMap { place in
      place.paths.map { (path: $0, isAlone: place.paths.count == 1) }
    }
    var findings = try await ConcurrentMap.run(paths, of: "files", progress: progress) {
      try finding($0.path, isAlone: $0.isAlone)
    }[...]
    var recordings: [Recording] = []
    for place in places {
      recordings += await together(findings.prefix(place.paths.count), at: place)
      findings = findings.dropFirst(place.paths.count)
    }
    return recordings
  }

  static func withPoses(_ all: [Recording]) -> (recordings: [Recording], others: [Recording]) {
    func isOther(_ one: Recording) -> Bool { one.folder != nil && !one.diagnosis.holdsPoses }
    let others = all.filter(isOther)
    return others.count < all.count ? (all.filter { !isOther($0) }, others) : (all, [])
  }

  private func finding(_ path: String, isAlone: Bool) throws -> Finding {
    let mayBeFrame = !isAlone && InputFiles.size(of: path) <= Self.largestFrame
    let source = NamedBytes(name: path, bytes: try FileBytes.unpackedContents(of: path))
    let file = ExaminedFile(source)
    if mayBeFrame, file.mayBeFrame { return .frame(file) }
    var diagnosis = PoseDoctor.diagnose([file], called: path, imageSize: imageSize)
    diagnosis.lookForLabels(in: source)
    let used = try use(diagnosis)
    diagnosis.forgetFrames()
    return .whole(diagnosis, used: used)
  }

  private func together(_ findings: some Sequence<Finding>, at place: Place) async -> [Recording] {
    var frames: [ExaminedFile] = []
    var recordings: [Recording] = []
    for finding in findings {
      switch finding {
      case .whole(let diagnosis, let used):
        recordings.append(
          Recording(
            diagnosis: diagnosis, paths: [diagnosis.file], folder: place.folder, used: used))
      case .frame(let file): frames.append(file)
      }
    }
    recordings += await ConcurrentMap.run(
      FrameFiles.groups(frames), of: "recordings", progress: progress
    ) { group in
      let paths = group.map(\.name)
      var diagnosis = PoseDoctor.diagnose(
        group, called: Self.name(of: paths, at: place), imageSize: imageSize)
      diagnosis.forgetFrames()
      return Recording(diagnosis: diagnosis, paths: paths, folder: place.folder)
    }
    var order: [String: Int] = [:]
    for (index, path) in place.paths.enumerated() { order[path] = order[path] ?? index }
    return recordings.sorted { (order[$0.paths[0]] ?? 0) < (order[$1.paths[0]] ?? 0) }
  }

  private static func name(of paths: [String], at place: Place) -> String {
    guard paths.count > 1 else { return paths[0] }
    if let folder = place.folder, paths.count == place.paths.count {
      return folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    }
    let start = paths.dropFirst().reduce(paths[0]) { $0.commonPrefix(with: $1) }
    let ends = paths.map { String($0.dropFirst(start.count).reversed()) }
    let end = ends.dropFirst().reduce(ends[0]) { $0.commonPrefix(with: $1) }
    return start + "*" + end.reversed()
  }
}

struct DoctorReport: Encodable {
  let recordings: [DoctorExamination.Recording]
  let mapPath: String?
  let imageSize: ImageSize?

  private enum CodingKeys: String, CodingKey { case files }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(recordings.map(\.diagnosis), forKey: .files)
  }

  var document: Document {
    var document = Document()
    guard recordings.count > 1 else {
      for recording in recordings { append(recording, to: &document) }
      return document
    }
    var kinds: [(first: DoctorExamination.Recording, count: Int)] = []
    var places: [String: Int] = [:]
    for recording in recordings {
      let kind = Self.kind(of: recording.diagnosis)
      if let place = places[kind] {
        kinds[place].count += 1
      } else {
        places[kind] = kinds.count
        kinds.append((recording, 1))
      }
    }
    var table = Table([.words("file"), .words("holds"), .words("import")])
    for (recording, count) in kinds {
      let diagnosis = recording.diagnosis
      let rest = count == 1 ? "" : " and \(NumberText.count(count - 1, "file")) like it"
      table.row([
        StyledText(diagnosis.file + rest, .strong), StyledText(Self.short(diagnosis)),
        diagnosis.isImportable ? StyledText("yes", .good) : StyledText("not yet", .bad),
      ])
    }
    document.table(table)
    let others = DoctorExamination.withPoses(recordings).others.count
    if others > 0 {
      let verb = others == 1 ? "is" : "are"
      document.paragraph(
        "In the folder, \(NumberText.count(others, "file")) without poses \(verb) left out.")
    }
    for (recording, _) in kinds
    where recording.diagnosis.isImportable || recording.diagnosis.frames != nil {
      document.heading(recording.diagnosis.file)
      append(recording, to: &document)
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

  private func append(_ recording: DoctorExamination.Recording, to document: inout Document) {
    let diagnosis = recording.diagnosis
    document.paragraph(sentence(diagnosis), .strong)
    document.list(
      diagnosis.conclusions.map { one in
        var text = "\(one.topic): \(one.finding) (\(one.certainty.rawValue)): \(one.evidence)"
        if !one.alternatives.isEmpty {
          text += "; otherwise " + one.alternatives.joined(separator: ", ")
        }
        return StyledText(text, one.certainty == .unsure ? .warning : .plain)
      })
    if !diagnosis.problems.isEmpty { document.paragraph("Problems and open questions:") }
    document.list(
      diagnosis.problems.map { problem in
        let text = problem.found + (problem.remedy.isEmpty ? "" : "; " + problem.remedy)
        return StyledText(text, problem.isBlocking ? .bad : .warning)
      })
    guard let command = command(for: recording) else { return }
    document.paragraph(
      diagnosis.reader.isRecording
        ? "It is already a recording. Label it with:" : "Import it with:")
    document.code([command])
  }

  private func sentence(_ diagnosis: PoseDiagnosis) -> String {
    var text = "\(diagnosis.file): \(diagnosis.form)"
    if let frames = diagnosis.frames { text += ", \(NumberText.count(frames, "frame"))" }
    if let seconds = diagnosis.seconds { text += ", \(NumberText.fixed(seconds, 1)) s" }
    return text + (diagnosis.isImportable ? "" : ". It cannot be imported yet.")
  }

  private func command(for recording: DoctorExamination.Recording) -> String? {
    let diagnosis = recording.diagnosis
    guard diagnosis.isImportable else { return nil }
    guard !diagnosis.reader.isRecording else {
      return "planklab label \(ShellWord.path(diagnosis.file))"
    }
    let isOneFile = recording.paths.count == 1
    // There are many frames, so the command names the folder; `import` leaves out its other files.
    let place =
      isOneFile
      ? recording.paths[0]
      : recording.folder
        ?? URL(filePath: recording.paths[0]).deletingLastPathComponent().relativePath
    let stem = Self.stem(of: place)
    var words = ["planklab", "import", ShellWord.path(place)]
    if let map = diagnosis.map {
      if let mapPath { words += ["--map", ShellWord.path(mapPath)] }
      if let imageSize, map.needsImageSize {
        words += ["--image-size", "\(imageSize.width)x\(imageSize.height)"]
      }
      if diagnosis.needsRate { words += ["--rate", "30"] }
    }
    return (words + ["--output", stem + (isOneFile ? "" : "-dataset")]).joined(separator: " ")
  }

  private static func stem(of file: String) -> String {
    let stem = NamedBytes(name: file, bytes: []).stem.drop { $0 == "-" || $0 == "." }
    return ShellWord.quoted(stem.isEmpty ? "poses" : String(stem))
  }
}

extension PoseDiagnosis.Reader {
  var isRecording: Bool { if case .recording = self { true } else { false } }
}
