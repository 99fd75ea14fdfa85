internal import ArgumentParser
internal import PoseDatasets
internal import PoseModel

extension BodyModelOptions.UpAxis: ExpressibleByArgument {}

struct ImportAMASS: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "amass",
    abstract: "Read motion of SMPL bodies, as AMASS and MOYO publish it.",
    discussion: """
      An .npz file with `joints` is read as it is. One with `poses` and `trans`, as published, also \
      needs the joints of the subject's body at rest, which the licensed body model gives once \
      (docs/recording.md).

      Example:
        planklab import amass plank.npz rest.npy --label forearm/aligned --subject moyo \\
          --output moyo
      """)

  @Argument(help: "The motions (.npz), and the joints of the body at rest (.npy).")
  var files: [String]

  @Option(help: "The axis of the files that points up: z or y.")
  var up = BodyModelOptions.UpAxis.z

  @Option(help: ArgumentHelp("Frames per second (default: the file's own).", valueName: "HZ"))
  var rate: Double?

  @Option(help: ArgumentHelp("What the motions show.", valueName: "CLASS[/FORM]"))
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
