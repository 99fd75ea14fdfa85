internal import ArgumentParser

struct DatasetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dataset",
    abstract: "Make, check, identify and show datasets.",
    subcommands: [
      DatasetInit.self, DatasetUpdate.self, DatasetLintCommand.self, DatasetHash.self,
      DatasetShow.self,
    ])
}
