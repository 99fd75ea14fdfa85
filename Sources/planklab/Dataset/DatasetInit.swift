internal import ArgumentParser
internal import Workflows

/// `planklab dataset init`.
struct DatasetInit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a dataset.yaml for the recordings in a folder.",
    discussion: """
      Finds every .poses.jsonl and .poses.jsonl.gz below the folder, the .labels.csv beside each, \
      and the subject in its header. An existing dataset.yaml is never overwritten.

      Example:
        planklab dataset init my-recordings --name living-room
      """)

  @Argument(help: "The folder with the recordings.")
  var folder: String

  @Option(help: "The dataset's name; the folder's unless given.")
  var name: String?

  func run() async throws {
    try await Terminal.run { try InitDataset.run(folder: folder, name: name) }
  }
}
