internal import ArgumentParser
internal import Workflows

/// `planklab dataset hash`.
struct DatasetHash: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Print the identity of a dataset: poses, labels and manifest apart, and all.")

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @OptionGroup var result: ResultOptions

  func run() async throws {
    try await Terminal.run {
      try result.deliver(
        HashDataset.run(dataset, format: result.format, usesColor: result.usesColor))
    }
  }
}
