internal import ArgumentParser
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reports

struct DatasetShow: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the contents of a dataset: sequences, people, rates, labels, axes.",
    discussion: """
      --sequence shows one recording: its header in words, its axes and why they matter, its frame \
      rate and gaps, and its labels. --picture draws the recording's poses with their labels and \
      measurements. --joints lists all joints at one moment with Vision's names and positions.

      Examples:
        planklab dataset show datasets/scripted --sequence s01-floor
        planklab dataset show datasets/scripted --sequence s01-floor --picture a.svg --at 5 --at 12
        planklab dataset show datasets/scripted --sequence s04-pelvis --joints --at 9
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @Option(help: ArgumentHelp("Show this sequence.", valueName: "NAME"))
  var sequence: String?

  @Option(
    help: ArgumentHelp(
      "Draw the sequence as SVG: stick figures with labels and measurements.",
      valueName: "FILE.svg"), transform: PictureFile.path)
  var picture: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The moment to draw or list, e.g. 80.5 or 1:20.5; may be repeated (default: one for each "
        + "label).", valueName: "TIME"))
  var at: [Moment] = []

  @Flag(
    help:
      "List the joints at one moment with their positions, bones and places in the camera's view.")
  var joints = false

  @Option(
    help: ArgumentHelp(
      "The camera's focal length; with --joints, it adds image points.", valueName: "PIXELS"))
  var focalLength: Double?

  @Option(
    help: ArgumentHelp("The size of the image (default: the header's).", valueName: "WIDTHxHEIGHT"),
    transform: ImageSize.argument)
  var imageSize: ImageSize?

  @OptionGroup var result: ResultOptions

  func outcome() throws -> Outcome {
    if joints { return try listJoints() }
    if let picture { return try draw(picture) }
    guard at.isEmpty, focalLength == nil, imageSize == nil else {
      throw WorkflowFailure(
        .usage,
        "--at is for --picture and --joints; --focal-length and --image-size are for --joints")
    }
    let reader = try DatasetAccess.open(dataset)
    let entries = try Self.chosen(reader, sequence)
    let summaries = try entries.map { SequenceSummary(sequence: try reader.load($0)) }
    return try result.outcome(
      content: DatasetSummary(name: reader.manifest.name, sequences: summaries),
      document: sequence == nil
        ? overview(reader, summaries) : summaries.first?.document ?? Document())
  }

  /// Folders in front of the name may be left out; nil stands for all sequences.
  static func chosen(_ reader: DatasetReader, _ name: String?) throws -> [SequenceEntry] {
    guard let name else { return reader.manifest.sequences }
    let entries = reader.manifest.sequences
    let short = entries.filter { $0.name.hasSuffix("/" + name) }
    guard
      let entry = entries.first(where: { $0.name == name }) ?? (short.count == 1 ? short[0] : nil)
    else {
      let names = entries.map(\.name)
      throw WorkflowFailure(
        .usage,
        "no sequence `\(name)` in \(reader.manifestPath); \(NearestNames.hint(name, among: names))"
          + "sequences are \(WordText.first(20, of: names))")
    }
    return [entry]
  }

  private func overview(_ reader: DatasetReader, _ summaries: [SequenceSummary]) -> Document {
    var document = Document()
    document.heading(reader.manifest.name ?? reader.manifestPath, level: 1)
    let frames = summaries.reduce(0) { $0 + $1.sequence.recording.frameCount }
    let subjects = Set(summaries.compactMap(\.sequence.subject)).count
    let labeled = summaries.count { $0.sequence.labels != nil }
    document.paragraph(
      NumberText.count(summaries.count, "sequence") + " of "
        + (subjects > 0 ? NumberText.count(subjects, "subject") : "unnamed subjects") + ", "
        + NumberText.count(frames, "frame") + "; "
        + (labeled == summaries.count
          ? "all labeled." : "\(labeled) labeled; to label more, use " + "`planklab label`."))
    document.paragraph(reader.manifest.description ?? "")
    var table = Table([
      .words("sequence"), .words("subject"), .number("frames"), .number("seconds"),
      .number("Hz"), .number("missing"), .words("axes"), .words("held"), .words("labels"),
    ])
    for summary in summaries { table.row(summary.row) }
    document.table(table)
    return document
  }

  private static let chosenMoments = 6

  func draw(_ file: String) throws -> Outcome {
    guard let name = sequence else {
      throw WorkflowFailure(.usage, "--picture needs --sequence with the recording to draw")
    }
    let reader = try DatasetAccess.open(dataset)
    guard let entry = try Self.chosen(reader, name).first else { return Outcome("") }
    let sequence = try reader.load(entry)
    let recording = sequence.recording
    try require(
      recording.frameCount > 0, .badData, "\(name): has no frames; draw another recording")
    if recording.layout.dimension == 2 { return try drawWireframe(sequence, to: file) }
    let times =
      at.isEmpty
      ? Array(Self.typicalTimes(sequence).prefix(Self.chosenMoments)) : at.map(\.seconds).sorted()
    let figure = try Self.figure(sequence, times: times)
    try OutputFile.writeReport(figure.svg(), to: file)
    return .sentence(
      "wrote \(file): \(NumberText.count(times.count, "moment")) of \(sequence.name)")
  }

  private func drawWireframe(_ sequence: DatasetSequence, to file: String) throws -> Outcome {
    try require(
      at.count <= 1, .usage, "--picture of a 2D recording shows one moment; give one --at")
    let figure: WireframeFigure
    if let time = at.first?.seconds {
      let frame = try Self.frame(at: time, of: sequence.recording)
      figure = WireframeFigure(title: sequence.name, [sequence.recording], frame: frame)
    } else {
      figure = WireframeFigure(title: sequence.name, firstPoseOf: [sequence.recording])
    }
    try OutputFile.writeReport(figure.svg(), to: file)
    return .sentence("wrote \(file): one moment of \(sequence.name)")
  }

  private static func figure(_ sequence: DatasetSequence, times: [Double]) throws -> PoseFigure {
    let recording = sequence.recording
    let columns = MeasurementColumns(recording, .all, reading: .gravity)
    let truth = sequence.truth()
    let moments = try times.map { time in
      let frame = try frame(at: time, of: recording)
      let (label, state) = label(sequence, truth, frame: frame)
      return PoseFigure.Moment(
        frame: frame, label: label, state: state,
        measurements: measurements(columns, frame: frame))
    }
    return PoseFigure(
      title: sequence.name, subtitle: subtitle(sequence), recording: recording, moments: moments)
  }

  private static func measurements(
    _ columns: MeasurementColumns, frame: Int
  ) -> PoseFigure.Measurements {
    func value(_ measurement: Measurement) -> Double? {
      let value = columns[measurement][frame]
      return value.isNaN ? nil : Double(value)
    }
    return PoseFigure.Measurements(
      hipDeviation: value(.hipDeviation).map(Meters.init),
      elbowAngle: value(.elbowAngle).map(Degrees.init),
      shoulderRise: value(.shoulderRise).map(Meters.init))
  }

  static func frame(at time: Double, of recording: Recording) throws -> Int {
    let shown = span(of: recording)
    guard shown.contains(time), let frame = recording.times.lastIndex(where: { $0 <= time }) else {
      throw WorkflowFailure(
        .usage,
        "--at \(NumberText.shortest(time)): outside the recording, which runs from "
          + NumberText.fixed(shown.lowerBound, 2) + " to "
          + NumberText.fixed(shown.upperBound, 2) + " s")
    }
    return frame
  }

  private static func span(of recording: Recording) -> ClosedRange<Double> {
    let first = recording.times.first ?? 0
    return first...(recording.times.last ?? first) + recording.frameWeight.value
  }

  static func typicalTimes(_ sequence: DatasetSequence) -> [Double] {
    let recording = sequence.recording
    let shown = span(of: recording)
    var longest: [String: (length: Double, middle: Double)] = [:]
    for segment in sequence.labels?.segments ?? [] {
      guard let plank = segment.plank else { continue }
      let key = plank.name + (segment.form?.name ?? "")
      let part = (segment.start.value...segment.end.value).clamped(to: shown)
      let length = part.upperBound - part.lowerBound
      if length > longest[key]?.length ?? 0 {
        longest[key] = (length, part.lowerBound + length / 2)
      }
    }
    let times = longest.values.map(\.middle).sorted()
    return times.isEmpty ? [recording.times[recording.frameCount / 2]] : times
  }

  private static func label(
    _ sequence: DatasetSequence, _ truth: FrameTruth, frame: Int
  ) -> (text: String, state: String) {
    guard let plank = PlankClass(code: truth.plank[frame]) else {
      let time = sequence.recording.times[frame]
      let isIgnored = sequence.labels?.segments.contains { segment in
        segment.plank == nil && segment.start.value <= time && time < segment.end.value
      }
      return (isIgnored == true ? "ignore" : "not labeled", "ignore")
    }
    guard plank != .none else { return ("no plank", plank.name) }
    guard let form = FormClass(code: truth.form[frame]) else {
      return ("\(plank.name), form not judged", plank.name)
    }
    return ("\(plank.name), \(form.name)", form.name)
  }

  private static func subtitle(_ sequence: DatasetSequence) -> String {
    let header = sequence.recording.header
    let parts = [
      sequence.subject.map { "subject \($0)" },
      header.cameraPosition.map { "\($0.rawValue) camera" },
      header.orientation?.rawValue, header.buffer.map { "\($0.rawValue) buffer" },
      sequence.tags["distance_m"].map { "\($0) m away" },
      sequence.tags["noise"].map { "noise: \($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

struct SequenceSummary {
  let sequence: DatasetSequence

  private var recording: Recording { sequence.recording }
  private var header: RecordingHeader { recording.header }
  private var duration: Double {
    guard let first = recording.times.first, let last = recording.times.last else { return 0 }
    return last - first + recording.frameWeight.value
  }
  private var rate: Double? { recording.medianFrameInterval.map { 1 / $0.value } }
  private var missing: Int { (0..<recording.frameCount).count { recording.isMissing(at: $0) } }

  private var labelSeconds: [(name: String, seconds: Double)] {
    var sums: [String: Double] = [:]
    for segment in sequence.labels?.segments ?? [] {
      let form = segment.form.map { "/" + $0.name } ?? ""
      let name = (segment.plank?.name ?? "ignore") + form
      sums[name, default: 0] += segment.end.value - segment.start.value
    }
    return sums.sorted { $0.key < $1.key }.map { (name: $0.key, seconds: $0.value) }
  }

  var row: [StyledText] {
    let setup = [
      header.orientation?.rawValue, header.cameraPosition?.rawValue, header.buffer?.rawValue,
      header.bufferRotation.map { "turned \($0.degrees) deg" },
    ].compactMap(\.self).joined(separator: " ")
    let labels = labelSeconds.map { "\($0.name) \(NumberText.fixed($0.seconds, 1)) s" }
    return [
      StyledText(sequence.name, .strong), StyledText(sequence.subject ?? "-"),
      StyledText(NumberText.count(recording.frameCount)), StyledText(NumberText.fixed(duration, 1)),
      StyledText(NumberText.fixed(rate, 1)), StyledText(NumberText.count(missing)),
      StyledText(header.frame.rawValue), StyledText(setup.isEmpty ? "-" : setup),
      StyledText(labels.isEmpty ? "none" : labels.joined(separator: ", "), .dim),
    ]
  }

  var document: Document {
    var document = Document()
    document.heading(sequence.name, level: 1)
    for sentence in AxesExplanation(recording).sentences { document.paragraph(sentence) }
    document.paragraph(heightSentence)
    var table = Table([.words("fact"), .words("value")])
    for (name, value) in facts { table.row([StyledText(name), StyledText(value, .strong)]) }
    document.table(table)
    document.heading("Labels")
    var labels = Table([.number("start"), .number("end"), .words("plank"), .words("form")])
    for segment in sequence.labels?.segments ?? [] {
      labels.row([
        StyledText(NumberText.fixed(segment.start.value, 3)),
        StyledText(NumberText.fixed(segment.end.value, 3)),
        StyledText(segment.plank?.name ?? "ignore"), StyledText(segment.form?.name ?? ""),
      ])
    }
    document.table(labels)
    return document
  }

  private var facts: [(String, String)] {
    let tags = sequence.tags.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return [
      ("subject", sequence.subject ?? "unknown"), ("split", sequence.split ?? "-"),
      (
        "skeleton", "\(header.skeleton.rawValue), \(NumberText.count(header.joints.count, "joint"))"
      ),
      ("frames", "\(NumberText.count(recording.frameCount)), \(NumberText.count(missing)) missing"),
      ("duration", NumberText.fixed(duration, 2) + " s"),
      ("rate", rate.map { NumberText.fixed($0, 2) + " Hz (median)" } ?? "n/a"),
      ("longest gap", NumberText.fixed(longestGap, 3) + " s"),
      ("begins inside a hold", sequence.startsMid ? "yes" : "no"),
      ("device answers", recording.hasAnswers ? "yes" : "no"),
      ("tags", tags.isEmpty ? "-" : tags.joined(separator: ", ")),
    ]
  }

  private var longestGap: Double {
    zip(recording.times.dropFirst(), recording.times).map { $0 - $1 }.max() ?? 0
  }

  private var heightSentence: String {
    switch (header.bodyHeight, header.heightEstimation) {
    case (let height?, .measured?):
      "The body height of \(height.value) m was measured, so fractions of it are meaningful."
    case (let height?, nil):
      "The header does not say whether the body height of \(height.value) m was measured; if "
        + "it is a reference, the `scaled` detector is equivalent to `gravity`."
    case (let height?, .reference?):
      "The body height of \(height.value) m is a reference, not a measurement: the `scaled` "
        + "detector is equivalent to `gravity` here."
    case (nil, _):
      "The header gives no body height; frames without their own height use Vision's "
        + "\(HeightEstimation.referenceHeight.value) m."
    }
  }
}

private struct DatasetSummary: Encodable {
  let name: String?
  let sequences: [SequenceSummary]
}

extension SequenceSummary: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name, subject, split, tags, skeleton, frame, joints, orientation, frames
    case startsMid = "starts_mid"
    case missing = "missing_frames"
    case duration = "duration_s"
    case rate = "median_rate_hz"
    case longestGap = "longest_gap_s"
    case bodyHeight = "body_height_m"
    case labelSeconds = "label_seconds"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(sequence.name, forKey: .name)
    try container.encodeIfPresent(sequence.subject, forKey: .subject)
    try container.encodeIfPresent(sequence.split, forKey: .split)
    try container.encode(sequence.startsMid, forKey: .startsMid)
    try container.encode(sequence.tags, forKey: .tags)
    try container.encode(header.skeleton.rawValue, forKey: .skeleton)
    try container.encode(header.frame.rawValue, forKey: .frame)
    try container.encode(header.joints.map(\.name), forKey: .joints)
    try container.encodeIfPresent(header.orientation?.rawValue, forKey: .orientation)
    try container.encode(recording.frameCount, forKey: .frames)
    try container.encode(missing, forKey: .missing)
    try container.encode(duration, forKey: .duration)
    try container.encodeIfPresent(rate, forKey: .rate)
    try container.encode(longestGap, forKey: .longestGap)
    try container.encodeIfPresent(header.bodyHeight?.value, forKey: .bodyHeight)
    try container.encode(
      Dictionary(uniqueKeysWithValues: labelSeconds.map { ($0.name, $0.seconds) }),
      forKey: .labelSeconds)
  }
}
