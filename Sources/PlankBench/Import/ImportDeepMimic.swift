internal import ArgumentParser
internal import PoseDatasets
internal import PoseModel

struct ImportDeepMimic: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "deepmimic",
    abstract: "Read DeepMimic motion capture by forward kinematics.",
    discussion: """
      Give one skeleton file and one or more motion files. Every clip gets one label: `none`, unless \
      --label gives another.

      Examples:
        planklab import deepmimic skeleton.txt crawl.txt walk.txt --output negatives
        planklab import deepmimic skeleton.txt crawl.txt --rotate z=90 --output turned
      """)

  @Argument(help: "The skeleton and the motions, in any order.")
  var files: [String]

  @Option(help: ArgumentHelp("What the clips show.", valueName: "CLASS[/FORM]"))
  var label = "none"

  @Option(
    help: ArgumentHelp(
      "Turn the camera and the up vector together, e.g. z=90 or 1,1,0=45.",
      valueName: "AXIS=DEGREES"))
  var rotate: String?

  @Flag(help: "Reflect the motion: left becomes right.")
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
