internal import ArgumentParser
internal import Foundation
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports

struct ImportFiles: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "files",
    abstract: "Read pose files of any format; their contents are detected or described by a map.",
    usage: "planklab import FILES... --output DIR",
    discussion: """
      `planklab import files FILES` is the same command.

      Reads JSON, JSON lines, tables and arrays, with one recording or one frame per file. \
      `planklab doctor FILES` shows what is detected and how certain it is, without writing \
      anything. Correct a wrong guess with an option, or with a map: YAML that says where joints, \
      times and labels are, and in which axes and units (docs/contract.md). `planklab import maps` \
      lists the built-in maps.

      If a file cannot be read correctly, the command says why and writes nothing. In a folder, \
      files without poses are skipped and listed.

      Examples:
        planklab import dumps/ --output anna-data
        planklab import landmarks.json --subject anna --output anna
        planklab import frames/ --image-size 1080x1920 --rate 30 --output anna-2d
        planklab doctor dump.json --write-map dump.map.yaml
        planklab import dump.json --map dump.map.yaml --output dump
      """)

  @Argument(
    help: "Pose files, optionally compressed (.gz), or folders of them.", completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "Read with a map: a file, or the name of a built-in map.", valueName: "MAP.yaml|NAME"),
    completion: .map)
  var map: String?

  @Option(
    name: .customLong("label"),
    help: ArgumentHelp(
      "What a label means: CLASS, CLASS/FORM or ignore; may be repeated. * stands for any other "
        + "label.",
      valueName: "LABEL=CLASS"))
  var labels: [String] = []

  @Option(
    help: ArgumentHelp(
      "The size of the images (default: the file's).", valueName: "WIDTHxHEIGHT"),
    transform: ImageSize.argument)
  var imageSize: ImageSize?

  @Option(help: ArgumentHelp("Frames per second, for files without times.", valueName: "HZ"))
  var rate: Double?

  @OptionGroup var dump: DumpOptions

  @Option(help: ArgumentHelp("The person's height in meters.", valueName: "METERS"))
  var bodyHeight: Double?

  @Option(
    help: ArgumentHelp(
      "Import the Nth of several people; 1 is the most prominent.", valueName: "N"))
  var person: Int?

  @Flag(help: "Import every person into a separate recording.")
  var everyone = false

  @Option(
    help: ArgumentHelp(
      "Cut a file into clips wherever the median coordinate jumps by more than this, in the file's "
        + "own units, e.g. 0.02 of an image.",
      valueName: "STEP"))
  var cut: Double?

  @Flag(help: "Treat every frame as a still image with its own recording.")
  var stills = false

  @OptionGroup var options: ImportOptions

  func validate() throws {
    if let cut, !(cut > 0 && cut.isFinite) || stills {
      throw ValidationError("--cut: give a step above 0, and not with --stills")
    }
    if let person, person < 1 || everyone {
      throw ValidationError("--person: give 1 or more, and not with --everyone")
    }
    if let rate, !(0.1...1000).contains(rate) {
      throw ValidationError("--rate: give 0.1 to 1000 frames per second")
    }
    if let bodyHeight, !(0.3...3).contains(bodyHeight) {
      throw ValidationError("--body-height: give meters, 0.3 to 3")
    }
  }

  func outcome() async throws -> Outcome {
    if let map {
      let source = TableSource(options: try tableOptions(adapted(try MapFile.map(map))))
      let paths = try InputFiles.paths(of: files)
      return try await options.dataset(of: ImportOptions.sequences(of: paths, read: source))
    }
    let progress = LongWork(["files", "recordings", "sequences"]).report
    let examination = DoctorExamination(imageSize: imageSize, progress: progress) { diagnosis in
      guard let map = diagnosis.map, !lacksRate(diagnosis) else { return nil }
      return try diagnosis.sequences(tableOptions(adapted(map), diagnosis))
    }
    let all = try await examination.recordings(of: files)
    let (recordings, others) = ExaminedRecording.withPoses(all)
    try refuse(recordings)
    let sequences = Self.namedApart(
      try recordings.map { ($0.paths[0], try self.sequences(of: $0)) })
    try ImportedSequence.requireUniqueNames(sequences)
    var outcome = try await options.dataset(of: sequences, progress: progress)
    outcome.remarks.insert(contentsOf: remarks(recordings, others), at: 0)
    return outcome
  }

  private static func namedApart(
    _ parts: [(path: String, sequences: [ImportedSequence])]
  ) -> [ImportedSequence] {
    var parts = parts
    let labels: [(String) -> String] = [
      { URL(filePath: $0).deletingLastPathComponent().lastPathComponent + "-" },
      { "-" + URL(filePath: $0).pathExtension },
    ]
    for (index, label) in labels.enumerated() {
      let names = Dictionary(grouping: parts.indices) { parts[$0].sequences.first?.name ?? "" }
      for places in names.values where places.count > 1 {
        let texts = places.map { NamedBytes(name: label(parts[$0].path), bytes: []).stem }
        guard Set(texts).count == texts.count else { continue }
        for (place, text) in zip(places, texts) {
          for number in parts[place].sequences.indices {
            let name = parts[place].sequences[number].name
            parts[place].sequences[number].name = index == 0 ? text + name : name + text
          }
        }
      }
    }
    return parts.flatMap(\.sequences)
  }

  private static let mostShown = 5

  private func lacksRate(_ diagnosis: PoseDiagnosis) -> Bool {
    diagnosis.needsRate && rate == nil && !stills
  }

  private func refuse(_ recordings: [ExaminedRecording]) throws {
    var found: [String] = []
    for recording in recordings {
      let diagnosis = recording.diagnosis
      if let problem = diagnosis.problems.first(where: \.isBlocking) {
        found.append(
          (problem.found.hasPrefix(diagnosis.file) ? "" : "\(diagnosis.file): ") + problem.text)
      } else if diagnosis.reader.isRecording {
        found.append(
          "\(diagnosis.file): is already a recording; label it with `planklab label`, or make a "
            + "dataset of its folder with `planklab dataset update`")
      } else if let option = unfit(for: diagnosis.reader) {
        found.append(
          "\(diagnosis.file): \(diagnosis.form), to which \(option) does not apply; remove the "
            + "option, or import this file alone")
      } else if let clock = diagnosis.unreadClock, lacksRate(diagnosis) {
        found.append(
          "\(diagnosis.file): \(clock); correct it or, if frames are evenly spaced, give their true "
            + "number per second as --rate")
      } else if lacksRate(diagnosis) {
        found.append(
          "\(diagnosis.file): "
            + (diagnosis.counter?.meaning(of: 30).map {
              "no field gives the frame rate; give it, for example --rate 30 (\($0))"
            }
              ?? "no field says when frames were taken; give the frame rate, for example --rate "
              + "30"))
      }
    }
    guard let first = found.first else { return }
    let more =
      found.count > Self.mostShown
      ? ["and \(found.count - Self.mostShown) more; see them with `planklab doctor`"] : []
    throw WorkflowFailure(
      .badData,
      found.count == 1
        ? first
        : "\(found.count) recordings cannot be read, and nothing was written:\n  "
          + (found.prefix(Self.mostShown) + more).joined(separator: "\n  "))
  }

  private func sequences(of recording: ExaminedRecording) throws -> [ImportedSequence] {
    if let used = recording.used { return used }
    let diagnosis = recording.diagnosis
    let subject = options.subject ?? diagnosis.subject
    switch diagnosis.reader {
    case .table(let map):
      return try ImportOptions.sequences(
        of: recording.paths, read: TableSource(options: tableOptions(adapted(map), diagnosis)))
    case .command(Vision2DSource.name):
      let source = Vision2DSource(
        options: Vision2DOptions(
          dump: dump.options(subject: subject), imageSize: imageSize, isEveryone: everyone))
      return try recording.paths.flatMap { try source.sequences(from: [Self.text($0)]) }
    case .command:
      let source = VisionSource(options: dump.options(subject: subject))
      return try recording.paths.flatMap { try source.sequences(from: [Self.text($0)]) }
    case .recording, .nothing: return []
    }
  }

  private static func text(_ path: String) throws -> NamedText {
    try NamedText(name: path, bytes: try FileBytes.unpackedContents(of: path))
  }

  private func unfit(for reader: PoseDiagnosis.Reader) -> String? {
    guard case .command(let name) = reader else { return nil }
    let isFlat = name == Vision2DSource.name
    let given = [
      ("--label", !labels.isEmpty), ("--rate", rate != nil), ("--body-height", bodyHeight != nil),
      ("--person", person != nil), ("--everyone", everyone && !isFlat),
      ("--image-size", imageSize != nil && !isFlat), ("--cut", cut != nil), ("--stills", stills),
    ]
    return given.first(where: \.1)?.0
  }

  private func remarks(
    _ recordings: [ExaminedRecording], _ others: [ExaminedRecording]
  ) -> [String] {
    var counts: [(text: String, count: Int)] = []
    for recording in recordings {
      let diagnosis = recording.diagnosis
      let isRateGiven = rate != nil && diagnosis.needsRate
      let unsure = diagnosis.conclusions.filter {
        $0.certainty == .unsure && !($0.topic == "mirrored" && dump.mirrored != nil)
          && !($0.topic == "time" && isRateGiven)
      }
      let meaning = rate.flatMap { diagnosis.counter?.meaning(of: $0) }
      let texts = unsure.map { one in
        let other =
          one.alternatives.isEmpty ? "" : "; otherwise " + one.alternatives.joined(separator: ", ")
        return "\(one.topic): \(one.finding)\(other)"
      }
      for text in [meaning].compactMap(\.self) + texts {
        if let place = counts.firstIndex(where: { $0.text == text }) {
          counts[place].count += 1
        } else {
          counts.append((text, 1))
        }
      }
    }
    var remarks = counts.prefix(Self.mostShown).map {
      "unsure (\(NumberText.count($0.count, "recording"))): \($0.text)"
    }
    if !others.isEmpty {
      let names = others.map { URL(filePath: $0.diagnosis.file).lastPathComponent }
      remarks.append(
        "left out because there are no poses: " + WordText.first(Self.mostShown, of: names))
    }
    return remarks
  }

  private func tableOptions(
    _ map: TableMap, _ diagnosis: PoseDiagnosis? = nil
  ) throws -> TableOptions {
    TableOptions(
      map: map, labels: try LabelMap(labels), subject: options.subject ?? diagnosis?.subject,
      keepsClock: dump.keepClock, sequenceName: options.name, person: person,
      isEveryone: everyone)
  }

  private func adapted(_ given: TableMap) -> TableMap {
    var map = given
    map.imageSize = imageSize ?? map.imageSize
    if let rate { map.time.rate = rate }
    map.orientation = dump.orientation ?? map.orientation
    map.cameraPosition = dump.camera ?? map.cameraPosition
    map.buffer = dump.buffer ?? map.buffer
    map.isMirrored = dump.mirrored ?? map.isMirrored
    map.bodyHeight = bodyHeight ?? map.bodyHeight
    if let cut {
      map.cut = map.cut ?? TableMap.Cut(step: cut)
      map.cut?.step = cut
      map.isStills = false
    }
    if stills { (map.cut, map.isStills) = (nil, true) }
    return map
  }
}

struct ImportMaps: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "maps",
    abstract: "List the built-in maps, or print one to adapt it.",
    discussion: """
      Examples:
        planklab import maps
        planklab import maps mediapipe-tasks > mine.map.yaml
      """)

  @Argument(help: "The map to print.", completion: .map)
  var name: String?

  func outcome() throws -> Outcome {
    if let name { return Outcome(try MapFile.builtIn(name).yaml) }
    return Outcome(TextRenderer(usesColor: Terminal.usesColor).render(TableMap.list))
  }
}

enum MapFile {
  static func map(_ name: String) throws -> TableMap {
    let looksLikeFile = name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    guard try looksLikeFile || FileDescriptor.exists(name) else {
      return try builtIn(name)
    }
    return try TableMap(yaml: InputText.read(name), file: name)
  }

  static func builtIn(_ name: String) throws -> TableMap {
    let known = TableMap.ready.map(\.name)
    let found = try require(
      TableMap.ready.first(where: { $0.name == name }), .usage,
      "there is no built-in map `\(name)`; "
        + NearestNames.choice(name, of: "built-in maps", known)
        + "; the name of your own map must end in .yaml")
    return found.map
  }
}
