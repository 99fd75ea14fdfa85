internal import ArgumentParser
internal import PoseDatasets
internal import PoseModel

/// `planklab import yoga90`.
struct ImportYoga90: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "yoga90",
    abstract: "Read landmarks of 3DYoga90 with its table of sequences.",
    discussion: """
      Give the published 3DYoga90.csv and the landmarks of sequences as CSV, each named after its \
      number (docs/recording.md says how to convert the Parquet files). Labels come from the \
      column l3_pose; its side plank does not say which side is up.

      Example:
        planklab import yoga90 3DYoga90.csv 1713.csv --label plank=high \\
          --label dolphin-plank=forearm --label upward-plank=reverse \\
          --label side-plank=ignore --label low-plank=ignore --label "*=none" --output yoga
      """)

  @Argument(help: "The table of sequences and tables of landmarks, in any order.")
  var tables: [String]

  @Option(
    name: .customLong("label"),
    help: ArgumentHelp(
      "What a pose means: CLASS, CLASS/FORM or ignore; * is any other pose; may be repeated.",
      valueName: "POSE=CLASS"))
  var labels: [String] = []

  @Option(help: ArgumentHelp("Frames per second of the videos.", valueName: "HZ"))
  var rate = 30.0

  @Flag(
    inversion: .prefixedNo,
    help: "Whether the images were flipped before detection, as the published script does.")
  var mirrored = true

  @OptionGroup var options: ImportOptions

  func outcome() async throws -> Outcome {
    if let packed = tables.first(where: { $0.hasSuffix(".parquet") }) {
      throw WorkflowFailure(
        .badData,
        "\(packed): is a Parquet file; convert it with Python, for example "
          + "pandas.read_parquet('1000.parquet').to_csv('1000.csv', index=False)")
    }
    let source = Yoga90Source(
      options: try Yoga90Options(
        labels: LabelMap(labels), frameRate: Hertz(rate), isMirrored: mirrored,
        subject: options.subject))
    return try await options.dataset(of: tables, read: source)
  }
}
