public import ArgumentParser
import PoseDatasets
internal import PoseModel

extension DeviceOrientation: ExpressibleByArgument {}
extension CameraPosition: ExpressibleByArgument {}
extension ImageBuffer: ExpressibleByArgument {}

/// `planklab import vision3d`.
struct ImportVision3D: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vision3d",
    abstract: "Read dumps of Apple Vision's 3D body pose observations.",
    discussion: """
      A dump holds one JSON object a frame (docs/recording.md). Where image points were logged, \
      the meaning of the camera matrices is found out from them, and a dump that fits no meaning \
      is refused. Label the result with `planklab label`.

      Example:
        planklab import vision3d session.jsonl --subject anna --output anna
      """)

  @Argument(help: "The dumps, one file a recording.")
  var dumps: [String]

  @Option(help: "portrait, portraitUpsideDown, landscapeLeft or landscapeRight.")
  var orientation: DeviceOrientation?

  @Option(help: "front or back.")
  var camera: CameraPosition?

  @Option(help: "fixed, or upright where the orientation was passed to Vision.")
  var buffer: ImageBuffer?

  @Flag(inversion: .prefixedNo, help: "Whether the image was flipped before detection.")
  var mirrored: Bool?

  @Flag(help: "Keep the dump's own clock instead of starting at 0.")
  var keepClock = false

  @Flag(help: "Assume the standard matrix convention, whatever image points show.")
  var assumeMatrices = false

  @OptionGroup var options: ImportOptions

  func run() async throws {
    try await Terminal.run {
      let request = VisionImport(
        dumps: dumps, orientation: orientation, cameraPosition: camera, buffer: buffer,
        isMirrored: mirrored, keepsClock: keepClock, assumesMatrices: assumeMatrices,
        subject: options.subject, output: options.request)
      return try ImportPoses.run(request, progress: ProgressBar().report)
    }
  }
}

/// What `import vision3d` is asked for; texts are read as the command line gives them.
struct VisionImport: Sendable {
  /// The dumps' paths.
  var dumps: [String]
  /// How the device was held; the dump's header says so unless given.
  var orientation: DeviceOrientation?
  /// Which camera recorded.
  var cameraPosition: CameraPosition?
  /// What Vision was given.
  var buffer: ImageBuffer?
  /// Whether the image was flipped before detection; nil believes the dump's header.
  var isMirrored: Bool?
  /// Whether times stay on the dump's own clock.
  var keepsClock: Bool
  /// Whether the standard matrix convention is assumed whatever logged image points show.
  var assumesMatrices: Bool
  /// Who is shown.
  var subject: String?
  /// Where to write.
  var output: ImportOutput

  /// Makes a request.
  init(
    dumps: [String], orientation: DeviceOrientation? = nil, cameraPosition: CameraPosition? = nil,
    buffer: ImageBuffer? = nil, isMirrored: Bool? = nil, keepsClock: Bool = false,
    assumesMatrices: Bool = false, subject: String? = nil, output: ImportOutput
  ) {
    self.dumps = dumps
    self.orientation = orientation
    self.cameraPosition = cameraPosition
    self.buffer = buffer
    self.isMirrored = isMirrored
    self.keepsClock = keepsClock
    self.assumesMatrices = assumesMatrices
    self.subject = subject
    self.output = output
  }

  /// The source with these options.
  var source: VisionSource {
    VisionSource(
      options: VisionOptions(
        orientation: orientation, cameraPosition: cameraPosition, buffer: buffer,
        isMirrored: isMirrored, subject: subject, keepsClock: keepsClock,
        matrices: assumesMatrices ? .assumed : .checked))
  }
}
