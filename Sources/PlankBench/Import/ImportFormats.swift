public import ArgumentParser
internal import PoseDatasets
internal import PoseModel

extension BodyModelOptions.UpAxis: ExpressibleByArgument {}

extension ImageSize {
  static func argument(_ text: String) throws -> ImageSize {
    guard let size = ImageSize(text) else { throw ValidationError("give a size such as 1080x1920") }
    return size
  }
}

struct ImportAMASS: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "amass",
    abstract: "Read motions of SMPL bodies, as published by AMASS and MOYO.",
    discussion: """
      An .npz file with `joints` needs nothing else. A published file, with `poses` and `trans`, \
      also needs the joints of the subject's body at rest; compute them once with the licensed \
      body model (docs/recording.md).

      Example:
        planklab import amass plank.npz rest.npy --label forearm/aligned --subject moyo \\
          --output moyo
      """)

  @Argument(help: "The motions (.npz), and the joints of the body at rest (.npy).")
  var files: [String]

  @Option(help: "The axis that points up in the files: z or y.")
  var up = BodyModelOptions.UpAxis.z

  @Option(help: ArgumentHelp("Frames per second (default: the file's own).", valueName: "HZ"))
  var rate: Double?

  @Option(help: ArgumentHelp("The label of all motions.", valueName: "CLASS[/FORM]"))
  var label: String?

  @OptionGroup var options: ImportOptions

  func outcome() async throws -> Outcome {
    let source = BodyModelSource(
      options: BodyModelOptions(
        up: up, frameRate: rate.map(Hertz.init),
        label: try label.map { try LabelTarget($0) },
        subject: options.subject))
    return try await options.dataset(of: ImportOptions.sequences(of: files, read: source))
  }
}

struct ImportDeepMimic: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "deepmimic",
    abstract: "Read DeepMimic motion capture by forward kinematics.",
    discussion: """
      Give one skeleton file and one or more motion files. All clips get the same label.

      Examples:
        planklab import deepmimic skeleton.txt crawl.txt walk.txt --output negatives
        planklab import deepmimic skeleton.txt crawl.txt --rotate z=90 --output turned
      """)

  @Argument(help: "The skeleton and the motions, in any order.")
  var files: [String]

  @Option(help: ArgumentHelp("The label of all clips.", valueName: "CLASS[/FORM]"))
  var label = "none"

  @Option(
    help: ArgumentHelp(
      "Rotate the positions and the up vector together, e.g. z=90 or 1,1,0=45.",
      valueName: "AXIS=DEGREES"))
  var rotate: String?

  @Flag(help: "Mirror the motion, so that left becomes right.")
  var reflect = false

  @OptionGroup var options: ImportOptions

  func outcome() async throws -> Outcome {
    let source = DeepMimicSource(
      options: DeepMimicOptions(
        label: try LabelTarget(label),
        rotation: try rotate.map { try AxisRotation($0) },
        isReflected: reflect, subject: options.subject))
    return try await options.dataset(of: files, read: source)
  }
}

extension PoseModel.DeviceOrientation: ArgumentParser.ExpressibleByArgument {}
extension PoseModel.CameraPosition: ArgumentParser.ExpressibleByArgument {}
extension PoseModel.ImageBuffer: ArgumentParser.ExpressibleByArgument {}

struct DumpOptions: ParsableArguments {
  @Option(help: "How the device was held.")
  var orientation: DeviceOrientation?

  @Option(help: "Which camera was used.")
  var camera: CameraPosition?

  @Option(help: "Use upright if the app passed the orientation to the detector; otherwise, fixed.")
  var buffer: ImageBuffer?

  @Flag(inversion: .prefixedNo, help: "Whether the images were flipped before detection.")
  var mirrored: Bool?

  @Flag(help: "Keep the file's own clock instead of starting at 0.")
  var keepClock = false

  func options(subject: String?, matrices: MatrixReading = .checked) -> VisionOptions {
    VisionOptions(
      orientation: orientation, cameraPosition: camera, buffer: buffer, isMirrored: mirrored,
      subject: subject, keepsClock: keepClock, matrices: matrices)
  }
}

struct ImportVision3D: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "vision3d",
    abstract: "Read dumps of Apple Vision's 3D body pose observations.",
    discussion: """
      A dump has one JSON object per frame (docs/recording.md). Logged image points show which \
      convention the camera matrices follow; a dump that fits no known convention is rejected. \
      Label the result with `planklab label`.

      Example:
        planklab import vision3d session.jsonl --subject anna --output anna
      """)

  @Argument(help: "The dumps, one file per recording.")
  var dumps: [String]

  @OptionGroup var dump: DumpOptions

  @Flag(help: "Assume the standard matrix convention, whatever the image points show.")
  var assumeMatrices = false

  @OptionGroup var options: ImportOptions

  func outcome() async throws -> Outcome {
    try await options.dataset(
      of: dumps,
      read: VisionSource(
        options: dump.options(
          subject: options.subject, matrices: assumeMatrices ? .assumed : .checked)))
  }
}

struct ImportVision2D: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "vision2d",
    abstract: "Read dumps of Apple Vision's 2D body pose observations.",
    discussion: """
      A dump has one JSON object per image, with everyone in it; the header can give the images' \
      size (docs/recording.md). If there are several people, only the most prominent is imported, \
      unless you give --everyone. The most prominent person is the one whose bounding boxes have \
      the largest total area over all images.

      Examples:
        planklab import vision2d image-points.jsonl --subject anna --output anna-2d
        planklab import vision2d image-points.jsonl --everyone --output everyone
      """)

  @Argument(help: "The dumps, one file per recording.")
  var dumps: [String]

  @Flag(help: "Import every person into a separate recording.")
  var everyone = false

  @Option(
    help: ArgumentHelp(
      "The size of the images as Vision saw them (default: the header's).",
      valueName: "WIDTHxHEIGHT"),
    transform: ImageSize.argument)
  var imageSize: ImageSize?

  @OptionGroup var dump: DumpOptions

  @OptionGroup var options: ImportOptions

  func outcome() async throws -> Outcome {
    try await options.dataset(
      of: dumps,
      read: Vision2DSource(
        options: Vision2DOptions(
          dump: dump.options(subject: options.subject), imageSize: imageSize,
          isEveryone: everyone)))
  }
}
