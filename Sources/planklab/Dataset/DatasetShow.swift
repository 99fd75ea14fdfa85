internal import ArgumentParser
internal import Workflows

/// `planklab dataset show`.
struct DatasetShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what a dataset holds: sequences, people, rates, labels, axes.",
    discussion: """
      With --sequence, one recording: its header in words, which axes it is in and why that \
      matters, its rate and gaps, and its labels.
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @Option(help: ArgumentHelp("Show one sequence.", valueName: "NAME"))
  var sequence: String?

  @OptionGroup var result: ResultOptions

  func run() async throws {
    try await Terminal.run {
      try result.deliver(
        ShowDataset.run(
          dataset, sequence: sequence, format: result.format, usesColor: result.usesColor))
    }
  }
}
