internal import ArgumentParser
internal import Foundation
internal import Platform
internal import PoseDatasets
internal import Reports

struct DoctorCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Report what pose files contain, what is wrong with them, and how to import them.",
    discussion: """
      Reads JSON, JSON lines, CSV and NumPy arrays in any layout. The command identifies joints, \
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
      let map = try require(
        recordings.lazy.compactMap(\.diagnosis.map).first, .badData,
        "\(files.first ?? ""): no map can be written; run doctor without --write-map")
      try OutputFile.writeReport(map.yaml, to: writeMap)
      remarks.append("wrote \(writeMap)")
    }
    let isGood = ExaminedRecording.withPoses(recordings).recordings
      .allSatisfy(\.diagnosis.isImportable)
    let report = DoctorReport(recordings, mapPath: writeMap, imageSize: imageSize)
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

  private struct Place {
    let folder: String?
    var paths: [String]
  }

  private enum Finding: Sendable {
    case whole(PoseDiagnosis, used: [ImportedSequence]?)
    case frame(ExaminedFile)
  }

  func recordings(of files: [String]) async throws -> [ExaminedRecording] {
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
    var recordings: [ExaminedRecording] = []
    for place in places {
      recordings += await together(findings.prefix(place.paths.count), at: place)
      findings = findings.dropFirst(place.paths.count)
    }
    return recordings
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

  private func together(_ findings: some Sequence<Finding>, at place: Place) async
    -> [ExaminedRecording]
  {
    var frames: [ExaminedFile] = []
    var recordings: [ExaminedRecording] = []
    for finding in findings {
      switch finding {
      case .whole(let diagnosis, let used):
        recordings.append(
          ExaminedRecording(
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
      return ExaminedRecording(diagnosis: diagnosis, paths: paths, folder: place.folder)
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
