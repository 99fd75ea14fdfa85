internal import ArgumentParser
internal import PoseDatasets
internal import PoseModel

extension PoseNetDecoding.Reading: ExpressibleByArgument {}
extension InputFit: ExpressibleByArgument {}

struct ImportPoseNet: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "posenet",
    abstract: "Find people in PoseNet's output tensors.",
    discussion: """
      An .npz file holds the arrays of one recording: heatmaps, offsets, forward (fwd) and \
      backward (bwd) displacements, and times in seconds if there are any. Several .npy files are \
      the arrays of one recording. Images are the first axis; channels come first or last.

      Each reading has its own settings, shown in docs/recording.md; options replace single \
      ones. If there are several people, only the most prominent one is imported, unless \
      --everyone is given.

      Example:
        planklab import posenet session.npz --reading sample --image-size 1080x1920 --fit pad \\
          --output session
      """)

  @Argument(help: "One .npz file per recording, or the .npy files of one.")
  var files: [String]

  @Option(help: "published (TensorFlow.js) or sample (Apple's sample code).")
  var reading = PoseNetDecoding.Reading.published

  @Flag(help: "Make one person of the best cell of every joint.")
  var single = false

  @Flag(help: "Import everyone, each into their own recording.")
  var everyone = false

  @Option(help: "Pixels of the network's input per cell: 8, 16 or 32.")
  var stride = 16

  @Option(
    help: ArgumentHelp(
      "The size of the images (default: the network's input).", valueName: "WIDTHxHEIGHT"),
    transform: {
      guard let size = ImageSize($0) else { throw ValidationError("give a size such as 1080x1920") }
      return size
    })
  var imageSize: ImageSize?

  @Option(help: "How images were made to fit the network's input: stretch, pad or crop.")
  var fit = InputFit.stretch

  @Option(help: ArgumentHelp("Images per second, where there are no times.", valueName: "HZ"))
  var rate = 30.0

  @Option(help: ArgumentHelp("The lowest score at which a person may start.", valueName: "SCORE"))
  var rootScore: Double?

  @Option(
    help: ArgumentHelp(
      "Radius in cells within which a local maximum must be the largest.", valueName: "CELLS"))
  var windowRadius: Int?

  @Option(
    help: ArgumentHelp(
      "Joints of one kind this near are the same joint, in pixels of the input.",
      valueName: "PIXELS"))
  var matchingDistance: Double?

  @Option(
    help: ArgumentHelp("How many times offsets correct a joint's position.", valueName: "TIMES"))
  var refinements: Int?

  @Option(help: ArgumentHelp("The largest number of people per image.", valueName: "COUNT"))
  var people: Int?

  @Option(help: ArgumentHelp("The lowest score of a person.", valueName: "SCORE"))
  var personScore: Double?

  @Flag(help: "Compare candidates on diagonals only, as Apple's sample does by mistake.")
  var diagonalMaxima = false

  @Option(
    help: ArgumentHelp(
      "Draw the people of the first image with somebody in it, as SVG.", valueName: "FILE.svg"))
  var wireframe: String?

  @OptionGroup var options: ImportOptions

  func outcome() async throws -> Outcome {
    let source = PoseNetSource(
      options: try PoseNetOptions(
        decoding: decoding, stride: stride, imageSize: imageSize, fit: fit,
        frameRate: Hertz(rate), isEveryone: everyone, subject: options.subject))
    if let wireframe {
      try OutputFile.checkDistinct([options.output, wireframe])
      try OutputFile.checkReport(wireframe)
    }
    let sequences = try ImportOptions.sequences(of: files, read: source)
    func draw(into folder: StagedFolder) throws {
      guard let wireframe else { return }
      let figure = WireframeFigure(
        title: options.name ?? "PoseNet", firstPoseOf: sequences.map(\.recording))
      let place = try folder.file(at: wireframe).map(folder.path) ?? wireframe
      try OutputFile.writeReport(figure.svg(), to: place)
    }
    var outcome = try await options.dataset(of: sequences, with: draw)
    if let wireframe { outcome.remarks.append("wrote \(wireframe)") }
    return outcome
  }

  private var decoding: PoseNetDecoding {
    var decoding = PoseNetDecoding(reading)
    decoding.isSingle = single
    decoding.comparesDiagonalsOnly = diagonalMaxima
    decoding.rootScore = rootScore ?? decoding.rootScore
    decoding.windowRadius = windowRadius ?? decoding.windowRadius
    decoding.matchingDistance = matchingDistance ?? decoding.matchingDistance
    decoding.refinements = refinements ?? decoding.refinements
    decoding.maximumPeople = people ?? decoding.maximumPeople
    decoding.minimumPersonScore = personScore ?? decoding.minimumPersonScore
    return decoding
  }
}
