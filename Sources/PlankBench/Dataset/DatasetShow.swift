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

extension DatasetShow {
  func listJoints() throws -> Outcome {
    guard let name = sequence, at.count == 1, let time = at.first?.seconds else {
      throw WorkflowFailure(
        .usage, "--joints needs --sequence with the recording, and --at with one moment")
    }
    let reader = try DatasetAccess.open(dataset)
    let entry = try Self.entry(named: name, of: reader)
    let recording = try reader.load(entry).recording
    let frame = try Self.frame(at: time, of: recording)
    if recording.layout.dimension == 2 { return try list(recording, frame: frame, of: entry.name) }
    let camera = try intrinsics(of: recording.header)
    let observation = try require(
      Self.observing(entry.name) { try recording.observation(at: frame) }, .badData,
      "\(entry.name): no pose at \(NumberText.shortest(time)) s; try another moment")
    let listing = try Self.observing(entry.name) {
      try JointListing(
        name: entry.name, time: recording.times[frame], observation: observation,
        intrinsics: camera)
    }
    let remark = try draw(listing, of: recording.header, camera)
    return try result.outcome(
      remarks: [remark].compactMap(\.self), content: listing, document: listing.document)
  }

  private func list(_ recording: Recording, frame: Int, of name: String) throws -> Outcome {
    try require(
      focalLength == nil, .usage,
      "--focal-length is for 3D recordings; \(name) already has image positions")
    let listing = ImageListing(
      name: name, recording: recording, frame: frame, size: imageSize ?? recording.header.imageSize)
    try require(
      recording.hasPose(at: frame), .badData, "\(name): no pose at \(at[0]) s; try another moment")
    var remarks: [String] = []
    if let picture {
      let figure = WireframeFigure(title: listing.title, [recording], frame: frame, size: imageSize)
      try OutputFile.writeReport(figure.svg(), to: picture)
      remarks.append("wrote \(picture)")
    }
    return try result.outcome(remarks: remarks, content: listing, document: listing.document)
  }

  private func draw(
    _ listing: JointListing, of header: RecordingHeader, _ camera: CameraIntrinsics?
  ) throws -> String? {
    guard let picture else { return nil }
    let camera = try require(
      camera, .usage, "--picture with --joints needs --focal-length; give it in pixels")
    let aspect = Double(camera.imageWidthPixels) / Double(camera.imageHeightPixels)
    try OutputFile.writeReport(listing.figure(of: header, aspect: aspect).svg(), to: picture)
    return "wrote \(picture)"
  }

  private static func observing<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw WorkflowFailure(.badData, "\(name): \(error)") }
  }

  private func intrinsics(of header: RecordingHeader) throws -> CameraIntrinsics? {
    guard let focalLength else { return nil }
    try require(
      focalLength.isFinite && focalLength > 0, .usage,
      "--focal-length must be above 0; give it in pixels")
    let size = try require(
      imageSize ?? header.imageSize, .usage,
      "--focal-length needs the size of the image; give --image-size 1080x1920")
    return CameraIntrinsics(
      focalLengthPixels: focalLength, imageWidthPixels: size.width, imageHeightPixels: size.height)
  }
}
