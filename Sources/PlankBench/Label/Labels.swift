internal import ArgumentParser
internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Statistics

struct LabelAgreementCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "agreement",
    abstract: "Show how well two people's labels agree: kappa, boundaries, matrices in seconds.",
    discussion: """
      Disagreement between people limits what a score can show. If two people make mistakes \
      independently and equally often, even a perfect detector's kappa with either of them is only \
      about the square root of the kappa between the two. If the second person's labels are in NAME.second.labels.csv next to a \
      recording, `evaluate` also shows the agreement.
      """)

  @Argument(help: "The first person's labels.")
  var first: String

  @Argument(help: "The second person's labels.")
  var second: String

  @Option(
    help: ArgumentHelp(
      "Compare at the times of a recording's frames instead of at 100 Hz.", valueName: "FILE"))
  var recording: String?

  @OptionGroup var result: ResultOptions

  private static let rate = Hertz(100)
  private static let longest = Seconds(24 * 60 * 60)

  func outcome() throws -> Outcome {
    let one = try LabelsReader.read(path: first).track
    let other = try LabelsReader.read(path: second).track
    let agreement: LabelAgreement
    if let recording {
      let poses = try RecordingReader.read(path: recording).recording
      agreement = LabelAgreement(
        first: one, second: other, times: poses.times, frameWeight: poses.frameWeight)
    } else {
      try checkSpan(of: one.segments + other.segments)
      agreement = LabelAgreement(first: one, second: other, rate: Self.rate)
    }
    let numbers = agreement.rows.map { ($0.name, AgreementNumber($0.value, unit: $0.unit)) }
    return try result.outcome(
      content: Dictionary(uniqueKeysWithValues: numbers),
      document: agreement.document(isBesideScores: false))
  }

  private func checkSpan(of segments: [LabeledSegment]) throws {
    guard let start = segments.map(\.start.value).min(),
      let end = segments.map(\.end.value).max(), !(end - start <= Self.longest.value)
    else { return }
    throw WorkflowFailure(
      .badData,
      "\(first), \(second): the labels run from \(start) to \(end) s, more than a day; write "
        + "seconds on one clock, or give --recording")
  }
}

private struct AgreementNumber: Encodable {
  let value: OrNull<Double>
  let unit: String
  let undefined: UndefinedReason?

  init(_ value: MetricValue, unit: String) {
    self.value = OrNull(value.number)
    self.unit = unit
    undefined = value.reason
  }
}

struct LabelImport: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Convert labels from another program into label files.",
    discussion: """
      Reads tables of segments, events or per-frame labels, Audacity label tracks, and files from \
      ELAN, BORIS, Praat, Label Studio, Create ML, CVAT, Anvil, SubRip and WebVTT. A table that \
      covers several recordings becomes one file for each, in a folder or beside the recordings of \
      a dataset.

      Examples:
        planklab label import track.txt --output session.labels.csv
        planklab label import events.tsv --columns "Start (s),Stop (s),Behavior" \\
          --label down=forearm/sag --output session.labels.csv
        planklab label import table.csv --columns from,to,what --label down=forearm/sag \\
          --output table.labels.csv
      """)

  @Argument(help: "The labels to read.")
  var input: String

  @Option(
    help: ArgumentHelp(
      "The input's format: audacity, csv, json, xml, textgrid or subtitles (default: detected).",
      valueName: "NAME"))
  var inputFormat: String?

  @Option(
    name: .customLong("label"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("What a label means; may be repeated.", valueName: "LABEL=CLASS"))
  var labels: [String] = []

  @Option(
    help: ArgumentHelp(
      "The table's columns (default: detected from their names).", valueName: "START,END,LABEL"))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "The unit of the times: s, ms, us, ns, cs, ds, min, h, days, frames, or time for clock "
        + "times (default: detected).",
      valueName: "UNIT"))
  var unit: String?

  @Option(help: ArgumentHelp("The frame rate of the labeled video.", valueName: "HZ"))
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "The tier, track, person or session to read; \"*\" joins all tiers.", valueName: "NAME"))
  var tier: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Add this offset to every time, e.g. -2.5 or -1:20.", valueName: "TIME"))
  var offset: Moment?

  @Option(
    help: ArgumentHelp(
      "Read only the labels of this recording; if you give its file, the times are checked.",
      valueName: "NAME|FILE"))
  var recording: String?

  @Option(
    help: ArgumentHelp(
      "Write the labels beside this dataset's recordings, matched by name.", valueName: "DIR"))
  var dataset: String?

  @Option(
    help: ArgumentHelp(
      "With --dataset, a table of who is in each recording, with the columns recording and "
        + "subject.", valueName: "TABLE"))
  var people: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The label file to write, or a folder for several label files.", valueName: "FILE"))
  var output: String?

  func validate() throws {
    guard (output == nil) != (dataset == nil) else {
      throw ValidationError("give either --output FILE or --dataset DIR")
    }
    if people != nil, dataset == nil {
      throw ValidationError("--people names the people of a dataset; give --dataset DIR as well")
    }
  }

  func outcome() throws -> Outcome {
    let reader = LabelTextReader(options: try textOptions())
    var sheet = try reader.sheet(from: try Self.text(input))
    if let recording { try sheet.keep(recording: recording) }
    if let dataset {
      let placement = try LabelPlacement(
        dataset: dataset, input: input, recording: recording, people: try people.map(Self.text))
      return try placement.outcome(of: sheet, reader)
    }
    return try written(sheet, reader, to: output ?? "")
  }

  private func written(
    _ sheet: LabelSheet, _ reader: LabelTextReader, to output: String
  ) throws -> Outcome {
    let isFolder = try output.hasSuffix("/") || FileDescriptor.isFolder(output)
    if !isFolder { try sheet.requireOneRecording() }
    let folder = output.hasSuffix("/") ? String(output.dropLast()) : output
    let groups = sheet.groups
    let paths = groups.map { group in
      isFolder ? folder + "/" + RecordingName.fileName(group.name ?? input) + ".labels.csv" : output
    }
    try require(
      Set(paths).count == paths.count, .badData,
      "\(input): two recordings differ only in folder or extension; import one at a time with "
        + "--recording")
    let spans = try paths.map { try span(besideLabelsAt: $0) }
    var sheet = sheet
    if recording == nil, !isFolder, spans.contains(where: { $0 != nil }) {
      sheet.noteOther(recording: output)
    }
    let imported = try reader.labels(of: sheet, spans: spans)
    if isFolder {
      let code = OutputFile.makeFolder(folder)
      guard code == 0 else { throw OutputFile.failure(folder, code) }
    }
    return Outcome(try Self.write(imported.tracks, to: paths), remarks: imported.notes)
  }

  fileprivate static func write(_ tracks: [LabelTrack], to paths: [String]) throws -> String {
    for path in paths { try OutputFile.checkReport(path) }
    var text = ""
    for (path, track) in zip(paths, tracks) {
      try OutputFile.writeReport(LabelsWriter.text(of: track), to: path)
      text += "wrote \(path): \(NumberText.count(track.segments.count, "segment"))\n"
    }
    return text
  }

  private func span(besideLabelsAt path: String) throws -> RecordingSpan? {
    if let recording, DatasetAccess.isRecordingName(recording) {
      return try LabelPlacement.span(of: recording)
    }
    guard path.hasSuffix(".labels.csv") else { return nil }
    for ending in DatasetAccess.recordingEndings {
      let poses = String(path.dropLast(".labels.csv".count)) + ending
      if try FileDescriptor.isFile(poses) { return try LabelPlacement.span(of: poses) }
    }
    return nil
  }

  private static func text(_ path: String) throws -> NamedText {
    try NamedText(labels: NamedBytes(name: path, bytes: try InputText.bytes(of: path)))
  }

  private func textOptions() throws -> LabelTextOptions {
    try LabelTextOptions(
      format: try inputFormat.map { try Self.known($0, "the format") }, labels: LabelMap(labels),
      columns: try columns.map { try SegmentColumns(text: $0) } ?? SegmentColumns(),
      offset: offset.map { Seconds($0.seconds) },
      unit: try unit.map { try Self.known($0, "the unit") },
      rate: rate, tier: tier)
  }

  private static func known<Value: RawRepresentable<String> & CaseIterable>(
    _ text: String, _ what: String
  ) throws -> Value {
    guard let value = Value(rawValue: text) else {
      throw PoseSourceError.invalidOption(
        what, found: text, allowed: Value.allCases.map(\.rawValue).joined(separator: " or "))
    }
    return value
  }
}

struct LabelPlacement {
  private let dataset: String
  private let input: String
  private let recording: String?
  private let people: PeopleTable?
  private let reader: DatasetReader
  private let recordings: RecordingNames

  init(dataset: String, input: String, recording: String?, people: NamedText?) throws {
    self.dataset = dataset
    self.input = input
    self.recording = recording
    self.people = try people.map { try PeopleTable($0) }
    reader = try DatasetAccess.open(dataset)
    recordings = RecordingNames(reader.manifest.sequences)
  }

  static func span(of path: String) throws -> RecordingSpan? {
    span(of: try RecordingReader.read(path: path).recording)
  }

  private static func span(of recording: Recording) -> RecordingSpan? {
    guard let first = recording.times.first, let last = recording.times.last else { return nil }
    let interval = recording.medianFrameInterval?.value ?? 0
    return RecordingSpan(
      start: first, end: last + recording.frameWeight.value,
      rate: interval > 0 ? 1 / interval : nil)
  }

  func outcome(of sheet: LabelSheet, _ labels: LabelTextReader) throws -> Outcome {
    if recording != nil { try sheet.requireOneRecording() }
    let groups = sheet.groups.map { callings(of: $0) }
    if sheet.hasParties, groups.allSatisfy({ recordings.match($0) == .none }) {
      try sheet.requireOneRecording()
    }
    let isNameless = recording == nil && sheet.groups.allSatisfy(\.names.isEmpty)
    let entries = try matched(
      groups, in: input, what: "labels",
      remedy: isNameless ? "Name the recording with --recording" : Self.usualRemedy)
    let subjects = try subjects()
    var unnamed: [String] = []
    let spans = try entries.map { entry in
      let recording = try RecordingReader.read(path: reader.path(of: entry.posesPath)).recording
      let subject = entry.subject ?? recording.header.subject ?? subjects[entry.name]
      if subject == nil { unnamed.append(entry.name) }
      return Self.span(of: recording)
    }
    let imported = try labels.labels(of: sheet, spans: spans)
    let folder = reader.folder.isEmpty ? "." : reader.folder
    let lock = FolderLock(folder)
    defer { withExtendedLifetime(lock) {} }
    let old = try InputText.read(reader.manifestPath)
    var edit = try ManifestEdit(text: old, file: reader.manifestPath)
    var paths: [String: String] = [:]
    for entry in entries { paths[entry.name] = entry.labelsPath ?? entry.labelsName }
    _ = try edit.setMissing(.labels, paths)
    let named = try edit.setMissing(.subject, subjects)
    let new = try fresh(imported.tracks, of: entries)
    var text = try LabelImport.write(new.map(\.track), to: new.map(\.place))
    if edit.text != old {
      try OutputFile.edit(edit.text, at: reader.manifestPath, insteadOf: old)
      text +=
        "wrote \(reader.manifestPath)"
        + (named.isEmpty ? "\n" : ": \(NumberText.count(named.count, "sequence")) with a subject\n")
    }
    let same = entries.count - new.count
    return Outcome(
      text,
      remarks: imported.notes
        + (same > 0 ? ["unchanged: \(NumberText.count(same, "label file"))"] : []) + rest(entries)
        + Self.naming(unnamed) + ["next: planklab evaluate \(ShellWord.quoted(dataset))"])
  }

  /// The labels whose files do not exist yet; files with other labels are never replaced.
  private func fresh(
    _ tracks: [LabelTrack], of entries: [SequenceEntry]
  ) throws -> [(track: LabelTrack, place: String)] {
    var new: [(track: LabelTrack, place: String)] = []
    var taken: [String] = []
    for (track, entry) in zip(tracks, entries) {
      let place = reader.path(of: entry.labelsPath ?? entry.labelsName)
      if try !FileDescriptor.exists(place) {
        new.append((track, place))
      } else {
        let written = LabelsWriter.text(of: track)
        let same = try LabelsReader.read(text: written, name: place).track
        if try LabelsReader.read(path: place).track != same { taken.append(place) }
      }
    }
    try require(
      taken.isEmpty, .cannotCreate,
      "\(WordText.first(8, of: taken)): other labels are there, and an import never replaces labels, "
        + "so nothing was written; to replace them, move them away and run the command again")
    return new
  }

  private static func naming(_ recordings: [String]) -> [String] {
    guard !recordings.isEmpty else { return [] }
    return [
      "without a person: \(WordText.first(8, of: recordings)); to name them, add --people TABLE, "
        + "with the columns recording and subject, to this command"
    ]
  }

  private static let usualRemedy = "Use the names in the manifest"

  private func callings(of group: LabelGroup) -> [String] {
    if let recording { return [recording] }
    return group.names.isEmpty ? [input] + group.media : group.names
  }

  private func matched(
    _ groups: [[String]], in file: String, what: String, remedy: String = usualRemedy
  ) throws -> [SequenceEntry] {
    var entries: [SequenceEntry] = []
    var problems: [String] = []
    for group in groups {
      let name = group.first ?? ""
      switch recordings.match(group) {
      case .one(let index): entries.append(reader.manifest.sequences[index])
      case .none: problems.append("`\(name)` is not a recording of the dataset")
      case .several(let found):
        problems.append("`\(name)` may be \(found.prefix(4).joined(separator: " or "))")
      }
    }
    guard problems.isEmpty else {
      let known = reader.manifest.sequences.map(\.name)
      throw WorkflowFailure(
        .badData,
        "\(file): \(problems.prefix(8).joined(separator: ", ")); \(entries.count) of "
          + "\(groups.count) matched, and nothing was written. \(remedy): "
          + known.prefix(8).joined(separator: ", ") + (known.count > 8 ? ", ..." : ""))
    }
    try require(
      Set(entries.map(\.name)).count == entries.count, .badData,
      "\(file): two names stand for the same recording; list its \(what) under one name")
    return entries
  }

  private func subjects() throws -> [String: String] {
    guard let people, let file = people.rows.first?.place.file else { return [:] }
    let entries = try matched(people.rows.map(\.recordings), in: file, what: "person")
    var subjects: [String: String] = [:]
    for (entry, row) in zip(entries, people.rows) { subjects[entry.name] = row.subject }
    return subjects
  }

  private func rest(_ entries: [SequenceEntry]) -> [String] {
    let done = Set(entries.map(\.name))
    let rest = reader.manifest.sequences.filter { !done.contains($0.name) && $0.labelsPath == nil }
    guard !rest.isEmpty else { return [] }
    return ["without labels: " + WordText.first(8, of: rest.map(\.name))]
  }
}

enum SecondLabels {
  private static let ending = ".labels.csv"

  static func agreement(
    _ entry: SequenceEntry, _ sequence: DatasetSequence, _ reader: DatasetReader
  ) throws -> LabelAgreement? {
    guard let labelsPath = entry.labelsPath, labelsPath.hasSuffix(ending),
      let first = sequence.labels
    else { return nil }
    let path = reader.path(of: labelsPath.dropLast(ending.count) + ".second" + ending)
    guard try FileDescriptor.exists(path) else { return nil }
    let second = try LabelsReader.read(path: path).track
    return LabelAgreement(
      first: first, second: second, times: sequence.recording.times,
      frameWeight: sequence.recording.frameWeight)
  }
}
