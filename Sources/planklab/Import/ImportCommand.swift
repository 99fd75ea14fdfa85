internal import ArgumentParser
internal import Workflows

/// `planklab import`.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a dataset of poses that another program wrote.",
    subcommands: [ImportVision3D.self, ImportMediaPipe.self, ImportDeepMimic.self])
}

/// Where an import writes and how it describes what it writes.
struct ImportOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The dataset folder to make; must not exist.", valueName: "DIR"))
  var output: String

  @Option(help: "The dataset's name; the folder's unless given.")
  var name: String?

  @Option(help: "What the dataset is, for its manifest.")
  var description: String?

  @Option(help: "The license of the data, for its manifest.")
  var license: String?

  @Option(help: "Who is shown, if it is one person.")
  var subject: String?

  /// The output as workflows take it.
  var request: ImportOutput {
    ImportOutput(folder: output, name: name, description: description, license: license)
  }
}
