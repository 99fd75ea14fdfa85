internal import ArgumentParser
internal import Workflows

/// `planklab dataset show`.
struct DatasetShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what a dataset holds: sequences, people, rates, labels, axes.",
    discussion: """
      With --sequence, one recording: its header in words, which axes it is in and why that \
      matters, its rate and gaps, and its labels. With --picture, what its labels mean:
        planklab dataset show datasets/scripted --sequence s01-floor --picture a.svg --at 5 --at 12.5
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @Option(help: ArgumentHelp("Show one sequence.", valueName: "NAME"))
  var sequence: String?

  @Option(
    help: ArgumentHelp(
      "Draw the sequence: stick figures with labels and measurements, as SVG.",
      valueName: "FILE.svg"))
  var picture: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A moment to draw; may be repeated; one for each kind of label unless given.",
      valueName: "SECONDS"))
  var at: [Double] = []

  @OptionGroup var result: ResultOptions

  func run() async throws {
    try await Terminal.run {
      if let picture {
        return try ShowDataset.draw(
          ShowDataset.Picture(file: picture, times: at), of: dataset, sequence: sequence)
      }
      guard at.isEmpty else {
        throw WorkflowFailure(.usage, "--at is for --picture; give both or neither")
      }
      return try result.deliver(
        ShowDataset.run(
          dataset, sequence: sequence, format: result.format, usesColor: result.usesColor))
    }
  }
}
