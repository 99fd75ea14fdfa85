internal import ArgumentParser
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
    try require(
      at.isEmpty && focalLength == nil && imageSize == nil, .usage,
      "--at is for --picture and --joints; --focal-length and --image-size are for --joints")
    let reader = try DatasetAccess.open(dataset)
    let entries = try sequence.map { [try Self.entry(named: $0, of: reader)] }
    let summary = DatasetSummary(
      of: reader, try (entries ?? reader.manifest.sequences).map(reader.load))
    return try result.outcome(
      content: summary,
      document: sequence == nil ? summary.document : summary.sequences[0].document)
  }

  /// Folders in front of the name may be left out.
  static func entry(named name: String, of reader: DatasetReader) throws -> SequenceEntry {
    let entries = reader.manifest.sequences
    let short = entries.filter { $0.name.hasSuffix("/" + name) }
    guard
      let entry = entries.first(where: { $0.name == name }) ?? (short.count == 1 ? short[0] : nil)
    else {
      let names = entries.map(\.name)
      throw WorkflowFailure(
        .usage,
        "no sequence `\(name)` in \(reader.manifestPath); \(NearestNames.hint(name, among: names))"
          + "the sequences are \(WordText.first(20, of: names))")
    }
    return entry
  }

  private static let chosenMoments = 6

  func draw(_ file: String) throws -> Outcome {
    let name = try require(
      sequence, .usage, "--picture needs --sequence with the recording to draw")
    let reader = try DatasetAccess.open(dataset)
    let sequence = try reader.load(Self.entry(named: name, of: reader))
    let recording = sequence.recording
    try require(
      recording.frameCount > 0, .badData, "\(name): has no frames; draw another recording")
    if recording.layout.dimension == 2 { return try drawWireframe(sequence, to: file) }
    let times =
      at.isEmpty
      ? Array(Self.typicalTimes(sequence).prefix(Self.chosenMoments)) : at.map(\.seconds).sorted()
    let frames = try times.map { try Self.frame(at: $0, of: recording) }
    try OutputFile.writeReport(PoseFigure(of: sequence, frames: frames).svg(), to: file)
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
}
