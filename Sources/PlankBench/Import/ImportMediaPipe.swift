internal import ArgumentParser
import PoseDatasets
internal import PoseModel

/// `planklab import mediapipe`.
struct ImportMediaPipe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mediapipe",
    abstract: "Read CSV tables of 17 or 33 MediaPipe landmarks with a label column.",
    discussion: """
      Axes become x right, y up, z toward the camera; the body is scaled to the reference body of \
      1.8 m, a factor a clip. Clips are cut out of longer video, so they start inside a hold.

      Example: tables with C = correct, H = hips high, L = hips low, from a mirrored camera:
        planklab import mediapipe a.csv b.csv --mirrored --output planks \\
          --label C=forearm/aligned --label H=forearm/pike --label L=forearm/sag
      """)

  @Argument(help: "The tables.")
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

  @Flag(help: "The coordinates share one unit already; no aspect ratio applies.")
  var proportional = false

  @Option(help: ArgumentHelp("Rows a second; tables have no times.", valueName: "HZ"))
  var rate = 30.0

  @Option(
    help: ArgumentHelp(
      "A clip ends where the median landmark moves farther than this, in the table's units.",
      valueName: "STEP"))
  var clipBreak = 0.02

  @Flag(help: "Every row is a still of its own.")
  var stills = false

  @Flag(help: "The images were mirrored before detection.")
  var mirrored = false

  @OptionGroup var options: ImportOptions

  func run() async throws {
    try await Terminal.run {
      let request = MediaPipeImport(
        tables: tables, labels: labels, labelColumn: labelColumn, aspect: aspect,
        isProportional: proportional, rate: rate, clipBreak: clipBreak, isStills: stills,
        isMirrored: mirrored, subject: options.subject, output: options.request)
      return try ImportPoses.run(request, progress: ProgressBar().report)
    }
  }
}

/// What `import mediapipe` is asked for; texts are read as the command line gives them.
struct MediaPipeImport: Sendable {
  /// The tables' paths.
  var tables: [String]
  /// Assignments such as `L=forearm/sag`.
  var labels: [String]
  /// The column of the labels; found by name unless given.
  var labelColumn: String?
  /// Width over height of the images, such as `16:9`.
  var aspect: String
  /// Whether the numbers are proportional already, so that no aspect applies.
  var isProportional: Bool
  /// The rate of the rows in hertz.
  var rate: Double
  /// The step at which a clip ends.
  var clipBreak: Double
  /// Whether every row is a still of its own.
  var isStills: Bool
  /// Whether the images were mirrored before detection.
  var isMirrored: Bool
  /// Who is shown.
  var subject: String?
  /// Where to write.
  var output: ImportOutput

  /// Makes a request with the defaults of the command line.
  init(
    tables: [String], labels: [String] = [], labelColumn: String? = nil, aspect: String = "16:9",
    isProportional: Bool = false, rate: Double = 30, clipBreak: Double = 0.02,
    isStills: Bool = false, isMirrored: Bool = false, subject: String? = nil, output: ImportOutput
  ) {
    self.tables = tables
    self.labels = labels
    self.labelColumn = labelColumn
    self.aspect = aspect
    self.isProportional = isProportional
    self.rate = rate
    self.clipBreak = clipBreak
    self.isStills = isStills
    self.isMirrored = isMirrored
    self.subject = subject
    self.output = output
  }

  /// The source with these options.
  func source() throws(PoseSourceError) -> MediaPipeSource {
    MediaPipeSource(
      options: try MediaPipeOptions(
        labels: LabelMap(labels), labelColumn: labelColumn,
        coordinates: isProportional ? .proportional : .image(AspectRatio(aspect)),
        division: isStills ? .stills : .clips(stepAbove: clipBreak), frameRate: Hertz(rate),
        isMirrored: isMirrored, subject: subject))
  }
}
