internal import ArgumentParser
internal import PoseDatasets
internal import PoseModel

struct ImportMediaPipe: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "mediapipe",
    abstract: "Read CSV tables of 17 or 33 MediaPipe landmarks with a label column.",
    discussion: """
      The axes become x right, y up, z toward the camera. The body is scaled to the reference body \
      of 1.8 m by one factor per clip. Clips are cut out of longer videos, so they may start inside \
      a hold.

      Example: tables with C = correct, H = hips high, L = hips low, from a mirrored camera:
        planklab import mediapipe a.csv b.csv --mirrored --output planks \\
          --label C=forearm/aligned --label H=forearm/pike --label L=forearm/sag

      Example: a packed table with a column of seconds:
        planklab import mediapipe film.csv.gz --time-column seconds --label '*=ignore' --output film
      """)

  @Argument(help: "The tables: .csv, or .csv.gz.")
  var tables: [String]

  @Option(
    name: .customLong("label"),
    help: ArgumentHelp(
      "What a label means: CLASS, CLASS/FORM or ignore; * is any other label; may be repeated.",
      valueName: "LABEL=CLASS"))
  var labels: [String] = []

  @Option(help: ArgumentHelp("The label column, if not label, pose or class.", valueName: "NAME"))
  var labelColumn: String?

  @Option(help: ArgumentHelp("Width over height of the images.", valueName: "16:9"))
  var aspect = "16:9"

  @Flag(help: "The coordinates already share one unit; no aspect ratio applies.")
  var proportional = false

  @Option(
    help: ArgumentHelp(
      "A factor for depth, or anatomical: one that makes shoulders and hips as wide as people's.",
      valueName: "FACTOR|anatomical"))
  var depthScale = "1"

  @Flag(help: "Write 2D poses: the points of the image with the face, and how visible they are.")
  var imagePoints = false

  @Option(
    help: ArgumentHelp(
      "The column of times in seconds; otherwise rows come at a constant rate.", valueName: "NAME"))
  var timeColumn: String?

  @Option(
    help: ArgumentHelp("Rows per second, without a column of times (default: 30).", valueName: "HZ")
  )
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "A clip ends when the median landmark moves farther than this, in the table's units.",
      valueName: "STEP"))
  var clipBreak = 0.02

  @Flag(help: "Every row is a separate still image.")
  var stills = false

  @Flag(help: "The images were mirrored before detection.")
  var mirrored = false

  @OptionGroup var options: ImportOptions

  func validate() throws {
    guard timeColumn == nil || rate == nil else {
      throw ValidationError("--rate: rows have the times of --time-column; leave one of them out")
    }
  }

  func outcome() async throws -> Outcome {
    let source = MediaPipeSource(
      options: try MediaPipeOptions(
        labels: LabelMap(labels), labelColumn: labelColumn, timeColumn: timeColumn,
        coordinates: proportional ? .proportional : .image(AspectRatio(aspect)),
        depth: LandmarkDepth(depthScale), output: imagePoints ? .imagePoints : .positions,
        division: stills ? .stills : .clips(stepAbove: clipBreak), frameRate: Hertz(rate ?? 30),
        isMirrored: mirrored, subject: options.subject))
    return try await options.dataset(of: tables, read: source)
  }
}
