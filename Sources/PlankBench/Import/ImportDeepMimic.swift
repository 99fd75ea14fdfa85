internal import ArgumentParser
import PoseDatasets
internal import PoseModel

/// `planklab import deepmimic`.
struct ImportDeepMimic: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deepmimic",
    abstract: "Read DeepMimic motion capture by forward kinematics.",
    discussion: """
      Give one skeleton file and one or more motion files. Whole clips get one label, none unless \
      told otherwise.

      Example:
        planklab import deepmimic skeleton.txt crawl.txt walk.txt --output negatives
        planklab import deepmimic skeleton.txt crawl.txt --rotate z=90 --output turned
      """)

  @Argument(help: "The skeleton and the motions, in any order.")
  var files: [String]

  @Option(help: ArgumentHelp("What the clips show.", valueName: "CLASS[/FORM]"))
  var label = "none"

  @Option(
    help: ArgumentHelp(
      "Turn camera and up vector together, e.g. z=90 or 1,1,0=45.", valueName: "AXIS=DEGREES"))
  var rotate: String?

  @Flag(help: "Reflect the motion: left becomes right.")
  var reflect = false

  @OptionGroup var options: ImportOptions

  func run() async throws {
    try await Terminal.run {
      let request = DeepMimicImport(
        files: files, label: label, rotation: rotate, isReflected: reflect,
        subject: options.subject, output: options.request)
      return try ImportPoses.run(request, progress: ProgressBar().report)
    }
  }
}

/// What `import deepmimic` is asked for; texts are read as the command line gives them.
struct DeepMimicImport: Sendable {
  /// The paths of one skeleton and one or more motions, in any order.
  var files: [String]
  /// What every clip shows, such as `none`.
  var label: String
  /// A turn of the camera, such as `x=30`.
  var rotation: String?
  /// Whether the motion is reflected.
  var isReflected: Bool
  /// Who is shown.
  var subject: String?
  /// Where to write.
  var output: ImportOutput

  /// Makes a request with the defaults of the command line.
  init(
    files: [String], label: String = "none", rotation: String? = nil, isReflected: Bool = false,
    subject: String? = nil, output: ImportOutput
  ) {
    self.files = files
    self.label = label
    self.rotation = rotation
    self.isReflected = isReflected
    self.subject = subject
    self.output = output
  }

  /// The source with these options.
  func source() throws(PoseSourceError) -> DeepMimicSource {
    var turn: AxisRotation?
    if let rotation { turn = try AxisRotation(rotation) }
    return DeepMimicSource(
      options: DeepMimicOptions(
        label: try LabelTarget(label), rotation: turn, isReflected: isReflected,
        subject: subject))
  }
}
