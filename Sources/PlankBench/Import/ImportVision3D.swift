public import ArgumentParser
internal import PoseDatasets
internal import PoseModel

extension DeviceOrientation: ExpressibleByArgument {}
extension CameraPosition: ExpressibleByArgument {}
extension ImageBuffer: ExpressibleByArgument {}

/// `planklab import vision3d`.
struct ImportVision3D: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "vision3d",
    abstract: "Read dumps of Apple Vision's 3D body pose observations.",
    discussion: """
      A dump has one JSON object per frame (docs/recording.md). If image points were logged, they \
      show what the camera matrices mean, and a dump that fits no known meaning is refused. \
      Label the result with `planklab label`.

      Example:
        planklab import vision3d session.jsonl --subject anna --output anna
      """)

  @Argument(help: "The dumps, one file per recording.")
  var dumps: [String]

  @Option(help: "portrait, portraitUpsideDown, landscapeLeft or landscapeRight.")
  var orientation: DeviceOrientation?

  @Option(help: "front or back.")
  var camera: CameraPosition?

  @Option(help: "fixed, or upright if the orientation was passed to Vision.")
  var buffer: ImageBuffer?

  @Flag(inversion: .prefixedNo, help: "Whether the image was flipped before detection.")
  var mirrored: Bool?

  @Flag(help: "Keep the dump's own clock instead of starting at 0.")
  var keepClock = false

  @Flag(help: "Assume the standard matrix convention, whatever image points show.")
  var assumeMatrices = false

  @OptionGroup var options: ImportOptions

  func outcome() throws(WorkflowFailure) -> Outcome {
    try options.dataset(
      of: dumps,
      read: VisionSource(
        options: VisionOptions(
          orientation: orientation, cameraPosition: camera, buffer: buffer,
          isMirrored: mirrored, subject: options.subject, keepsClock: keepClock,
          matrices: assumeMatrices ? .assumed : .checked)))
  }
}
