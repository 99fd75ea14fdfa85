internal import ArgumentParser
internal import Workflows

/// `planklab baseline`.
struct BaselineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Write, show, list and compare the baselines that gates compare with.",
    subcommands: [BaselineUpdate.self, BaselineShow.self, BaselineList.self, BaselineDiff.self])
}

/// `planklab baseline show`.
struct BaselineShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what a baseline is about, and its numbers.")

  @Argument(help: "The baseline's file.")
  var file: String

  func run() async throws {
    try await Terminal.run { try ReadBaselines.show(file, usesColor: Terminal.usesColor) }
  }
}

/// `planklab baseline list`.
struct BaselineList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the baselines in a folder.")

  @Argument(help: "The folder.")
  var folder = "."

  func run() async throws {
    try await Terminal.run { try ReadBaselines.list(folder) }
  }
}

/// `planklab baseline diff`.
struct BaselineDiff: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show the metrics that differ between two baselines.")

  @Argument(help: "The baseline before.")
  var before: String

  @Argument(help: "The baseline after.")
  var after: String

  func run() async throws {
    try await Terminal.run { try ReadBaselines.diff(before, after) }
  }
}
